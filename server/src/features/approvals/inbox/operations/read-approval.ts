import { Type } from "typebox";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { approvalAudit, approvalFacts, type LoadedApproval, loadApproval } from "../../decisions/load.ts";
import { exampleDetail } from "../../example.ts";
import { ApprovalDetail, ApprovalOrTaskId } from "../../schemas.ts";
import { approvalDetail } from "../view.ts";

export const readApproval = defineRead({
  id: "approvals.readApproval",
  path: "/v1/approvals/{approval}",
  listed: true,
  summary: "Read an approval",
  description:
    "The exact proposed action with its digest, risk with its reasons, trust with its interval, why people are asked, what happens if nothing is done, the votes so far, " +
    "and whether the caller may decide. Takes the approval's id or its task's. Reading never decides.",
  params: Type.Object({ approval: ApprovalOrTaskId }),
  output: ApprovalDetail,
  example: { params: { approval: exampleDetail.approval_id }, output: exampleDetail },
  permission: "approvals:read",
  load: (ctx, { approval }) => loadApproval(ctx, approval),
  compliance: governs("approval.read", (ctx, { loaded }: { loaded: LoadedApproval }) => approvalFacts(ctx, loaded)),
  audit: approvalAudit,
  handle: (ctx, { loaded }) => approvalDetail(loaded, ctx),
});
