import { printable, type Terminal } from "../terminal.ts";
import { amountOf, breakdownLines, figureLines, windowLine } from "./figure-lines.ts";
import { columns, type Fields, fieldsOf, listOf, rounded, tableLines } from "./table.ts";
import { cellOf, counted } from "./text.ts";

// Quality, approvals, risk, knowledge, what is unusual, what runs now and alerts, in lines and tables.

type Lines = (body: Fields, terminal: Terminal) => readonly string[] | null;

const table = (rows: readonly Fields[], titles: string, terminal: Terminal): readonly string[] =>
  rows.length === 0 ? [] : ["", ...tableLines(rows, columns(titles), terminal)];

const rare = (p: unknown): string => (typeof p === "number" && p < 0.0001 ? "<0.0001" : rounded(p, 4));

const quality: Lines = (body, terminal) => {
  if (typeof body.drift !== "object" || typeof body.figures !== "object") return null;
  const marks = listOf(fieldsOf(body.drift).marks).map(
    ({ measure, at, before, after, difference, p_value, nearby }) => ({
      ...{
        at,
        measure,
        before: amountOf("share", fieldsOf(before).value),
        after: amountOf("share", fieldsOf(after).value),
      },
      interval: `${rounded(fieldsOf(difference).low, 3)} to ${rounded(fieldsOf(difference).high, 3)}`,
      chance: rare(p_value),
      near: listOf(nearby).map(({ what }) => what)[0] ?? "",
    }),
  );
  const runs = listOf(body.evaluations).map(({ scores, ...run }) => ({
    ...run,
    scores: listOf(scores)
      .map(({ scorer, score }) => `${scorer} ${rounded(fieldsOf(score).value)}`)
      .join(", "),
  }));
  const { given, accepted, not_accepted } = fieldsOf(body.feedback);
  return [
    windowLine(body),
    ...figureLines(body.figures, body.series, terminal),
    ...table(
      marks,
      "CHANGED=at MEASURE=measure BEFORE=before AFTER=after 95_%=interval BY_CHANCE=chance NEAR=near*",
      terminal,
    ),
    ...breakdownLines(body.agents, ["judged", "accepted_rate", "success_rate", "trust_mean"], terminal),
    ...table(runs, "RUN=run_id AGENT=agent VERSION=version DATASET=dataset VERDICT=verdict SCORES=scores*", terminal),
    "",
    `feedback: ${counted(Number(given), "task")}, ${cellOf(accepted)} accepted, ${cellOf(not_accepted)} not`,
  ];
};

const approvals: Lines = (body, terminal) => {
  if (!Array.isArray(body.approvers)) return null;
  const approvers = listOf(body.approvers).map(({ approver, decided, figures, enough, signs }) => {
    const of = (name: string): string => amountOf(name, fieldsOf(fieldsOf(figures)[name]).value);
    const shown = listOf(signs).map(({ sign }) => String(sign).replaceAll("_", " "));
    return {
      approver,
      decided,
      median: of("time_to_decide_p50"),
      changed: of("override_rate"),
      edited: of("edit_rate"),
      quick: of("quick_rate"),
      signs: enough === true ? shown.join(", ") || "none" : "too few decisions",
    };
  });
  const signs = listOf(body.approvers).flatMap(({ approver, signs: own }) =>
    listOf(own).map(({ text, adjusted_p_value }) =>
      printable(`${cellOf(approver)}: ${cellOf(text)} By chance: ${rare(adjusted_p_value)}, adjusted.`),
    ),
  );
  const titles =
    "APPROVER=approver DECIDED=decided MEDIAN=median NOT_APPROVED=changed EDITED=edited QUICK=quick SIGNS=signs*";
  return [
    windowLine(body),
    ...figureLines(body.figures, body.series, terminal),
    ...table(approvers, titles, terminal),
    ...(signs.length === 0 ? [] : ["", ...signs]),
  ];
};

const exposures: Readonly<Record<string, string>> = {
  open_high_risk: "open tasks of high risk",
  unknown_outcomes: "writes whose outcome is not known",
  steered: "writes after text that could have steered them",
  kill_switches: "kill switches",
  pauses: "paused agents",
  exceptions: "versions without an open verdict",
};

const risk: Lines = (body, terminal) => {
  if (typeof body.exposure !== "object" || typeof body.near_misses !== "object") return null;
  const { rejected, would_have, warned, approved_wrong } = fieldsOf(body.near_misses);
  const now = Object.entries(exposures).map(([name, what]) => {
    const { n, items } = fieldsOf(fieldsOf(body.exposure)[name]);
    return { what, n, items: listOf(items).map((item) => cellOf(item.what ?? item.name)) };
  });
  return [
    windowLine(body),
    ...figureLines(body.figures, body.series, terminal),
    ...breakdownLines(body.reasons, ["violations", "blocked"], terminal),
    "",
    `nearly: ${cellOf(rejected)} stopped by people, ${cellOf(would_have)} by policies in shadow, ${cellOf(warned)} warned of, ${cellOf(approved_wrong)} approved and judged wrong later`,
    ...table(now, "NOW=what NUMBER=n WHICH=items*", terminal),
  ];
};

