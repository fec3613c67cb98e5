import { printable, type Terminal } from "../terminal.ts";
import { columns, type Fields, fieldsOf, listOf, rounded, tableLines } from "./table.ts";
import { counted } from "./text.ts";

// One task's trace, cost and trust, an estimate before it is dispatched, and what the log counts of an actor or an object.

type Summary = (body: Fields, terminal: Terminal) => readonly string[] | null;

const usd = (value: unknown): string => `$${rounded(value, 6)}`;
const percent = (value: unknown): string => `${Math.round(Number(value) * 100)} %`;

/** Characters of a bar of the trace. */
const barWidth = 40;

/** A trace as bars on one scale. */
const trace: Summary = (body, terminal) => {
  const spans = listOf(body.spans);
  if (typeof body.trace_id !== "string" || spans.length === 0) return null;
  const known = spans.flatMap(({ start, end }) => [start, end]).filter((time) => typeof time === "string");
  const moments = known.map((time) => Date.parse(time));
  const from = Math.min(...moments);
  const to = Math.max(from + 1, ...moments);
  const moment = (value: unknown): number => (typeof value === "string" ? Date.parse(value) : to);
  const depths = new Map<unknown, number>();
  const rows = spans.map(({ span_id, parent_span_id, name, start, end, error }) => {
    const depth = parent_span_id === null ? 0 : (depths.get(parent_span_id) ?? 0) + 1;
    depths.set(span_id, depth);
    const [begins, ends] = [moment(start) - from, Math.max(moment(end), moment(start)) - from];
    const at = Math.min(barWidth - 1, Math.floor((barWidth * begins) / (to - from)));
    const width = Math.max(1, Math.round((barWidth * (ends - begins)) / (to - from)));
    return {
      name: `${"  ".repeat(depth)}${name}`,
      bar: `${" ".repeat(at)}${"█".repeat(Math.min(width, barWidth - at))}`,
      took: end === null ? "open" : `${rounded((ends - begins) / 1000, 2)} s`,
      error,
    };
  });
  return [
    printable(`trace ${body.trace_id} of ${body.task_id}`),
    ...tableLines(rows, columns("SPAN=name TIME=bar TOOK=took ERROR=error?"), terminal),
  ];
};

const cost: Summary = (body, terminal) => {
  const { by_step, by_model, by_tool, task_id, cost_usd, tokens, outside_steps_usd, further_steps } = body;
  if (!Array.isArray(by_step)) return null;
  const parts = [
    ...listOf(by_model).map((part) => ({ kind: "model", ...part, cost: usd(part.cost_usd) })),
    ...listOf(by_tool).map((part) => ({ kind: "tool", ...part, cost: usd(part.cost_usd) })),
  ];
  const steps = listOf(by_step).map((step) => ({ ...step, cost: usd(step.cost_usd) }));
  const further = fieldsOf(further_steps);
  return [
    printable(`${task_id}: ${usd(cost_usd)}, ${counted(Number(tokens), "token")}`),
    ...(Number(outside_steps_usd) > 0 ? [`${usd(outside_steps_usd)} of it for calls that became no step`] : []),
    ...(parts.length === 0
      ? []
      : tableLines(parts, columns("KIND=kind NAME=name CALLS=calls TOKENS=tokens COST=cost"), terminal)),
    ...(steps.length === 0
      ? []
      : [
          "",
          ...tableLines(
            steps,
            columns("ATTEMPT=attempt #=number KIND=kind NAME=name TOKENS=tokens COST=cost"),
            terminal,
          ),
        ]),
    ...(further_steps === null
      ? []
      : [`and ${counted(Number(further.steps), "further step")} for ${usd(further.cost_usd)}`]),
  ];
};

const trust: Summary = (body, terminal) => {
  const { task_id, score, low, high, parts, skill_now, judgements, scored } = body;
  if (!Array.isArray(parts)) return null;
  const now = fieldsOf(skill_now);
  const rows = listOf(parts).map((part) => ({
    name: part.name,
    adds: `${Number(part.adds) >= 0 ? "+" : "−"}${rounded(Math.abs(Number(part.adds)), 3)}`,
    without: percent(part.score_without),
  }));
  const when = scored === "at_end" ? "when it had ended" : "when it was dispatched";
  return [
    printable(`${task_id}: ${percent(score)}, between ${percent(low)} and ${percent(high)}, scored ${when}`),
    `tasks of this skill start with ${percent(now.score)} now`,
    ...tableLines(rows, columns("PART=name ADDS=adds WITHOUT_IT=without"), terminal),
    ...listOf(judgements).map(({ source, outcome, judged_at }) =>
      printable(`judged by ${source}: ${percent(outcome)} accepted, ${judged_at}`),
    ),
  ];
};

const children: Summary = (body, terminal) => {
  const { nodes, totals, task_id, cut } = body;
  if (!Array.isArray(nodes)) return null;
  const counts = fieldsOf(totals);
  const rows = listOf(nodes).map((node) => ({
    ...node,
    what: `${"  ".repeat(Number(node.depth) - 1)}${node.kind === "run" ? `run ${node.workflow}` : `${node.agent} ${node.task}`}`,
    cost: node.cost_usd === null ? "" : usd(node.cost_usd),
    trust: node.trust_score === null ? "" : percent(node.trust_score),
  }));
  const most = cut === "depth" ? "it is deeper than this" : "there is more";
  return [
    printable(
      `${task_id}: ${counted(Number(counts.tasks), "task")} and ${counted(Number(counts.runs), "run")} came of it, ${counts.open} not ended, ${usd(counts.cost_usd)}`,
    ),
    ...(rows.length === 0
      ? []
      : tableLines(rows, columns("WHAT=what STATUS=status TRUST=trust COST=cost ID=id"), terminal)),
    ...(cut === null ? [] : [`${most}: read the children of one of these tasks for the rest`]),
  ];
};

