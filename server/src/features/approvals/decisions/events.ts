import { Type } from "typebox";
import { defineEvent, everyone } from "../../../kernel/events.ts";
import { nullable, Time } from "../../../kernel/schema-words.ts";
import { RiskLevel, TaskId } from "../../tasks/schemas.ts";
import { onExpiryWords } from "../requests/rules.ts";
import { ApprovalId } from "../schemas.ts";

export const common = {
  approval_id: ApprovalId,
  task_id: TaskId,
  agent: Type.String({ description: "Name of the agent whose task needs approval." }),
  risk: RiskLevel,
};
export const approveUrl = Type.String({ description: "Page where people review the request and decide." });

/** `task.approved` or `task.rejected` follows, except after requested changes: then the task still waits. */
export const approvalDecided = defineEvent({
  type: "approval.decided",
  summary: "An approval was decided.",
  readers: everyone,
  schema: Type.Object({
    event: Type.Literal("approval.decided"),
    ...common,
    decision: Type.Enum(["approved", "rejected", "changes_requested"]),
    decided_by: Type.String({ description: "Who cast the deciding vote or sent it back, `mbr_…`." }),
    on_behalf_of: nullable(Type.String(), "In whose place they decided, `mbr_…`; null: in their own right."),
    decided_at: Time,
    reason: nullable(Type.String(), "The reason given with the decision."),
  }),
});

export const approvalDelegated = defineEvent({
  type: "approval.delegated",
  summary: "An approval was delegated to another person.",
  readers: everyone,
  schema: Type.Object({
    event: Type.Literal("approval.delegated"),
    ...common,
    from: Type.String({ description: "Who delegated it, `mbr_…`." }),
    to: Type.String({ description: "Who decides in their place, `mbr_…`." }),
    reason: Type.String(),
    approve_url: approveUrl,
  }),
});

export const approvalEscalated = defineEvent({
  type: "approval.escalated",
  summary: "An approval was escalated: only admins can decide it from now on.",
  readers: everyone,
  schema: Type.Object({
    event: Type.Literal("approval.escalated"),
    ...common,
    by: Type.String({ description: "Who escalated it: `mbr_…`, or `system:…` if nobody decided in time." }),
    reason: Type.String(),
    approve_url: approveUrl,
  }),
});

export const approvalExpiring = defineEvent({
  type: "approval.expiring",
  summary: "A pending approval expires soon.",
  readers: everyone,
  schema: Type.Object({
    event: Type.Literal("approval.expiring"),
    ...common,
    expires_at: Time,
    on_expiry: Type.Enum(onExpiryWords, { description: "What happens at expiry. It is never approved automatically." }),
    approve_url: approveUrl,
  }),
});
