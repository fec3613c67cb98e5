import type { CallContext } from "../../../kernel/context.ts";
import { memberPlace } from "../../admin/public.ts";
import type { CountedFor } from "./required.ts";
import type { ApprovalRow } from "./store.ts";

type Escalating = Pick<ApprovalRow, "escalated_at" | "escalated_by" | "on_expiry" | "expires_at" | "decided_at">;

/** Whether only admins decided it when it was decided, or decide it now. `now` in milliseconds since the epoch. */
const wasEscalated = (
  { escalated_at, on_expiry, expires_at, decided_at }: Omit<Escalating, "escalated_by">,
  now: number,
): boolean =>
  escalated_at !== null ||
  (on_expiry === "escalate" && expires_at !== null && expires_at.getTime() <= (decided_at?.getTime() ?? now));

/** How votes on an approval count now: by the roles and teams that members have now. From memory. */
export const countedFor = (
  ctx: Pick<CallContext, "facts" | "scope" | "now">,
  approval: Escalating,
  strict: boolean,
): CountedFor => ({
  strict,
  escalated: wasEscalated(approval, ctx.now),
  escalatedBy: approval.escalated_by,
  placeOf: (member) => memberPlace(ctx, member),
});
