import type { Outcome } from "@aos/workflow";
import { type Decider, storedDeciders, unite } from "../../kernel/actor.ts";
import { isInDoubt } from "../tasks/public.ts";
import { originOfRunSql } from "./origins.ts";
import type { Looking } from "./plans.ts";

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
  /** A write of the task began, and nobody knows what became of it. */
  readonly in_doubt: boolean;
  readonly child: string | null;
  readonly child_output: string | null;
  readonly child_failure: string | null;
  readonly child_cost: number;
  /** What it did stands, or may. */
  readonly child_in_doubt: boolean | null;
  readonly child_tokens: number | null;
  /** Of its input, of its task or run, and of its items. */
  readonly step_deciders: unknown;
  readonly made_deciders: unknown;
  readonly item_deciders: unknown;
}

/** What has happened to a run outside, and what that has cost. */
export interface Happened {
  readonly outcomes: Outcome[];
  readonly used: { readonly step: string; readonly usd: number; readonly tokens: number }[];
  /** By step, who decided what it came to. */
  readonly deciders: Map<string, readonly Decider[]>;
}

export const endedTask = "('completed', 'failed', 'rejected', 'expired', 'blocked', 'cancelled')";
export const endedRun = "('compensated', 'compensation_failed', 'completed', 'failed', 'cancelled')";

/** SQL: the deciders of all items of an attempt of a loop, each once; null: none. */
const decidersOfItems = (run: string, step: string, attempt: string): string => `(
  select jsonb_agg(distinct one) from workflow_items i, jsonb_array_elements(i.deciders) one
  where i.organization = $1 and i.environment = $2 and i.run_id = ${run} and i.step = ${step} and i.attempt = ${attempt})`;

/** Bytes of an output that a run keeps and expressions read. */
const largestOutput = 256 * 1024;

/** What a task `t` answered, as its step keeps it: of more than that, where it can be read, and how large it is. */
export const outputOfTask = `case when octet_length(t.output) <= ${largestOutput} then t.output
  when t.output is not null then json_build_object('artifact', json_build_object('task_id', t.id, 'bytes', octet_length(t.output),
    'sha256', encode(sha256(convert_to(t.output, 'UTF8')), 'hex')))::text end`;

/** Whether of something that a run `c` did nobody knows what became of it, or it could not be undone. */
export const childInDoubt = `c.status = 'compensation_failed' or c.status = 'failed' and (
  exists (select from workflow_steps x where x.organization = c.organization and x.environment = c.environment and x.run_id = c.id and x.status = 'outcome_unknown')
  or exists (select from workflow_items x where x.organization = c.organization and x.environment = c.environment and x.run_id = c.id and x.status = 'outcome_unknown'))`;

/**
 * How steps that are under way have ended, by run: their tasks, runs or loops, those that undo a step among them, those for which no task could be made, and
 * those that were taken back before they had one.
 */
