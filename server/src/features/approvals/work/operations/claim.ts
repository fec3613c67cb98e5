import { Type } from "typebox";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { alreadyDecided, barred } from "../../decisions/errors.ts";
import { approvalAudit, approvalFacts, type LoadedApproval, loadDecidable } from "../../decisions/load.ts";
import { exampleClaimed, exampleDetail } from "../../example.ts";
import { ApprovalDetail, ApprovalOrTaskId } from "../../schemas.ts";
import { claim } from "../claim.ts";
import { claimedByOther } from "../errors.ts";
import { approvalClaimed } from "../events.ts";
import { ClaimBody } from "../schemas.ts";

export const claimApproval = defineOperation({
  id: "approvals.claim",
  method: "POST",
  path: "/v1/approvals/{approval}/claim",
  summary: "Claim an approval",
  description:
    "Tells others that the caller is working on it, for some minutes. It keeps nobody else from deciding, and lapses by itself. Claiming again begins the time again. Only those who may decide claim it.",
  params: Type.Object({ approval: ApprovalOrTaskId }),
  body: ClaimBody,
  output: ApprovalDetail,
  example: { params: { approval: exampleDetail.approval_id }, body: { minutes: 30 }, output: exampleClaimed },
  permission: "approvals:decide",
  load: (ctx, { approval }) => loadDecidable(ctx, approval),
  gate: exempt("starts no work"),
  decides: exempt("says who looks at it, and nothing of what is asked"),
  compliance: governs("approval.claim", (ctx, { loaded }: { loaded: LoadedApproval }) => approvalFacts(ctx, loaded)),
  audit: approvalAudit,
  emits: [approvalClaimed],
  errors: [...barred, alreadyDecided, claimedByOther],
  handle: (ctx, { loaded, body }) => claim(ctx, loaded, body.minutes ?? 30),
});
