import { Type } from "typebox";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { taskRejected } from "../../../tasks/public.ts";
import { exampleDecided, exampleDetail } from "../../example.ts";
import { ApprovalDetail, ApprovalOrTaskId, RejectBody } from "../../schemas.ts";
import { ballotFaults, castVote } from "../decide.ts";
import { alreadyDecided, alreadyVoted, barredAltogether, digestMismatch } from "../errors.ts";
import { approvalDecided } from "../events.ts";
import { approvalAudit, approvalFacts, type LoadedApproval, loadDecidable } from "../load.ts";

const reason = "This lead asked not to be contacted.";

export const reject = defineOperation({
  id: "approvals.reject",
  method: "POST",
  path: "/v1/approvals/{approval}/reject",
  listed: true,
  summary: "Reject",
  description:
    "One rejection ends the approval and its task. The reason is required: the requester and whoever trains the agent read it; a workflow that asked gets only the code. Only persons decide.",
  params: Type.Object({ approval: ApprovalOrTaskId }),
  body: RejectBody,
  output: ApprovalDetail,
  example: {
    params: { approval: exampleDetail.approval_id },
    body: { reason, digest: exampleDetail.digest },
    output: exampleDecided("rejected", reason),
  },
  permission: "approvals:decide",
  load: (ctx, { approval }) => loadDecidable(ctx, approval),
  validate: (_ctx, { loaded, body }) => ballotFaults({ loaded, body }),
  gate: exempt("stops work, starts none"),
  decides: exempt("ends the task; a run gets a fixed text in place of the reason"),
  compliance: governs("approval.decide", (ctx, { loaded }: { loaded: LoadedApproval }) => approvalFacts(ctx, loaded)),
  audit: approvalAudit,
  emits: [approvalDecided, taskRejected],
  errors: [...barredAltogether, digestMismatch, alreadyDecided, alreadyVoted, conflict],
  handle: (ctx, { loaded, body }) =>
    castVote(ctx, loaded, { vote: "reject", digest: body.digest, reason: body.reason }),
});
