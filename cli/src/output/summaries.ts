import { type RunShown, runLines } from "../run-events.ts";
import { printable, type Terminal } from "../terminal.ts";
import { dependents, health, preview, skillSchemas, validation } from "./agent-summaries.ts";
import { approvalSummaries } from "./approval-summaries.ts";
import { conversation } from "./chat-summaries.ts";
import { experimentSummaries } from "./experiment-summaries.ts";
import { figureSummaries } from "./figure-summaries.ts";
import { addedDocuments, retrievalTest, startedSyncs, sync } from "./knowledge-summaries.ts";
import { marketplaceSummaries } from "./marketplace-summaries.ts";
import { mission, plan, report } from "./mission-summaries.ts";
import { qualitySummaries } from "./quality-summaries.ts";
import { issue, shadow } from "./shadow-summaries.ts";
import { columns, type Fields, fieldsOf, intervalOf, listOf, type Row, rounded, tableLines } from "./table.ts";
import { taskSummaries } from "./task-summaries.ts";
import { counted } from "./text.ts";

// Short summaries of long responses. `--json` shows all of it.

type Summary = (body: Fields, terminal: Terminal) => readonly string[] | null;

/** Null if the response is to be shown whole, also if it has an unexpected shape. */
export function summaryOf(id: string, body: unknown, terminal: Terminal): readonly string[] | null {
  const summary = summaries[id];
  if (summary === undefined || typeof body !== "object" || body === null) return null;
  return summary(body as Fields, terminal);
}

const run: Summary = (body, terminal) => {
  const { run_id, agent, version, dataset, dataset_version, state, progress, usage, figures } = body;
  if (!Array.isArray(figures)) return null;
  const { done, total } = fieldsOf(progress);
  const head = `${run_id}: ${agent}, version ${version}, over ${dataset} (version ${dataset_version})`;
  const far = `${state}, ${done} of ${counted(Number(total), "item run")}, $${rounded(fieldsOf(usage).cost_usd, 4)}`;
  const judged = fieldsOf(body.decision).scorers; // the same with the gate's floors
  const rows = (Array.isArray(judged) ? judged : figures).map((figure) => {
    const { scorer, floor, score, failures } = fieldsOf(figure);
    const { mean, low, high, n } = fieldsOf(score);
    return {
      scorer,
      n,
      mean: rounded(mean),
      interval: intervalOf(low, high),
      floor: rounded(floor),
      failed: fieldsOf(failures).items,
    };
  });
  const items = listOf(fieldsOf(body.items).data).filter(({ scores }) =>
    Object.values(fieldsOf(scores)).some((score) => Number(score) < 1),
  );
  return [
    printable(head),
    printable(far),
    ...(typeof fieldsOf(body.failure).detail === "string" ? [printable(String(fieldsOf(body.failure).detail))] : []),
    ...(rows.length === 0
      ? []
      : tableLines(rows, columns("SCORER=scorer ITEMS=n MEAN=mean 95_%=interval FLOOR=floor FAILED=failed"), terminal)),
    ...decisionLines(body.decision),
    ...(items.length === 0
      ? []
      : [
          "",
          ...tableLines(
            items.slice(0, 5).map(worstOf),
            columns("ITEM=item SCORES=scores OUTPUT=output* EXPECTED=expected*"),
            terminal,
          ),
        ]),
  ];
};

function decisionLines(decision: unknown): string[] {
  const { verdict, reasons, items_to_settle } = fieldsOf(decision);
  if (verdict === undefined) return [];
  const settle =
    verdict === "inconclusive" && typeof items_to_settle === "number"
      ? ` ${counted(items_to_settle, "independent item")} would settle it.`
      : "";
  return [
    printable(
      `gate: ${verdict}. ${listOf(reasons)
        .map(({ text }) => text)
        .join(" ")}${settle}`,
    ),
  ];
}

function worstOf({ item, scores, expected, repeats }: Fields): Row {
  const [first] = listOf(repeats);
  const { output, failure } = fieldsOf(first);
  const said = Object.entries(fieldsOf(scores)).map(([name, score]) => `${name} ${rounded(score)}`);
  return { item, scores: said.join(", "), output: output ?? fieldsOf(failure).detail, expected };
}

const trust: Summary = (body, terminal) => {
  const { agent, version, live, score, low, high, skills } = body;
  if (typeof score !== "number" || !Array.isArray(skills)) return null;
  const head = `${agent}, version ${version}${live === false ? " (not live)" : ""}: ${rounded(score)}, between ${rounded(low)} and ${rounded(high)}`;
  const rows = skills.map((skill) => {
    const { skill: name, score: own, low: from, high: to, parts, improvements } = fieldsOf(skill);
    return {
      name,
      score: rounded(own),
      interval: intervalOf(from, to),
      judged: judgedOf(skill),
      parts: partsOf(parts),
      improvements: listOf(improvements)[0]?.detail,
    };
  });
  return [
    printable(head),
    ...tableLines(
      rows,
      columns("SKILL=name SCORE=score 80_%=interval JUDGED=judged PARTS=parts* RAISED_BY=improvements*"),
      terminal,
    ),
  ];
};

