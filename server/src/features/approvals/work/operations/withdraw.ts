import { Type } from "typebox";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { taskCancelled } from "../../../tasks/public.ts";
import { alreadyDecided } from "../../decisions/errors.ts";
import { approvalAudit, approvalFacts, type LoadedApproval, loadApproval } from "../../decisions/load.ts";
import { exampleDetail, exampleWithdrawn } from "../../example.ts";
import { ApprovalDetail, ApprovalOrTaskId } from "../../schemas.ts";
import { withdraw } from "../claim.ts";
import { notRequester } from "../errors.ts";
import { approvalWithdrawn } from "../events.ts";
import { WithdrawBody } from "../schemas.ts";

const reason = "The customer found the invoice.";

export const withdrawApproval = defineOperation({
  id: "approvals.withdraw",
  method: "POST",
  path: "/v1/approvals/{approval}/withdraw",
  summary: "Withdraw what was asked for",
  description:
    "Whoever asked for the action, or an admin, takes it back while nobody has decided: the approval and its task are cancelled, and nothing runs.",
  params: Type.Object({ approval: ApprovalOrTaskId }),
  body: WithdrawBody,
  output: ApprovalDetail,
  example: {
    params: { approval: exampleDetail.approval_id },
    body: { reason },
    output: exampleWithdrawn(reason),
  },
  permission: "tasks:write",
  load: (ctx, { approval }) => loadApproval(ctx, approval),
  gate: exempt("stops work, starts none"),
  decides: exempt("ends the task; a run gets a fixed text in place of the reason"),
  compliance: governs("approval.withdraw", (ctx, { loaded }: { loaded: LoadedApproval }) => approvalFacts(ctx, loaded)),
  audit: approvalAudit,
  emits: [approvalWithdrawn, taskCancelled],
  errors: [notRequester, alreadyDecided, conflict],
  handle: (ctx, { loaded, body }) => withdraw(ctx, loaded, body.reason),
});