const knowledge: Lines = (body, terminal) => {
  if (!Array.isArray(body.bases) || !Array.isArray(body.gaps)) return null;
  const bases = listOf(body.bases).map(({ hit_rate, ...base }) => ({
    ...base,
    hits: amountOf("share", fieldsOf(hit_rate).value ?? null),
  }));
  return [
    windowLine(body),
    `${counted(Number(body.questions), "question")}, answered well: ${amountOf("share", fieldsOf(body.hit_rate).value ?? null)}`,
    ...table(
      bases,
      "BASE=name QUESTIONS=questions ANSWERED=hits DOCUMENTS=documents UNUSED=unused STALE=stale",
      terminal,
    ),
    ...table(listOf(body.gaps), "WITHOUT_ANSWER=question* ASKED=asked LATEST=last_asked_at", terminal),
    ...table(listOf(body.unused), "UNUSED=title* DOCUMENT=document_id LATEST=last_retrieved_at", terminal),
  ];
};

const anomalies: Lines = (body, terminal) => {
  if (!Array.isArray(body.anomalies)) return null;
  const found = listOf(body.anomalies).map(({ p_value, ...one }) => ({ ...one, chance: rare(p_value) }));
  const young = listOf(body.agents).filter(({ enough }) => enough === false);
  return [
    windowLine(body),
    `${counted(Number(body.hours), "hour")} looked at, ${found.length} unusual`,
    ...table(found, "FROM=from KIND=kind AGENT=agent BY_CHANCE=chance WHAT=text*", terminal),
    ...(young.length === 0
      ? []
      : ["", printable(`less than four weeks of: ${young.map(({ agent }) => agent).join(", ")}`)]),
  ];
};

const realtime: Lines = (body, terminal) => {
  if (!Array.isArray(body.states) || !Array.isArray(body.minutes)) return null;
  const { busy, tasks, lapsed } = fieldsOf(body.workers);
  const sum = (name: string): number => listOf(body.minutes).reduce((all, one) => all + Number(one[name]), 0);
  return [
    ...tableLines(listOf(body.states), columns("STATE=status TASKS=n OLDEST=oldest_at"), terminal),
    ...table(
      listOf(body.agents),
      "AGENT=agent QUEUED=queued RUNNING=running AWAITING_APPROVAL=awaiting_approval INPUT_REQUIRED=input_required OLDEST=oldest_at",
      terminal,
    ),
    "",
    `${counted(Number(busy), "worker")} with ${counted(Number(tasks), "task")}, ${cellOf(lapsed)} lapsed`,
    `last 15 minutes: ${sum("tasks")} dispatched, ${sum("completed")} completed, ${sum("failed")} failed`,
  ];
};

const conditionOf = (condition: unknown): string => {
  const { kind, threshold, clear_at, direction, once_in } = fieldsOf(condition);
  if (kind === "anomaly") return `unusually ${cellOf(direction)}, once in ${cellOf(once_in)}`;
  return `${cellOf(kind)} ${cellOf(threshold)}${clear_at === undefined ? "" : `, clears at ${cellOf(clear_at)}`}`;
};

const alert: Lines = (body, terminal) => {
  const { alert_id, name, measure, condition, window_minutes, for_minutes, state, state_since, fired, paused } = body;
  if (typeof alert_id !== "string" || !Array.isArray(body.history)) return null;
  const { value, n, error } = body;
  return [
    printable(`${cellOf(name)} (${alert_id})`),
    printable(`${measure} over ${window_minutes} minutes, ${conditionOf(condition)}, for ${for_minutes} minutes`),
    `${paused === true ? "paused" : cellOf(state).replaceAll("_", " ")} since ${cellOf(state_since)}${fired === true ? ", has fired" : ""}`,
    `last value: ${amountOf(String(measure), value ?? null)} of ${cellOf(n)} things`,
    ...(typeof error === "string" ? [printable(error)] : []),
    ...table(listOf(body.history), "AT=at STATE=state SENT=event VALUE=value N=n", terminal),
  ];
};

export const qualitySummaries: Readonly<Record<string, Lines>> = {
  "analytics.readQuality": quality,
  "analytics.readApprovalFigures": approvals,
  "analytics.readRisk": risk,
  "analytics.readKnowledgeFigures": knowledge,
  "analytics.readAnomalies": anomalies,
  "analytics.readRealtime": realtime,
  "analytics.createAlert": alert,
  "analytics.readAlert": alert,
  "analytics.changeAlert": alert,
};
