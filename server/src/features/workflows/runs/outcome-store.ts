import type { Outcome } from "@aos/workflow";
import { type Decider, storedDeciders, unite } from "../../../kernel/actor.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { storedJson } from "../../../kernel/stored-json.ts";
import { isInDoubt } from "../../tasks/public.ts";
import { taskRows } from "../../tasks/shared-rows.ts";
import { originOfRunSql } from "./rules.ts";

interface EndedStep {
  readonly run_id: string;
  readonly step: string;
  readonly attempt: number;
  readonly undoing: boolean;
  readonly refusal: string | null;
  readonly result: string | null;
  readonly task: "completed" | "failed" | "rejected" | "expired" | "blocked" | "cancelled" | null;
  readonly task_output: string | null;
  readonly task_failure: string | null;
  readonly trust_score: number;
  readonly trust_low: number;
  readonly task_cost: number;
  readonly task_tokens: number | null;
  /** A write of the task has an unknown outcome. */
  readonly in_doubt: boolean;
  readonly child: string | null;
  readonly child_output: string | null;
  readonly child_failure: string | null;
  readonly child_cost: number;
  /** A write of the child run succeeded, or may have. */
  readonly child_in_doubt: boolean | null;
  readonly child_tokens: number | null;
  /** Of its input, of its task or run, and of its items. */
  readonly step_deciders: unknown;
  readonly made_deciders: unknown;
  readonly item_deciders: unknown;
}

/** What happened outside of a run, and its cost. */
export interface Happened {
  readonly outcomes: Outcome[];
  readonly used: { readonly step: string; readonly usd: number; readonly tokens: number }[];
  /** By step, who decided its result. */
  readonly deciders: Map<string, readonly Decider[]>;
}

export const endedTask = "('completed', 'failed', 'rejected', 'expired', 'blocked', 'cancelled')";
export const endedRun = "('compensated', 'compensation_failed', 'completed', 'failed', 'cancelled')";

/** SQL: the deciders of all items of a loop's attempt, each once; null: none. */
const decidersOfItems = (run: string, step: string, attempt: string): string => `(
  select jsonb_agg(distinct one) from workflow_items i, jsonb_array_elements(i.deciders) one
  where i.organization = $1 and i.environment = $2 and i.run_id = ${run} and i.step = ${step} and i.attempt = ${attempt})`;

/** Bytes of an output that a run keeps and expressions read. */
const largestOutput = 256 * 1024;

/** The output of a task `t` as its step keeps it: of a larger one, where it can be read, and its size. */
export const outputOfTask = `case when octet_length(t.output) <= ${largestOutput} then t.output
  when t.output is not null then json_build_object('artifact', json_build_object('task_id', t.id, 'bytes', octet_length(t.output),
    'sha256', encode(sha256(convert_to(t.output, 'UTF8')), 'hex')))::text end`;

/** Whether a child run `c` has a write with an unknown outcome, or could not be undone. */
export const childInDoubt = `c.status = 'compensation_failed' or c.status = 'failed' and (
  exists (select from workflow_steps x where x.organization = c.organization and x.environment = c.environment and x.run_id = c.id and x.status = 'outcome_unknown')
  or exists (select from workflow_items x where x.organization = c.organization and x.environment = c.environment and x.run_id = c.id and x.status = 'outcome_unknown'))`;

/**
 * How steps that are under way have ended, by run: their tasks, runs or loops, those that undo a step among them, those for which no task could be made, and
 * those that were taken back before they had one.
 */
export async function findOutcomes(
  { scope, db }: QueryContext,
  runs: readonly string[],
): Promise<Map<string, Happened>> {
  const rows = await db.query<EndedStep>(
    `select s.run_id, s.step, s.attempt, coalesce(s.undo = 'running', false) as undoing, s.refusal, s.result,
       t.status as task, ${outputOfTask} as task_output, t.failure as task_failure, t.trust_score, (t.trust::json ->> 'low')::float8 as trust_low,
       t.cost_usd as task_cost, t.tokens::int as task_tokens, ${isInDoubt(`${originOfRunSql} || ' ' || s.step`, "s")} as in_doubt,
       c.status as child, c.output as child_output, c.failure as child_failure, c.cost_usd as child_cost, c.tokens::int as child_tokens,
       ${childInDoubt} as child_in_doubt, s.deciders as step_deciders, coalesce(t.deciders, c.output_deciders) as made_deciders,
       case when s.items is not null then ${decidersOfItems("s.run_id", "s.step", "s.attempt")} end as item_deciders
     from workflow_steps s
     join workflow_runs r on r.organization = s.organization and r.environment = s.environment and r.id = s.run_id
     left join ${taskRows} t on t.organization = s.organization and t.environment = s.environment
       and t.id = case when s.undo = 'running' then s.undo_task else s.task_id end and t.status in ${endedTask}
     left join workflow_runs c on c.organization = s.organization and c.environment = s.environment and c.id = s.child_run and c.status in ${endedRun}
       and s.undo is distinct from 'running'
     where s.organization = $1 and s.environment = $2 and s.run_id = any($3::text[]) and (s.status in ('running', 'waiting') or s.undo = 'running')
       and (t.id is not null or c.id is not null or s.refusal is not null or s.result is not null
         or s.taken_back and s.task_id is null and s.child_run is null and s.items is null and s.status in ('running', 'waiting'))
     order by t.finished_at, s.step`,
    [scope.organization, scope.environment, runs],
  );
  const found = new Map<string, Happened>();
  for (const row of rows) {
    const happened: Happened = found.get(row.run_id) ?? { outcomes: [], used: [], deciders: new Map() };
    found.set(row.run_id, happened);
    const outcome = outcomeOf(row);
    happened.outcomes.push(outcome);
    if (outcome.kind === "ended") happened.deciders.set(row.step, decidersOfEnd(row));
    const usd = row.task_cost ?? (outcome.kind === "ended" ? outcome.costUsd : undefined) ?? 0;
    const tokens = row.task_tokens ?? row.child_tokens ?? endJson(row, "result")?.tokens ?? 0;
    if (usd > 0 || tokens > 0) happened.used.push({ step: row.step, usd, tokens });
  }
  return found;
}

