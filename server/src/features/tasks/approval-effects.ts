import type { WriteContext } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { conflict } from "../../kernel/problems.ts";
import { taskApproved, taskExpired, taskRejected } from "./events.ts";
import { startingTrust, trustText } from "./model.ts";
import { runTask } from "./queue.ts";
import { type TaskRow, updateTaskStatus } from "./store.ts";
import { eventOf } from "./view.ts";

/**
 * Lets an approved task go on: queued, a worker woken, its trust computed anew, since labels may have come meanwhile. That people let it run is no evidence
 * about its outcome. Refuses with `wrong_state` where the task no longer waits.
 */
export async function queueApprovedTask(ctx: WriteContext, task: TaskRow): Promise<TaskRow> {
  const trust = startingTrust(ctx, task.version_id, task.skill);
  const row = await leaveApproval(ctx, task, "queued", { trust: { score: trust.score, text: trustText(trust) } });
  ctx.emit(taskApproved, ...eventOf(row));
  ctx.enqueue(runTask(ctx.scope, row.id, row.priority, row.not_before));
  return row;
}

/**
 * Lets the run of a task go on of which people sent one call back: it learns what they want otherwise, and proposes anew. Refuses with `wrong_state` where
 * the task no longer waits.
 */
export async function queueSentBack(ctx: WriteContext, task: TaskRow): Promise<TaskRow> {
  const row = await updateTaskStatus(ctx, { id: task.id, from: ["awaiting_approval"], to: "queued", events: 0 });
  if (!row) throw refuse(conflict, `The task is ${task.status}; only one that awaits approval can be sent back.`);
  ctx.enqueue(runTask(ctx.scope, row.id, row.priority, row.not_before));
  return row;
}

/** Ends a task that people rejected, with their reason as its failure. Refuses with `wrong_state` where the task no longer waits. */
export async function rejectTask(ctx: WriteContext, task: TaskRow, reason: string): Promise<TaskRow> {
  const row = await leaveApproval(ctx, task, "rejected", {
    failure: JSON.stringify({ code: "rejected", detail: reason }),
  });
  ctx.emit(taskRejected, ...eventOf(row));
  return row;
}

/** Ends a task that nobody approved or rejected in time; its failure says that no person refused it. Refuses with `wrong_state` where it no longer waits. */
export async function expireUnapproved(ctx: WriteContext, task: TaskRow, detail: string): Promise<TaskRow> {
  const row = await leaveApproval(ctx, task, "expired", {
    failure: JSON.stringify({ code: "approval_expired", detail }),
  });
  ctx.emit(taskExpired, ...eventOf(row));
  return row;
}

async function leaveApproval(
  ctx: WriteContext,
  task: TaskRow,
  to: "queued" | "rejected" | "expired",
  more: { trust?: { score: number; text: string }; failure?: string },
): Promise<TaskRow> {
  const row = await updateTaskStatus(ctx, { id: task.id, from: ["awaiting_approval"], to, events: 1, ...more });
  if (!row) throw refuse(conflict, `The task is ${task.status}; only one that awaits approval can be decided.`);
  return row;
}
