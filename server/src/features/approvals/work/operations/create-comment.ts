import { Type } from "typebox";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { approvalAudit, approvalFacts, type LoadedApproval, loadApproval } from "../../decisions/load.ts";
import { exampleComment, exampleDetail } from "../../example.ts";
import { ApprovalOrTaskId } from "../../schemas.ts";
import { comment } from "../comments.ts";
import { approvalCommented } from "../events.ts";
import { ApprovalComment, ApprovalCommentBody } from "../schemas.ts";

export const commentApproval = defineOperation({
  id: "approvals.createComment",
  method: "POST",
  path: "/v1/approvals/{approval}/comments",
  status: 201,
  summary: "Comment on an approval",
  description:
    "For people who decide, or who asked. `@mbr_…` mentions a person, who finds the comment in their inbox until they comment or vote themselves. No agent reads comments: to have it do otherwise, request changes.",
  params: Type.Object({ approval: ApprovalOrTaskId }),
  body: ApprovalCommentBody,
  output: ApprovalComment,
  example: {
    params: { approval: exampleDetail.approval_id },
    body: { text: exampleComment.text },
    output: exampleComment,
  },
  location: ({ approval_id }) => `/v1/approvals/${approval_id}/comments`,
  permission: "approvals:comment",
  load: (ctx, { approval }) => loadApproval(ctx, approval),
  gate: exempt("starts no work"),
  decides: exempt("people read comments, and no agent does"),
  compliance: governs("approval.comment", (ctx, { loaded }: { loaded: LoadedApproval }) => approvalFacts(ctx, loaded)),
  audit: ({ params, loaded }) => approvalAudit({ params, loaded }),
  emits: [approvalCommented],
  errors: [conflict],
  handle: (ctx, { loaded, body }) => comment(ctx, loaded, body.text),
});
