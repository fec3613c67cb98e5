import { isoTime } from "../../../../kernel/clock.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { expireUnapproved, isFinal, lockTask, taskExpired } from "../../../tasks/public.ts";
import { endApproval, lockApproval } from "../../requests/store.ts";
import { escalate } from "../delegate.ts";
import { approvalEscalated } from "../events.ts";
import { type Addressed, approvalAudit, type LoadedApproval, loadApproval } from "../load.ts";
import { isOverdue } from "../rules.ts";

type ExpiryOutcome = { readonly outcome: "expired" | "escalated" };

/** Ends an approval that nobody decided in time: its task expires, or admins decide from then on. It never approves. */
export const expireApproval: InsideOperation<Addressed, ExpiryOutcome> = defineInside({
  id: "approvals.expireApproval",
  summary: "Expire an approval",
  permission: exempt("a machine of the service itself"),
  load: (ctx, { approval }: Addressed) => loadApproval(ctx, approval),
  gate: exempt("ends work, starts none"),
  compliance: exempt("carries out what caller or settings said of an approval that nobody decides"),
  audit: ({ params, loaded }: { params: Addressed; loaded: LoadedApproval | undefined }) =>
    approvalAudit({ params, loaded }),
  emits: [taskExpired, approvalEscalated],
  errors: [conflict],
  async handle(ctx, { loaded }): Promise<ExpiryOutcome> {
    const approval = await lockApproval(ctx, loaded.approval.id);
    if (!approval || !isOverdue(approval, ctx.now))
      throw refuse(conflict, "The approval is decided, or its time is not over; it did not expire.");
    const task = await lockTask(ctx, approval.task_id);
    if (!task) throw refuse(conflict, "The task is gone; its approval did not expire.");
    const end = (reason: string) => endApproval(ctx, { id: approval.id, status: "expired", reason });
    if (isFinal(task.status) || task.approval_id !== approval.id) {
      await end("Nobody decided in time, and its task no longer waits for it.");
      return { outcome: "expired" };
    }
    const late = `Nobody had decided by ${isoTime(approval.expires_at)}.`;
    if (approval.on_expiry === "escalate") {
      await escalate(ctx, approval, late);
      return { outcome: "escalated" };
    }
    await end("Nobody decided in time.");
    await expireUnapproved(ctx, task, `${late} No person refused it; dispatch it again to request approval again.`);
    return { outcome: "expired" };
  },
});
