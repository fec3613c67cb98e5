import { Type } from "typebox";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { conflict } from "../../../kernel/problems.ts";
import { taskApproved } from "../../tasks/public.ts";
import { ballotFaults, castVote } from "../decide.ts";
import { alreadyDecided, alreadyVoted, digestMismatch, fourEyes, personsOnly } from "../errors.ts";
import { approvalDecided } from "../events.ts";
import { exampleDecided, exampleDetail } from "../example.ts";
import { approvalAudit, approvalFacts, type LoadedApproval, loadDecidable } from "../load.ts";
import { ApprovalDetail, ApprovalOrTaskId, ApproveBody } from "../schemas.ts";

export const approve = defineOperation({
  id: "approvals.approve",
  method: "POST",
  path: "/v1/approvals/{approval}/approve",
  status: 200,
  listed: true,
  commit: "own",
  summary: "Approve",
  description:
    "The caller's vote for exactly the action that was shown; `digest` binds it to that. When enough persons have approved, the task is queued at once. " +
    "Only persons decide. Voting the same again while the approval is pending changes nothing.",
  params: Type.Object({ approval: ApprovalOrTaskId }),
  query: Type.Object({}, { additionalProperties: false }),
  body: ApproveBody,
  output: ApprovalDetail,
  example: {
    params: { approval: exampleDetail.approval_id },
    body: { digest: exampleDetail.digest },
    output: exampleDecided("approved", null),
  },
  permission: "approvals:decide",
  load: (ctx, { approval }) => loadDecidable(ctx, approval),
  validate: (_ctx, { loaded, body }) => ballotFaults({ loaded, body }),
  gate: exempt("the gate was passed when the task was dispatched; running it is a call of its own"),
  compliance: governs("approval.decide", (ctx, { loaded }: { loaded: LoadedApproval }) => approvalFacts(ctx, loaded)),
  audit: approvalAudit,
  emits: [approvalDecided, taskApproved],
  errors: [personsOnly, fourEyes, digestMismatch, alreadyDecided, alreadyVoted, conflict],
  handle: (ctx, { loaded, body }) =>
    castVote(ctx, loaded.approval.id, { vote: "approve", digest: body.digest, reason: body.reason ?? null }),
});
