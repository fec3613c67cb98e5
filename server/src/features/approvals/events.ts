import { Type } from "typebox";
import { defineEvent } from "../../kernel/events.ts";
import { nullable, Time } from "../../kernel/schema-words.ts";
import { RiskLevel, TaskId } from "../tasks/schemas.ts";
import { onExpiryWords } from "./requests/words.ts";
import { ApprovalId } from "./schemas.ts";

const common = {
  approval_id: ApprovalId,
  task_id: TaskId,
  agent: Type.String({ description: "Name of the agent that asks." }),
  risk: RiskLevel,
};
const approve_url = Type.String({ description: "Where people see what will happen and decide." });

/** People have decided; the task's own event (`task.approved`, `task.rejected`) follows, except where it was sent back: then the task goes on waiting. */
export const approvalDecided = defineEvent({
  type: "approval.decided",
  summary: "People decided an approval.",
  schema: Type.Object({
    event: Type.Literal("approval.decided"),
    ...common,
    decision: Type.Enum(["approved", "rejected", "changes_requested"]),
    decided_by: Type.String({ description: "Who cast the deciding vote or sent it back, `mbr_…`." }),
    decided_at: Time,
    reason: nullable(Type.String(), "What was said with the decision."),
  }),
});

export const approvalDelegated = defineEvent({
  type: "approval.delegated",
  summary: "A person handed a decision to another one.",
  schema: Type.Object({
    event: Type.Literal("approval.delegated"),
    ...common,
    from: Type.String({ description: "Who handed it on, `mbr_…`." }),
    to: Type.String({ description: "Who decides in their place, `mbr_…`." }),
    reason: Type.String(),
    approve_url,
  }),
});

export const approvalEscalated = defineEvent({
  type: "approval.escalated",
  summary: "From now on only admins decide an approval.",
  schema: Type.Object({
    event: Type.Literal("approval.escalated"),
    ...common,
    by: Type.String({ description: "Who escalated it: `mbr_…`, or `system:…` where nobody decided in time." }),
    reason: Type.String(),
    approve_url,
  }),
});

export const approvalExpiring = defineEvent({
  type: "approval.expiring",
  summary: "An approval ends soon, and nobody has decided it.",
  schema: Type.Object({
    event: Type.Literal("approval.expiring"),
    ...common,
    expires_at: Time,
    on_expiry: Type.Enum(onExpiryWords, { description: "What becomes of it then; it is never approved by itself." }),
    approve_url,
  }),
});
