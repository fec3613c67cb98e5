import type { WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { conflict } from "../../../kernel/problems.ts";
import {
  eventOf,
  findTask,
  lockTask,
  recordFailure,
  runTask,
  type TaskRow,
  taskFailed,
  updateTaskStatus,
} from "../../tasks/public.ts";
import { mostAttempts } from "../model.ts";
import { isPast, lockLeased, queueAgain } from "../store.ts";
import { auditOfTask, type Ended, endedAs } from "./ended.ts";

export interface RequeueTask {
  readonly task: string;
  /** The claim that gives the task back; null: its lease has lapsed, and whoever held it is gone. */
  readonly owner: string | null;
  /** How much later another worker is woken, in seconds; 0 unless told. */
  readonly seconds?: number;
}

export type Requeued = { readonly status: "queued" } | { readonly status: "failed"; readonly ended: Ended };

/** Takes a task from a worker that cannot finish it, and wakes another; a task whose workers were lost too often fails. */
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
