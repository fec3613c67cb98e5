import { Type } from "typebox";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { approvalAudit, approvalFacts, type LoadedApproval, loadApproval } from "../../decisions/load.ts";
import { exampleDetail, exampleSimilar } from "../../example.ts";
import { ApprovalOrTaskId } from "../../schemas.ts";
import { SimilarApprovals } from "../schemas.ts";
import { similarTo } from "../similar.ts";

export const readSimilarApprovals = defineRead({
  id: "approvals.readSimilar",
  path: "/v1/approvals/{approval}/similar",
  summary: "Read how like cases were decided",
  description:
    "The ten nearest decided approvals of the same agent, skill and tool, by their fields and amounts, with how they were decided and what people said of the outcome later. It tells what was done, and advises nothing.",
  params: Type.Object({ approval: ApprovalOrTaskId }),
  output: SimilarApprovals,
  example: { params: { approval: exampleDetail.approval_id }, output: exampleSimilar },
  permission: "approvals:read",
  load: (ctx, { approval }) => loadApproval(ctx, approval),
  compliance: governs("approval.read", (ctx, { loaded }: { loaded: LoadedApproval }) => approvalFacts(ctx, loaded)),
  audit: approvalAudit,
  handle: (ctx, { loaded }) => similarTo(ctx, loaded),
});
