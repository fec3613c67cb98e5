import { Type } from "typebox";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { exampleDetail, exampleSentBack } from "../../example.ts";
import { ApprovalDetail, ApprovalOrTaskId, RequestChangesBody } from "../../schemas.ts";
import { ballotFaults, sendBack } from "../decide.ts";
import { alreadyDecided, alreadyVoted, barredAltogether, digestMismatch } from "../errors.ts";
import { approvalDecided } from "../events.ts";
import { approvalAudit, approvalFacts, type LoadedApproval, loadDecidable } from "../load.ts";

const note = "Ask for the consent of this lead first.";

export const requestChanges = defineOperation({
  id: "approvals.requestChanges",
  method: "POST",
  path: "/v1/approvals/{approval}/request-changes",
  listed: true,
  summary: "Request changes",
  description:
    "Sends the action back with a note. One person suffices. Nothing runs meanwhile: the task waits, and once its input was changed " +
    "(`PATCH /v1/tasks/{task}`), people are asked again, in the next round, with a digest of its own and no votes. Only persons decide.",
  params: Type.Object({ approval: ApprovalOrTaskId }),
  body: RequestChangesBody,
  output: ApprovalDetail,
  example: {
    params: { approval: exampleDetail.approval_id },
    body: { note, digest: exampleDetail.digest },
    output: exampleSentBack(note),
  },
  permission: "approvals:decide",
  load: (ctx, { approval }) => loadDecidable(ctx, approval),
  validate: (_ctx, { loaded, body }) => ballotFaults({ loaded, body }),
  gate: exempt("starts no work"),
  decides: "note",
  compliance: governs("approval.decide", (ctx, { loaded }: { loaded: LoadedApproval }) => approvalFacts(ctx, loaded)),
  audit: approvalAudit,
  emits: [approvalDecided],
  errors: [...barredAltogether, digestMismatch, alreadyDecided, alreadyVoted, conflict],
  handle: (ctx, { loaded, body }) => sendBack(ctx, loaded, body),
});
