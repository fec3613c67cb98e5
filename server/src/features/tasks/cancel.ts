import type { WriteContext } from "../../kernel/context.ts";
import { cancelOpenApproval } from "../approvals/requests/public.ts";
import { taskCancelled } from "./events.ts";
import { statesBefore } from "./states.ts";
import { type TaskRow, updateTaskStatus } from "./store.ts";
import { eventOf } from "./view.ts";

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
