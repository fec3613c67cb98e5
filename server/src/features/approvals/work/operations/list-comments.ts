import { Type } from "typebox";
import { defineList } from "../../../../kernel/listing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { approvalAudit, approvalFacts, type LoadedApproval, loadApproval } from "../../decisions/load.ts";
import { exampleComment, exampleDetail } from "../../example.ts";
import { ApprovalOrTaskId } from "../../schemas.ts";
import { listComments, shownComments } from "../comments.ts";
import { ApprovalComment } from "../schemas.ts";

export const listApprovalComments = defineList({
  id: "approvals.listComments",
  path: "/v1/approvals/{approval}/comments",
  summary: "List comments on an approval",
  description: "Those on all approvals of its task, newest first.",
  params: Type.Object({ approval: ApprovalOrTaskId }),
  item: ApprovalComment,
  example: { params: { approval: exampleDetail.approval_id }, item: exampleComment },
  permission: "approvals:read",
  load: (ctx, { approval }) => loadApproval(ctx, approval),
  compliance: governs("approval.read", (ctx, { loaded }: { loaded: LoadedApproval }) => approvalFacts(ctx, loaded)),
  audit: ({ params, loaded }) => approvalAudit({ params, loaded }),
  read: async (ctx, _filter, page, loaded: LoadedApproval) =>
    shownComments(ctx, await listComments(ctx, loaded.task.id, page)),
  position: ({ comment_id }) => comment_id,
  view: (comment) => comment,
});
