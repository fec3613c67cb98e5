import { Type } from "typebox";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { approvalAudit, approvalFacts, type LoadedApproval, loadApproval } from "../../decisions/load.ts";
import { exampleDetail, exampleHistory } from "../../example.ts";
import { ApprovalOrTaskId } from "../../schemas.ts";
import { historyOf } from "../history.ts";
import { ApprovalHistory } from "../schemas.ts";

export const readApprovalHistory = defineRead({
  id: "approvals.readHistory",
  path: "/v1/approvals/{approval}/history",
  summary: "Read what happened to an approval",
  description:
    "Requests, views, votes, edits, hand-overs, claims, extensions and comments of this round and those before it, newest first, with who did what and when. Views are reads as the audit log has them; those of the last seconds may be missing.",
  params: Type.Object({ approval: ApprovalOrTaskId }),
  output: ApprovalHistory,
  example: { params: { approval: exampleDetail.approval_id }, output: exampleHistory },
  permission: "approvals:read",
  load: (ctx, { approval }) => loadApproval(ctx, approval),
  compliance: governs("approval.read", (ctx, { loaded }: { loaded: LoadedApproval }) => approvalFacts(ctx, loaded)),
  audit: approvalAudit,
  handle: (ctx, { loaded }) => historyOf(ctx, loaded),
});