export async function findOutcomes({ scope, db }: Looking, runs: readonly string[]): Promise<Map<string, Happened>> {
  const rows = await db.query<EndedStep>(
    `select s.run_id, s.step, s.attempt, coalesce(s.undo = 'running', false) as undoing, s.refusal, s.result,
       t.status as task, ${outputOfTask} as task_output, t.failure as task_failure, t.trust_score, (t.trust::json ->> 'low')::float8 as trust_low,
       t.cost_usd as task_cost, t.tokens::int as task_tokens, ${isInDoubt(`${originOfRunSql} || ' ' || s.step`, "s")} as in_doubt,
       c.status as child, c.output as child_output, c.failure as child_failure, c.cost_usd as child_cost, c.tokens::int as child_tokens,
       ${childInDoubt} as child_in_doubt, s.deciders as step_deciders, coalesce(t.deciders, c.output_deciders) as made_deciders,
       case when s.items is not null then ${decidersOfItems("s.run_id", "s.step", "s.attempt")} end as item_deciders
     from workflow_steps s
     join workflow_runs r on r.organization = s.organization and r.environment = s.environment and r.id = s.run_id
     left join tasks t on t.organization = s.organization and t.environment = s.environment
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
    const tokens = row.task_tokens ?? row.child_tokens ?? tokensIn(row.result);
    if (usd > 0 || tokens > 0) happened.used.push({ step: row.step, usd, tokens });
  }
  return found;
}

function decidersOfEnd({ step_deciders, made_deciders, item_deciders }: EndedStep): readonly Decider[] {
  if (step_deciders === null && made_deciders === null && item_deciders === null) return [];
  return unite(storedDeciders(step_deciders), storedDeciders(made_deciders), storedDeciders(item_deciders));
}

const tokensIn = (result: string | null): number =>
  result === null ? 0 : ((JSON.parse(result) as { tokens?: number }).tokens ?? 0);

type Ended = Extract<Outcome, { kind: "ended" }>;
type Failed = NonNullable<Ended["failure"]>;

const parsed = (text: string | null): Failed | undefined => (text === null ? undefined : (JSON.parse(text) as Failed));

/** Stands in a run in place of the reasons people gave: outputs, plans and events pass failures on, and whoever wrote a reason is not accountable for them. */
const unsaid: Partial<Readonly<Record<NonNullable<EndedStep["task"]>, string>>> = {
  rejected: "The task was rejected; see the task for the reason.",
  cancelled: "The task was cancelled; see the task for the reason.",
};

/** Why a task failed, without people's words. */
function failureOfTask(status: EndedStep["task"], text: string | null): Failed | undefined {
  const failure = parsed(text);
  return failure && { ...failure, detail: (status && unsaid[status]) ?? failure.detail };
}

function outcomeOf(row: EndedStep): Outcome {
  const { step, attempt, undoing } = row;
  if (undoing) {
    const failure = parsed(row.refusal) ?? failureOfTask(row.task, row.task_failure);
    return { kind: "undone", step, ok: row.refusal === null && row.task === "completed", ...(failure && { failure }) };
  }
  const at = { kind: "ended", step, attempt } as const;
  const end = endOf(row);
  return { ...at, ...end, status: row.in_doubt && end.status !== "completed" ? "outcome_unknown" : end.status };
}

/** How a step has ended, whatever became of its writes. */
function endOf(row: EndedStep): End {
  if (row.result !== null) return JSON.parse(row.result) as Pick<Ended, "status">;
  if (row.refusal !== null) return { status: "failed", failure: parsed(row.refusal) as Failed };
  if (row.child !== null) return childEnd(row.child, row);
  if (row.task === null)
    return { status: "cancelled", failure: { code: "cancelled", detail: "It was taken back before it began." } };
  return taskEnd(row.task, row);
}

type End = Omit<Ended, "kind" | "step" | "attempt">;

/** How a task has ended, as the end of what it was made for. */
export function taskEnd(
  status: NonNullable<EndedStep["task"]>,
  row: Pick<EndedStep, "in_doubt" | "task_output" | "task_failure" | "trust_score" | "trust_low" | "task_cost">,
): End {
  const ended = status === "expired" ? "rejected" : status === "blocked" ? "failed" : status;
  const failure = failureOfTask(status, row.task_failure);
  return {
    status: row.in_doubt && ended !== "completed" ? "outcome_unknown" : ended,
    ...(row.task_output !== null && { output: JSON.parse(row.task_output) as unknown }),
    ...(failure && { failure }),
    ...{ trustScore: row.trust_score, trustLow: row.trust_low, costUsd: row.task_cost },
  };
}

type ChildEnd = Pick<EndedStep, "child_output" | "child_failure" | "child_cost" | "child_in_doubt">;

/** How a run has ended, as the end of the step that started it. */
export function childEnd(status: string, row: ChildEnd): End {
  const costUsd = row.child_cost;
  if (status === "completed")
    return { status, costUsd, ...(row.child_output !== null && { output: JSON.parse(row.child_output) as unknown }) };
  const failure = parsed(row.child_failure) ?? { code: status, detail: `Its run ended ${status}.` };
  if (status === "cancelled") return { status, costUsd, failure };
  // Another attempt would do twice what stands of it, or may.
  return { status: row.child_in_doubt ? "outcome_unknown" : "failed", costUsd, failure };
}