function decidersOfEnd({ step_deciders, made_deciders, item_deciders }: EndedStep): readonly Decider[] {
  if (step_deciders === null && made_deciders === null && item_deciders === null) return [];
  return unite(storedDeciders(step_deciders), storedDeciders(made_deciders), storedDeciders(item_deciders));
}

type Ended = Extract<Outcome, { kind: "ended" }>;
type Failed = NonNullable<Ended["failure"]>;

const endJson = storedJson<{
  result: Pick<Ended, "status"> & { readonly tokens?: number };
  refusal: Failed;
  task_output: unknown;
  task_failure: Failed;
  child_output: unknown;
  child_failure: Failed;
}>();

/** Replaces the reasons that people gave: outputs, plans and events pass failures on, and whoever wrote a reason is not accountable for them. */
const unsaid: Partial<Readonly<Record<NonNullable<EndedStep["task"]>, string>>> = {
  rejected: "The task was rejected; see the task for the reason.",
  cancelled: "The task was cancelled; see the task for the reason.",
};

/** Why a task failed, without people's words. */
function failureOfTask(status: EndedStep["task"], row: Pick<EndedStep, "task_failure">): Failed | undefined {
  const failure = endJson(row, "task_failure") ?? undefined;
  return failure && { ...failure, detail: (status && unsaid[status]) ?? failure.detail };
}

function outcomeOf(row: EndedStep): Outcome {
  const { step, attempt, undoing } = row;
  if (undoing) {
    const failure = endJson(row, "refusal") ?? failureOfTask(row.task, row);
    return { kind: "undone", step, ok: row.refusal === null && row.task === "completed", ...(failure && { failure }) };
  }
  const at = { kind: "ended", step, attempt } as const;
  const end = endOf(row);
  return { ...at, ...end, status: row.in_doubt && end.status !== "completed" ? "outcome_unknown" : end.status };
}

/** How a step has ended, apart from its writes. */
function endOf(row: EndedStep): End {
  const result = endJson(row, "result");
  if (result !== null) return result;
  const refusal = endJson(row, "refusal");
  if (refusal !== null) return { status: "failed", failure: refusal };
  if (row.child !== null) return childEnd(row.child, row);
  if (row.task === null)
    return { status: "cancelled", failure: { code: "cancelled", detail: "It was taken back before it began." } };
  return taskEnd(row.task, row);
}

type End = Omit<Ended, "kind" | "step" | "attempt">;

export function taskEnd(
  status: NonNullable<EndedStep["task"]>,
  row: Pick<EndedStep, "in_doubt" | "task_output" | "task_failure" | "trust_score" | "trust_low" | "task_cost">,
): End {
  const ended = status === "expired" ? "rejected" : status === "blocked" ? "failed" : status;
  const failure = failureOfTask(status, row);
  return {
    status: row.in_doubt && ended !== "completed" ? "outcome_unknown" : ended,
    ...(row.task_output !== null && { output: endJson(row, "task_output") }),
    ...(failure && { failure }),
    trustScore: row.trust_score,
    trustLow: row.trust_low,
    costUsd: row.task_cost,
  };
}

type ChildEnd = Pick<EndedStep, "child_output" | "child_failure" | "child_cost" | "child_in_doubt">;

export function childEnd(status: string, row: ChildEnd): End {
  const costUsd = row.child_cost;
  if (status === "completed")
    return { status, costUsd, ...(row.child_output !== null && { output: endJson(row, "child_output") }) };
  const failure = endJson(row, "child_failure") ?? { code: status, detail: `Its run ended ${status}.` };
  if (status === "cancelled") return { status, costUsd, failure };
  // Another attempt would repeat a write that succeeded, or may have.
  return { status: row.child_in_doubt ? "outcome_unknown" : "failed", costUsd, failure };
}
