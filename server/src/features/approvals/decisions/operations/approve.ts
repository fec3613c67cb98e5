import { Type } from "typebox";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { taskApprovalRequired, taskApproved } from "../../../tasks/public.ts";
import { exampleDecided, exampleDetail } from "../../example.ts";
import { ApprovalDetail, ApprovalOrTaskId, ApproveBody } from "../../schemas.ts";
import { ballotFaults, castVote } from "../decide.ts";
import { approveEdited, editedAction, editedSubject, editFaults } from "../edit.ts";
import { alreadyDecided, alreadyVoted, barred, digestMismatch } from "../errors.ts";
import { approvalDecided } from "../events.ts";
import { approvalAudit, approvalFacts, type LoadedForEdit, loadEditable } from "../load.ts";

export const approve = defineOperation({
  id: "approvals.approve",
  method: "POST",
  path: "/v1/approvals/{approval}/approve",
  listed: true,
  summary: "Approve",
  description:
    "The caller's vote for exactly the action that was shown; `digest` binds it to that. When enough persons have approved, the task is queued at once. " +
    "Only persons decide. Voting the same again while the approval is pending changes nothing. With `edits` another input is approved than the one shown, or, of a call of an " +
    "HTTP tool, other arguments: policies judge what is wanted instead, and " +
    "the answer is then the approval of the next round, which has a digest of its own, and earlier votes do not count in it.",
  params: Type.Object({ approval: ApprovalOrTaskId }),
  body: ApproveBody,
  output: ApprovalDetail,
  example: {
    params: { approval: exampleDetail.approval_id },
    body: { digest: exampleDetail.digest },
    output: exampleDecided("approved", null),
  },
  permission: "approvals:decide",
  load: (ctx, { approval }) => loadEditable(ctx, approval),
  validate: (_ctx, { loaded, body }) => [...ballotFaults({ loaded, body }), ...editFaults(loaded, body.edits)],
  gate: exempt("the gate was passed when the task was dispatched; running it is a call of its own"),
  decides: "edit",
  compliance: governs(
    "approval.decide",
    (ctx, { loaded, body }: { loaded: LoadedForEdit; body: ApproveBody }) => approvalFacts(ctx, loaded, body.edits),
    { proposes: (ctx, { loaded, body }) => editedAction(ctx, loaded, body) },
  ),
  audit: (given) => ({ ...approvalAudit(given), ...editedSubject(given) }),
  emits: [approvalDecided, taskApproved, taskApprovalRequired],
  errors: [...barred, digestMismatch, alreadyDecided, alreadyVoted, conflict],
  handle(ctx, { loaded, body, governed }) {
    const ballot = { vote: "approve", digest: body.digest, reason: body.reason ?? null } as const;
    return body.edits === undefined
      ? castVote(ctx, loaded, ballot)
      : approveEdited(ctx, loaded, ballot, body.edits, governed);
  },
});
