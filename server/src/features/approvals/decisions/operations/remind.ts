import { isoTime } from "../../../../kernel/clock.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { lockApproval } from "../../requests/store.ts";
import type { OnExpiry } from "../../schemas.ts";
import { eventOf } from "../delegate.ts";
import { approvalExpiring } from "../events.ts";
import { type Addressed, approvalAudit, type LoadedApproval, loadApproval } from "../load.ts";
import { noteReminder } from "../store.ts";

export const remind: InsideOperation<Addressed, { readonly reminded: true }> = defineInside({
  id: "approvals.remind",
  summary: "Remind of an approval",
  permission: exempt("a machine of the service itself"),
  load: (ctx, { approval }: Addressed) => loadApproval(ctx, approval),
  gate: exempt("starts no work"),
  compliance: exempt("tells of what caller or settings said of an approval that nobody decides"),
  audit: ({ params, loaded }: { params: Addressed; loaded: LoadedApproval | undefined }) =>
    approvalAudit({ params, loaded }),
  emits: [approvalExpiring],
  errors: [conflict],
  async handle(ctx, { loaded }) {
    const approval = await lockApproval(ctx, loaded.approval.id);
    if (!approval || !(await noteReminder(ctx, approval.id))) {
      throw refuse(conflict, "The approval is decided, or people were reminded of it before.");
    }
    const { expires_at, on_expiry } = approval;
    ctx.emit(approvalExpiring, {
      ...eventOf(ctx, approval),
      expires_at: isoTime(expires_at as Date),
      on_expiry: on_expiry as OnExpiry,
    });
    return { reminded: true as const };
  },
});
