import type { WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { conflict } from "../../../kernel/problems.ts";
import { cancelOpenApproval } from "../../approvals/requests/public.ts";
import { startingTrust, trustText } from "../dispatch/rules.ts";
import { taskApproved, taskCancelled, taskExpired, taskRejected } from "../events.ts";
import { runTask } from "./queue.ts";
import { statesBefore } from "./row.ts";
import { type TaskRow, updateTaskStatus } from "./store.ts";
import { eventOf } from "./view.ts";

/**
 * Lets an approved task go on: queued, a worker woken, its trust computed again, since labels may have come meanwhile. That people let it run is no evidence
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
 * Lets the run of a task go on of which people sent one call back: it learns what they want otherwise, and proposes again. Refuses with `wrong_state` where
 * the task no longer waits.
 */
export async function queueSentBack(ctx: WriteContext, task: TaskRow): Promise<TaskRow> {
  const row = await updateTaskStatus(ctx, { id: task.id, from: ["awaiting_approval"], to: "queued", events: 0 });
  if (!row) throw refuse(conflict, `The task is ${task.status}; only one that awaits approval can be sent back.`);
  ctx.enqueue(runTask(ctx.scope, row.id, row.priority, row.not_before));
  return row;
}

/** Ends a rejected task, with the reason as its failure. Throws `wrong_state` if it no longer waits. */
export async function rejectTask(ctx: WriteContext, task: TaskRow, reason: string): Promise<TaskRow> {
  const row = await leaveApproval(ctx, task, "rejected", {
    failure: JSON.stringify({ code: "rejected", detail: reason }),
  });
  ctx.emit(taskRejected, ...eventOf(row));
  return row;
}

/** Ends a task whose approval expired. Throws `wrong_state` if it no longer waits. */
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

/**
 * Ends a task that is not finished, with the approval that it waits for: lock that before (`lockApprovalBeforeTask`). Returns its row; undefined where it has
 * ended already.
 */
export async function cancelOpenTask(ctx: WriteContext, id: string, reason?: string): Promise<TaskRow | undefined> {
  const failure = JSON.stringify({ code: "cancelled", detail: reason ?? "Cancelled by its caller." });
  const row = await updateTaskStatus(ctx, { id, from: statesBefore("cancelled"), to: "cancelled", events: 1, failure });
  if (!row) return undefined;
  if (row.approval_id) await cancelOpenApproval(ctx, row.approval_id, reason ?? "The task was cancelled.");
  ctx.emit(taskCancelled, ...eventOf(row));
  return row;
}
