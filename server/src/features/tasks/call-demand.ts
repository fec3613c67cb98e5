import type { CallContext } from "../../kernel/context.ts";
import type { Risk } from "../../kernel/risk.ts";
import { type ApprovalDemand, type Governed, stricter } from "../../kernel/verdict.ts";
import type { RunnableTool } from "../agents/schemas.ts";
import { approvalFor } from "./model.ts";

/** The tag by which a policy of effect `tag` says that a write may follow on text that was read. */
export const taintAccepted = "taint:accepted";

/** Why such a write is put before people. */
export const steeredReason = "It writes after text was read that could have steered it.";

/**
 * The approval that a call needs; null: none. Policies ask for it, and for a write its risk and that the model has read text that could steer it, unless a
 * policy says otherwise.
 */
export function callDemand(
  ctx: CallContext,
  call: {
    tool: Pick<RunnableTool, "effect">;
    risk: Risk;
    governed: Pick<Governed, "approval" | "tags">;
    tainted: boolean;
  },
): ApprovalDemand | null {
  const { tool, risk, governed, tainted } = call;
  if (tool.effect === "read") return governed.approval;
  const steered = tainted && !governed.tags.includes(taintAccepted);
  const byTaint: ApprovalDemand = {
    approvers: 1,
    requester_allowed: true,
    reasons: [steeredReason],
  };
  return approvalFor(ctx, risk, stricter(governed.approval, steered ? byTaint : null), false);
}