const words: Readonly<Record<string, string>> = {
  run: "would run at once",
  wait_for_approval: "would wait for approval",
  be_refused: "would be refused",
};

const estimate: Summary = (body, terminal) => {
  const { agent, task, would, problem, approval, history, completes } = body;
  if (typeof would !== "string" || words[would] === undefined) return null;
  const { tasks } = fieldsOf(history);
  const range = (name: string, of: unknown, unit: string) => {
    if (of === null || of === undefined) return [];
    const { expected, low, high } = fieldsOf(of);
    return [{ name, expected: rounded(expected, 4), low: rounded(low, 4), high: rounded(high, 4), unit }];
  };
  const rows = [
    ...range("completes", completes, "probability"),
    ...range("cost", body.cost_usd, "US dollars"),
    ...range("tokens", body.tokens, ""),
    ...range("waits in the queue", body.queue_seconds, "seconds"),
    ...range("waits for people", body.approval_seconds, "seconds"),
    ...range("runs", body.run_seconds, "seconds"),
  ];
  return [
    printable(`${agent}, ${task}: ${words[would]}`),
    ...(problem === null ? [] : [printable(String(fieldsOf(problem).detail ?? fieldsOf(problem).title))]),
    ...(approval === null
      ? []
      : [printable(String((fieldsOf(approval).reasons as readonly string[] | undefined)?.join(" ")))]),
    ...(rows.length === 0
      ? ["no task of this skill has ended here yet, so nothing is known of cost and time"]
      : [
          `by ${counted(Number(tasks), "earlier task")}:`,
          ...tableLines(rows, columns("WHAT=name EXPECTED=expected LOW=low HIGH=high UNIT=unit"), terminal),
        ]),
  ];
};

const counts: Summary = (body, terminal) => {
  const { actor, object, records, complete, first_at, last_at, actions } = body;
  if (!Array.isArray(actions)) return null;
  const others = listOf(body.objects ?? body.actors).map((row) => ({ ...row, name: row.object ?? row.actor }));
  const by = (title: string) =>
    columns(`${title} RECORDS=records ALLOWED=allowed REFUSED=refused FAILED=failed LAST=last_at`);
  return [
    printable(`${actor ?? object}: ${counted(Number(records), "record")}${complete === false ? ", the newest" : ""}`),
    ...(Number(records) > 0 ? [printable(`from ${first_at} to ${last_at}`)] : []),
    ...(actions.length === 0 ? [] : tableLines(listOf(actions), by("ACTION=action"), terminal)),
    ...(others.length === 0
      ? []
      : ["", ...tableLines(others, by(body.objects ? "OBJECT=name" : "ACTOR=name"), terminal)]),
  ];
};

const verifiedRange: Summary = (body, terminal) => {
  const { verified, from_leaf, to_leaf, checked, log_size, findings } = body;
  if (!Array.isArray(findings)) return null;
  const range = `${counted(Number(checked), "record")} from place ${from_leaf} on, of ${log_size}`;
  const removed = listOf(body.removed).map((row) => printable(`${row.records} ${row.reason} by ${row.audit_ref}`));
  if (verified === true) return [`verified: ${range}, as they were logged`, ...removed];
  return [
    `NOT verified: ${range}`,
    ...removed,
    ...tableLines(listOf(findings), columns("PLACE=leaf_index RECORD=audit_ref FINDING=detail"), terminal),
    ...(body.more_findings === true ? ["and more"] : []),
    ...(Number(to_leaf) < Number(log_size) ? [`go on from place ${to_leaf}`] : []),
  ];
};

const decision: Summary = (body, terminal) => {
  const { task_id, agent, skill, status, requested_by, risk_level, cost_usd, complete } = body;
  const records = listOf(body.records);
  if (typeof task_id !== "string" || !Array.isArray(body.records)) return null;
  const { number, model } = fieldsOf(body.version);
  const { at_dispatch, now } = fieldsOf(body.trust);
  const table = (rows: unknown, wanted: string) =>
    listOf(rows).length === 0 ? [] : ["", ...tableLines(listOf(rows), columns(wanted), terminal)];
  return [
    printable(`${task_id}: ${agent} v${number} (${model}), ${skill}, ${status}, for ${requested_by}`),
    `trust ${rounded(at_dispatch, 2)} at the dispatch, ${rounded(now, 2)} now; risk ${risk_level}; cost ${rounded(cost_usd, 6)} US dollars`,
    ...table(body.verdicts, "DECIDED=action STAGE=stage VERDICT=verdict POLICY=policy_version RECORD=audit_ref"),
    ...table(body.votes, "VOTE=action BY=actor KEY=key_id AT=time RECORD=audit_ref"),
    ...table(body.calls, "CALL=name KIND=kind STATE=state COST=cost_usd AT=started_at"),
    "",
    `${counted(records.length, "record")}${complete === false ? ", the newest," : ""} with proofs: --json > decision.json, then aos audit verify decision.json --key <file>`,
  ];
};

export const taskSummaries: Readonly<Record<string, Summary>> = {
  "audit.readActor": counts,
  "audit.readDecision": decision,
  "audit.readObject": counts,
  "audit.checkRange": verifiedRange,
  "tasks.estimateTask": estimate,
  "tasks.readTaskChildren": children,
  "tasks.readTaskCost": cost,
  "tasks.readTaskTrace": trace,
  "tasks.readTaskTrust": trust,
};
