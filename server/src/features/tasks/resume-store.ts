import type { WriteContext } from "../../kernel/context.ts";
import { actorOf } from "../../kernel/principal.ts";
import type { endedBy } from "./question.ts";
import { stepSeal } from "./step-seal.ts";
import { type TaskRow, taskColumns } from "./store.ts";

// Runs that go on with an answer, or are tried again.

/** Ends the step that waited for the caller's answer; one that finished waits where its result was changed in the database. False where no step waits. */
export async function endAskedStep(
  ctx: WriteContext,
  task: string,
  step: string,
  end: ReturnType<typeof endedBy>,
): Promise<boolean> {
  const text = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));
  const rows = await ctx.db.query(
    `update steps set state = $5, output = $6, failure = $7, seal = $8, answered_accountable = $9, finished_at = now()
     where organization = $1 and environment = $2 and id = $4 and task_id = $3 and state <> 'failed' returning id`,
    [
      ...[ctx.scope.organization, ctx.scope.environment, task, step, end.state, text(end.output), text(end.failure)],
      stepSeal(ctx.seals, ctx.scope, task, step, end.output),
      actorOf(ctx.principal).accountable,
    ],
  );
  return rows.length === 1;
}

/** Queues a task that was given what it waited for; undefined where it no longer waits. */
export async function queueAnswered(ctx: WriteContext, id: string): Promise<TaskRow | undefined> {
  const rows = await ctx.db.query<TaskRow>(
    `update tasks set status = 'queued', question = null, updated_at = now()
     where organization = $1 and environment = $2 and id = $3 and status = 'input_required' returning ${taskColumns}`,
    [ctx.scope.organization, ctx.scope.environment, id],
  );
  return rows[0];
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
 * counts for no limit any more. `deadline`: its deadline from now on. `approvalId`: that of the task as a whole, given or not: what was demanded of it before is not forgotten.
 */
export async function queueRetry(
  ctx: WriteContext,
  id: string,
  { step, deadline, approvalId }: { step: number | null; deadline: string | null; approvalId: string | null },
): Promise<TaskRow> {
  const rows = await ctx.db.query<TaskRow>(
    `update tasks set status = 'queued', failure = null, output = null, predictions = null, result_ref = null, result_seal = null, finished_at = null, question = null, kill_switch_id = null, cancel_requested_at = null,
       started_at = case when $4::int is null then null else started_at end, retry_step = $4, retried_at = clock_timestamp(), ran_ms = 0,
       attempts_before = attempt, tokens_before = tokens, cost_before_usd = cost_usd,
       approval_id = $5, deadline = $6, run_approval_id = null, call_approval = false, updated_at = clock_timestamp()
     where organization = $1 and environment = $2 and id = $3 returning ${taskColumns}`,
    [ctx.scope.organization, ctx.scope.environment, id, step, approvalId, deadline],
  );
  return rows[0] as TaskRow;
}
