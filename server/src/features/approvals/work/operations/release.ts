import { Type } from "typebox";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { approvalAudit, approvalFacts, type LoadedApproval, loadApproval } from "../../decisions/load.ts";
import { exampleDetail } from "../../example.ts";
import { ApprovalDetail, ApprovalOrTaskId } from "../../schemas.ts";
import { release } from "../claim.ts";
import { claimedByOther } from "../errors.ts";
import { approvalReleased } from "../events.ts";

export const releaseApproval = defineOperation({
  id: "approvals.release",
  method: "POST",
  path: "/v1/approvals/{approval}/release",
  summary: "Release a claimed approval",
  description: "Ends the caller's claim; an admin ends that of others. Where nobody has claimed it, nothing changes.",
  params: Type.Object({ approval: ApprovalOrTaskId }),
  output: ApprovalDetail,
  example: { params: { approval: exampleDetail.approval_id }, output: exampleDetail },
  permission: "approvals:decide",
  load: (ctx, { approval }) => loadApproval(ctx, approval),
  gate: exempt("starts no work"),
  decides: exempt("says that nobody looks at it, and nothing of what is asked"),
  compliance: governs("approval.claim", (ctx, { loaded }: { loaded: LoadedApproval }) => approvalFacts(ctx, loaded)),
  audit: approvalAudit,
  emits: [approvalReleased],
  errors: [claimedByOther],
  handle: (ctx, { loaded }) => release(ctx, loaded),
});
