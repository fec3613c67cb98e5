import type { WriteContext } from "../../../kernel/context.ts";
import type { ApprovalDemand } from "../../../kernel/verdict.ts";

/** What an approval that was used up demanded; null where it was not used up, or is not there. */
export async function consumedDemand(
  ctx: WriteContext,
  approvalId: string,
): Promise<Omit<ApprovalDemand, "reasons"> | null> {
  const [found] = await ctx.db.query<Omit<ApprovalDemand, "reasons">>(
    "select approvers, requester_allowed from approvals where organization = $1 and environment = $2 and id = $3 and status = 'consumed'",
    [ctx.scope.organization, ctx.scope.environment, approvalId],
  );
  return found ?? null;
}
