import type { WriteContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { taskFailed } from "../../events.ts";
import { recordFailure } from "../../feedback/outcome.ts";
import { runTask } from "../../tasks/queue.ts";
import { findTask, lockTask, type TaskRow, updateTaskStatus } from "../../tasks/store.ts";
import { eventOf } from "../../tasks/view.ts";
import { auditOfTask, type Ended, endedAs, mostAttempts } from "../rules.ts";
import { isPast, lockLeased, queueAgain } from "../store.ts";

export interface RequeueTask {
  readonly task: string;
  /** The claim that gives the task back; null: its lease has lapsed. */
  readonly owner: string | null;
  /** Seconds until another worker is woken (default 0). */
  readonly seconds?: number;
}

export type Requeued = { readonly status: "queued" } | { readonly status: "failed"; readonly ended: Ended };

/** Takes a task from a worker that cannot finish it, and wakes another; after too many attempts the task fails. */
export const requeueTask: InsideOperation<RequeueTask, Requeued> = defineInside({
  id: "tasks.requeueTask",
  summary: "Queue a task again",
  permission: exempt("a machine of the service itself"),
  load: (ctx, { task }: RequeueTask) => findTask(ctx, task),
  gate: exempt("the gate is asked when the task is started again"),
  compliance: exempt("policies are asked when the task is started again"),
  audit: ({ params, loaded, output }) =>
    auditOfTask(params.task, loaded, output?.status === "failed" ? output.ended : undefined),
  emits: [taskFailed],
  errors: [conflict],
  async handle(ctx, { params }): Promise<Requeued> {
    const held =
      params.owner === null ? await lockLapsed(ctx, params.task) : await lockLeased(ctx, params.task, params.owner);
    if (params.owner === null && held.attempt - held.attempts_before >= mostAttempts) return giveUp(ctx, held);
    const queuedAt = await queueAgain(ctx, held.id, params.owner === null);
    const wakeAt = params.seconds ? new Date(queuedAt.getTime() + params.seconds * 1_000) : null;
    ctx.enqueue({ ...runTask(ctx.scope, held.id, held.priority, wakeAt), key: held.id });
    return { status: "queued" };
  },
});

async function lockLapsed(ctx: WriteContext, id: string): Promise<TaskRow> {
  const row = await lockTask(ctx, id);
  if (row?.status === "running" && (await isPast(ctx, row.lease_until))) return row;
  throw refuse(conflict, "The task's lease has not lapsed, so nothing was taken from anybody.");
}

async function giveUp(ctx: WriteContext, held: TaskRow): Promise<Requeued> {
  const detail = `Its worker was lost in each of ${held.attempt - held.attempts_before} attempts; the task may be what takes them down.`;
  const failure = JSON.stringify({ code: "too_many_attempts", detail });
  const row = (await updateTaskStatus(ctx, {
    id: held.id,
    from: ["running"],
    to: "failed",
    events: 1,
    failure,
  })) as TaskRow;
  await recordFailure(ctx, row);
  ctx.emit(taskFailed, ...eventOf(row));
  return { status: "failed", ended: endedAs(row) };
}
