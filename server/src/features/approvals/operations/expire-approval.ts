import { timestamp } from "../../../kernel/clock.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { conflict } from "../../../kernel/problems.ts";
import { expireUnapproved, isFinal, lockTask, type TaskRow, taskExpired } from "../../tasks/public.ts";
import { escalate } from "../delegate.ts";
import { approvalEscalated } from "../events.ts";
import { approvalAudit, type LoadedApproval, loadApproval } from "../load.ts";
import { isOverdue } from "../model.ts";
import { type ApprovalRow, decideApproval, lockApproval } from "../requests/store.ts";

export interface ExpireApproval {
  readonly approval: string;
}

export type ExpiryOutcome = { readonly outcome: "expired" | "escalated" };

/** Ends an approval that nobody decided in time, as was asked for: its task expires, or admins decide from then on. It never approves. */
export const expireApproval: InsideOperation<ExpireApproval, ExpiryOutcome> = defineInside({
  id: "approvals.expireApproval",
  summary: "Expire an approval",
  permission: exempt("a machine of the service itself"),
  load: (ctx, { approval }: ExpireApproval) => loadApproval(ctx, approval),
  gate: exempt("ends work, starts none"),
  compliance: exempt("carries out what caller or settings said of an approval that nobody decides"),
  audit: ({ params, loaded }: { params: ExpireApproval; loaded: LoadedApproval | undefined }) =>
    approvalAudit({ params, loaded }),
  emits: [taskExpired, approvalEscalated],
  errors: [conflict],
  async handle(ctx, { loaded }): Promise<ExpiryOutcome> {
    const approval = await lockApproval(ctx, loaded.approval.id);
    if (!approval || !isOverdue(approval, ctx.now))
      throw refuse(conflict, "The approval is decided, or its time is not over; it did not expire.");
    const task = await lockTask(ctx, approval.task_id);
    if (!task) throw refuse(conflict, "The task is gone; its approval did not expire.");
    if (isFinal(task.status) || task.approval_id !== approval.id) return close(ctx, approval);
    if (approval.on_expiry === "escalate") {
      await escalate(ctx, approval, `Nobody had decided by ${endOf(approval)}.`);
      return { outcome: "escalated" };
    }
    return expire(ctx, approval, task);
  },
});

/** Nothing waits for it any more: its task has come to an end, or people were asked anew. */
async function close(ctx: WriteContext, approval: ApprovalRow): Promise<ExpiryOutcome> {
  await decideApproval(ctx, {
    id: approval.id,
    status: "expired",
    reason: "Nobody decided in time, and its task no longer waits for it.",
  });
  return { outcome: "expired" };
}

async function expire(ctx: WriteContext, approval: ApprovalRow, task: TaskRow): Promise<ExpiryOutcome> {
  await decideApproval(ctx, { id: approval.id, status: "expired", reason: "Nobody decided in time." });
  const detail = `Nobody had decided by ${endOf(approval)}. No person refused it; dispatch it again to ask anew.`;
  await expireUnapproved(ctx, task, detail);
  return { outcome: "expired" };
}

const endOf = ({ expires_at }: ApprovalRow): string => timestamp((expires_at as Date).getTime());
