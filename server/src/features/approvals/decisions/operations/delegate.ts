import { Type } from "typebox";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { exampleDelegated, exampleDetail } from "../../example.ts";
import { ApprovalDetail, ApprovalOrTaskId, DelegateBody } from "../../schemas.ts";
import { delegateFaults, delegateTo, escalateByHand } from "../delegate.ts";
import { alreadyDecided, alreadyVoted, barred } from "../errors.ts";
import { approvalDelegated, approvalEscalated } from "../events.ts";
import { approvalAudit, approvalFacts, type LoadedApproval, loadDecidable } from "../load.ts";

const to = "mbr_01jd8x0000000000000000000g";
const reason = "The lead is one of theirs.";

export const delegate = defineOperation({
  id: "approvals.delegate",
  method: "POST",
  path: "/v1/approvals/{approval}/delegate",
  listed: true,
  summary: "Delegate or escalate",
  description:
    "Hands the caller's decision to another person who may decide (`to`), or to the admins (`escalate`). Who handed it on no longer decides; the other's vote " +
    "carries both names and counts as one. Votes that were cast stand. Only persons do this.",
  params: Type.Object({ approval: ApprovalOrTaskId }),
  body: DelegateBody,
  output: ApprovalDetail,
  example: {
    params: { approval: exampleDetail.approval_id },
    body: { to, reason },
    output: exampleDelegated(to, reason),
  },
  permission: "approvals:decide",
  load: (ctx, { approval }) => loadDecidable(ctx, approval),
  validate: (_ctx, { body }) => delegateFaults(body),
  gate: exempt("starts no work"),
  decides: exempt("names who decides; the reason is for them"),
  compliance: governs("approval.delegate", (ctx, { loaded }: { loaded: LoadedApproval }) => approvalFacts(ctx, loaded)),
  audit: approvalAudit,
  emits: [approvalDelegated, approvalEscalated],
  errors: [...barred, alreadyDecided, alreadyVoted, conflict],
  handle: (ctx, { loaded, body }) =>
    body.to === undefined ? escalateByHand(ctx, loaded, body.reason) : delegateTo(ctx, loaded, body.to, body.reason),
});
