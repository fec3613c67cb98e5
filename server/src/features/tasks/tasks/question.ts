import { all, sql, update } from "../../../db/scoped.ts";
import { decidersOf, storableDeciders, storedDeciders, unite } from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { Fault } from "../../../kernel/errors.ts";
import { workflowRunRows } from "../../workflows/shared-rows.ts";
import { stepSeal } from "../steps/seal.ts";
import { runTask } from "./queue.ts";
import type { Asked } from "./row.ts";
import { type TaskRow, updateTask } from "./store.ts";

/** A call with an unknown outcome is not simply repeated. */
export const outcomeOptions = ["it_took_effect", "it_did_not"] as const;

/** The question about such a call. `why`: in words for people; undefined: its worker was lost. */
export function outcomeQuestion(tool: string, why = "its worker was lost while it ran"): string {
  return `Did ${tool} take effect? How it ended is not known: ${why.replace(/\.?$/, ".")} Look at its target: if it did not, it is made again.`;
}

const onlyItsCaller =
  "is not asked for: the task waits for results of functions that the caller of its conversation runs, and takes them from no one else";

/** Faults of an answer. */
export function answerFaults(asked: Asked | null, answer: unknown): Fault[] {
  if (asked?.kind === "results") return [{ pointer: "/answer", code: "not_asked", detail: onlyItsCaller }];
  if (typeof answer !== "string" || !asked?.options || asked.options.includes(answer)) return [];
  return [
    {
      pointer: "/answer",
      code: "unknown_option",
      detail: `is none of the answers that are asked for: ${asked.options.join(", ")}`,
    },
  ];
}

/** How the waiting step ends: with the answer as its output, or as not done, to be repeated. */
function endedBy(
  asked: Asked,
  answer: string,
): { readonly state: "finished" | "failed"; readonly output?: unknown; readonly failure?: unknown } {
  if (asked.kind === "answer") return { state: "finished", output: { answer } };
  if (answer === outcomeOptions[0]) return { state: "finished", output: { took_effect: true, output: null } };
  return {
    state: "failed",
    failure: { code: "interrupted", detail: "It did not take effect, as people found out; it was made again." },
  };
}

// Runs that go on with an answer, or are retried.

/** Ends the step that waited for the answer, and records the outcome of its write; a finished one waits if its result was altered. */
export async function endAskedStep(
  ctx: WriteContext,
  task: string,
  step: string,
  end: ReturnType<typeof endedBy>,
): Promise<void> {
  const text = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  const query = update(ctx, "steps").set({
    state: end.state,
    output: text(end.output),
    failure: text(end.failure),
    finished_at: sql<Date>`now()`,
    seal: stepSeal(ctx.seals, ctx.scope, task, step, end.output),
  });
  const asked = query.where("id", "=", step).where("task_id", "=", task).where("state", "<>", "failed");
  const [ended] = await all(ctx, asked.returning("effect"));
  if (!ended?.effect) return;
  const known = update(ctx, "effects").set({
    outcome: end.state === "finished" ? "done" : "refused",
    task_id: task,
    step_id: step,
    updated_at: sql<Date>`now()`,
  });
  await all(ctx, known.where("key", "=", ended.effect));
}

/** A step of a task's present run, the latest attempt of its position. */
export interface RunStep {
  number: number;
  kind: "model" | "tool";
  name: string;
  state: "started" | "finished" | "failed" | "unknown";
  /** The approval of edited arguments, if there are any. */
  edit_approval_id: string | null;
}

/** The steps of a task's present run, by their positions. */
export async function listStepsOfRun(ctx: WriteContext, task: string): Promise<RunStep[]> {
  return ctx.db.query<RunStep>(
    `select distinct on (s.number) s.number, s.kind, s.name, s.state, s.edit_approval_id
     from tasks t join steps s on s.organization = t.organization and s.environment = t.environment and s.task_id = t.id and s.started_at >= t.started_at
     where t.organization = $1 and t.environment = $2 and t.id = $3 and (t.retry_step is null or s.number < t.retry_step or s.started_at >= t.retried_at)
     order by s.number, s.id desc`,
    [ctx.scope.organization, ctx.scope.environment, task],
  );
}

/**
 * Queues a task that had ended for another attempt. `step`: from which one on it is made again; null: all of it, as a run of its own. What it used before
 * counts for no limit any more. `approvalId`: that of the task as a whole, given or not: what was demanded of it before is not forgotten. The task is locked.
 */
export async function queueRetry(
  ctx: WriteContext,
  { id, status }: TaskRow,
  { step, deadline, approvalId }: { step: number | null; deadline: string | null; approvalId: string | null },
): Promise<TaskRow> {
  const now = sql<Date>`clock_timestamp()`;
  const noResult = { output: null, predictions: null, failure: null, result_ref: null, result_seal: null };
  const changes = {
    status: "queued" as const,
    ...noResult,
    question: null,
    finished_at: null,
    kill_switch_id: null,
    cancel_requested_at: null,
    ran_ms: 0,
    retry_step: step,
    retried_at: now,
    updated_at: now,
    ...(step === null ? { started_at: null } : {}),
    attempts_before: sql<number>`attempt`,
    tokens_before: sql<number>`tokens`,
    cost_before_usd: sql<number>`cost_usd`,
    approval_id: approvalId,
    run_approval_id: null,
    call_approval: false,
    paused_at: null,
    paused_by: null,
    pause_reason: null,
    deadline: deadline === null ? null : new Date(deadline),
  };
  return (await updateTask(ctx, { id, from: [status] }, changes)) as TaskRow;
}

/** The mission that a task works for, if any. */
export async function missionOf({ db, scope }: WriteContext, { run_id }: TaskRow): Promise<string | null> {
  if (run_id === null) return null;
  const [run] = await db.query<{ mission: string | null }>(
    `select mission from ${workflowRunRows} workflow_runs where organization = $1 and environment = $2 and id = $3`,
    [scope.organization, scope.environment, run_id],
  );
  return run?.mission ?? null;
}

/**
 * Lets a task that waits for input go on with the answer to its question, in the name of who calls, who is accountable for what it does from now on. It is
 * locked.
 */
export async function answerTask(ctx: WriteContext, task: TaskRow, asked: Asked, answer: string): Promise<TaskRow> {
  await endAskedStep(ctx, task.id, asked.step_id, endedBy(asked, answer));
  return goOn(ctx, task);
}

/** What a caller's function came to, as the caller says. */
export interface BroughtResult {
  readonly step_id: string;
  readonly output: unknown;
}

/** Lets a task go on with the results of the calls that were handed out, one of each. It is locked. */
export async function answerCalls(
  ctx: WriteContext,
  task: TaskRow,
  results: readonly BroughtResult[],
): Promise<TaskRow> {
  for (const { step_id, output } of results)
    await endAskedStep(ctx, task.id, step_id, {
      state: "finished",
      output: { declared_by_caller: true, result: output },
    });
  return goOn(ctx, task, { deadline: null });
}

async function goOn(ctx: WriteContext, { id, deciders }: TaskRow, more: { deadline?: null } = {}): Promise<TaskRow> {
  const waiting = { id, from: ["input_required"] } as const;
  const row = (await updateTask(ctx, waiting, {
    ...more,
    status: "queued",
    question: null,
    deciders: storableDeciders(unite(storedDeciders(deciders), decidersOf(ctx, "answered", null))),
  })) as TaskRow; // under the row's lock
  ctx.enqueue(runTask(ctx.scope, row.id, row.priority, row.not_before));
  return row;
}
