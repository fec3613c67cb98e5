import { all, sql, update } from "../../db/scoped.ts";
import type { WriteContext } from "../../kernel/context.ts";
import type { endedBy } from "./question.ts";
import { stepSeal } from "./steps.ts";
import { type TaskRow, updateTask } from "./store.ts";

// Runs that go on with an answer, or are tried again.

/** Ends the step that waited for the caller's answer, and says what became of the write that it is; one that finished waits where its result was changed in the database. */
export async function endAskedStep(
  ctx: WriteContext,
  task: string,
  step: string,
  end: ReturnType<typeof endedBy>,
): Promise<void> {
  const text = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  const query = update(ctx, "steps").set({
    ...{ state: end.state, output: text(end.output), failure: text(end.failure), finished_at: sql<Date>`now()` },
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

/** A step of a task's present run, the latest try of its position. */
export interface RunStep {
  number: number;
  kind: "model" | "tool";
  name: string;
  state: "started" | "finished" | "failed" | "unknown";
  /** The approval by which people had other arguments put in place of those that were asked for; null: none. */
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
    ...{ status: "queued" as const, ...noResult, question: null, finished_at: null, kill_switch_id: null },
    ...{ cancel_requested_at: null, ran_ms: 0, retry_step: step, retried_at: now, updated_at: now },
    ...(step === null ? { started_at: null } : {}),
    attempts_before: sql<number>`attempt`,
    tokens_before: sql<number>`tokens`,
    cost_before_usd: sql<number>`cost_usd`,
    ...{ approval_id: approvalId, run_approval_id: null, call_approval: false },
    deadline: deadline === null ? null : new Date(deadline),
  };
  return (await updateTask(ctx, { id, from: [status] }, changes)) as TaskRow;
}

/** The mission that a task works for; null: none. */
export async function missionOf({ db, scope }: WriteContext, { run_id }: TaskRow): Promise<string | null> {
  if (run_id === null) return null;
  const [run] = await db.query<{ mission: string | null }>(
    "select mission from workflow_runs where organization = $1 and environment = $2 and id = $3",
    [scope.organization, scope.environment, run_id],
  );
  return run?.mission ?? null;
}
