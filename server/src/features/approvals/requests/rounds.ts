import type { WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { conflict } from "../../../kernel/problems.ts";
import type { RiskLevel } from "../../../kernel/risk.ts";
import { type ApprovalDemand, stricter } from "../../../kernel/verdict.ts";
import { expiryAgain, expiryOf } from "./expiry.ts";
import { nextRound } from "./next-round.ts";
import { type ApprovalRequest, approvalOfTask, type NewApprovalRow } from "./request.ts";
import { insertRound, keepInput } from "./round-store.ts";
import { type ApprovalRow, lockApproval } from "./store.ts";

/** What an approval is asked for that follows another one: what this one settled already is left out. */
export interface RequestAgain extends Omit<ApprovalRequest, "demand" | "expiry" | "round" | "previousId" | "editedBy"> {
  readonly riskLevel: RiskLevel;
}

/**
 * Asks people anew about a task as a whole whose earlier approval does not cover it, and stores that. What was demanded before is still demanded, at least, whatever is
 * demanded by now (null: nothing); who edited the action did so for this round too; one that was escalated stays so; the time to decide begins anew. The
 * earlier approval keeps the input that it was asked for. `input`: the task's, as it is stored. Refuses with `wrong_state` where there is no earlier one.
 * Locks it: call it before the task is locked, or after `lockApprovalBeforeTask`.
 */
export async function askAgain(
  ctx: WriteContext,
  earlier: string,
  request: RequestAgain,
  { demand, input }: { readonly demand: ApprovalDemand | null; readonly input: string },
): Promise<NewApprovalRow> {
  const before = await lockApproval(ctx, earlier);
  if (!before)
    throw refuse(conflict, "The approval that people were asked for before is gone; dispatch the work again.");
  const row = approvalOfTask({
    ...request,
    demand: demandAgain(before, demand),
    expiry: expiryOf(ctx, request.riskLevel, expiryAgain(before), before.escalated_at !== null),
    ...(await nextRound(ctx, before.id)),
  });
  await keepInput(ctx, before.id, input);
  await insertRound(ctx, row, { escalatedAt: before.escalated_at, escalatedBy: before.escalated_by });
  return row;
}

/** What was demanded and what is demanded by now, at their strictest; each reason once. */
export function demandAgain(
  approval: Pick<ApprovalRow, "approvers" | "requester_allowed" | "reasons" | "policies">,
  now: ApprovalDemand | null,
): ApprovalDemand {
  const before: ApprovalDemand = {
    approvers: approval.approvers,
    requester_allowed: approval.requester_allowed,
    reasons: JSON.parse(approval.reasons) as string[],
    policies: approval.policies,
  };
  const both = stricter(before, now) as ApprovalDemand;
  return { ...both, reasons: [...new Set(both.reasons)] };
}
