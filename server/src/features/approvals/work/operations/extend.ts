import { Type } from "typebox";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { alreadyDecided, barred } from "../../decisions/errors.ts";
import { approvalAudit, approvalFacts, type LoadedApproval, loadDecidable } from "../../decisions/load.ts";
import { exampleDetail, exampleExtended } from "../../example.ts";
import { ApprovalDetail, ApprovalOrTaskId } from "../../schemas.ts";
import { extend } from "../claim.ts";
import { approvalExtended } from "../events.ts";
import { ExtendBody } from "../schemas.ts";

export const extendApproval = defineOperation({
  id: "approvals.extend",
  method: "POST",
  path: "/v1/approvals/{approval}/extend",
  summary: "Give an approval more time",
  description:
    "Moves the time at which it ends or is escalated. All extensions together add at most the time that it had at first. The task's own deadline stays as it is. Only those who may decide do this.",
  params: Type.Object({ approval: ApprovalOrTaskId }),
  body: ExtendBody,
  output: ApprovalDetail,
  example: {
    params: { approval: exampleDetail.approval_id },
    body: { seconds: 3600, reason: "The customer calls back at noon." },
    output: exampleExtended,
  },
  permission: "approvals:decide",
  load: (ctx, { approval }) => loadDecidable(ctx, approval),
  gate: exempt("starts no work"),
  decides: exempt("says when it ends, and nothing of what is asked"),
  compliance: governs("approval.extend", (ctx, { loaded }: { loaded: LoadedApproval }) => approvalFacts(ctx, loaded)),
  audit: approvalAudit,
  emits: [approvalExtended],
  errors: [...barred, alreadyDecided, conflict],
  handle: (ctx, { loaded, body }) => extend(ctx, loaded, body),
});