/** Judged outcomes that a score rests on. */
const judgedOf = (skill: unknown): number =>
  Object.values(fieldsOf(fieldsOf(skill).labels)).reduce<number>((sum, count) => sum + (Number(count) || 0), 0);

function partsOf(parts: unknown): string | null {
  const shown = listOf(parts)
    .flatMap(({ name, value }) => (typeof value === "number" && Math.abs(value) >= 0.05 ? [{ name, value }] : []))
    .sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
  return shown.length === 0
    ? null
    : shown
        .slice(0, 4)
        .map(({ name, value }) => `${name} ${value > 0 ? "+" : "−"}${rounded(Math.abs(value), 1)}`)
        .join(", ");
}

const gate: Summary = ({ agent, environment, rules, versions }, terminal) => {
  if (!Array.isArray(versions)) return null;
  const { datasets, scorers, floor, tolerance } = fieldsOf(rules);
  const pins = [
    ...listOf(datasets).map((one) => ({ ...one, named: one.name })),
    ...listOf(scorers).map((one) => ({ ...one, named: one.scorer })),
  ] as Fields[];
  const said = pins.map(
    ({ named, version, latest_version }) =>
      `${named} (version ${version}${version === latest_version ? "" : `, the latest is ${latest_version}`})`,
  );
  const head =
    rules === null ? "no gate is set" : `${said.join(", ")}; floor ${rounded(floor)}, tolerance ${rounded(tolerance)}`;
  const rows = listOf(versions).map(({ reasons, ...version }) => ({
    ...version,
    why: Array.isArray(reasons) ? reasons.join(" ") : null,
  }));
  const shown =
    rows.length === 0
      ? []
      : tableLines(
          rows,
          columns("VERSION=version LIVE=deployed GATE=state THEN=consequence COMPARED_WITH=compared_with WHY=why*"),
          terminal,
        );
  return [printable(`${agent} in ${environment}: ${head}`), ...shown];
};

const tools: Summary = ({ agent, version, tools: bound }, terminal) => {
  if (!Array.isArray(bound)) return null;
  const of = `${agent}, ${version === null ? "draft" : `version ${version}`}`;
  if (bound.length === 0) return [printable(`${of}: no tools`)];
  const rows = listOf(bound).map(({ approval, credentials, last_failure: failure, ...tool }) => ({
    ...tool,
    approval: fieldsOf(approval).mode,
    connection: fieldsOf(credentials).connection ?? null,
    failed: fieldsOf(failure).detail ?? null,
  }));
  const shown = columns(
    "TOOL=tool EFFECT=effect MAY=permission ASKS_PEOPLE=approval RISK=risk CONNECTION=connection SKILLS=skills* LAST_USED=last_used_at LAST_FAILURE=failed*",
  );
  return [printable(of), ...tableLines(rows, shown, terminal)];
};

/** Where an archived workflow is still live. */
const archived: Summary = ({ name, environment, live_elsewhere: elsewhere }) => {
  if (!Array.isArray(elsewhere)) return null;
  if (elsewhere.length === 0) return [printable(`${name}: archived`)];
  const there = elsewhere.length === 1 ? "there" : "in each of them";
  return [
    printable(
      `${name}: out of service in ${environment}; still live in ${elsewhere.join(" and ")}. Archive it ${there} too.`,
    ),
  ];
};

const summaries: Readonly<Record<string, Summary>> = {
  "analytics.readReportIssue": issue,
  "evaluations.readShadow": shadow,
  "evaluations.startRun": run,
  "evaluations.readRun": run,
  "evaluations.readGate": gate,
  "evaluations.setGate": gate,
  "agents.readTrust": trust,
  "agents.readHealth": health,
  "agents.readDependents": dependents,
  "agents.validateDraft": validation,
  "agents.previewAgent": preview,
  "agents.readSkillSchemas": skillSchemas,
  "agents.listTools": tools,
  "workflows.archiveWorkflow": archived,
  "workflows.readRun": (body, terminal) =>
    Array.isArray(body.steps) ? runLines(body as unknown as RunShown, terminal) : null,
  "chat.readConversation": conversation,
  "missions.createMission": mission,
  "missions.readMission": mission,
  "missions.startMission": mission,
  "missions.planMission": plan,
  "missions.acceptPlan": plan,
  "missions.readReport": report,
  "knowledge.addDocuments": addedDocuments,
  "knowledge.testBase": retrievalTest,
  "knowledge.startSync": startedSyncs,
  "knowledge.readSync": sync,
  ...experimentSummaries,
  ...figureSummaries,
  ...marketplaceSummaries,
  ...approvalSummaries,
  ...qualitySummaries,
  ...taskSummaries,
};
