import { shareRows } from "../../db/shared-rows.ts";

// What other parts of the service read of the tables of approvals.

export const approvalRows = shareRows(
  "approvals",
  "organization",
  "environment",
  "id",
  "task_id",
  "agent",
  "version_id",
  "skill",
  "tool",
  "arguments",
  "status",
  "risk_level",
  "summary",
  "reasons",
  "decided_at",
  "decided_by",
  "reason",
  "created_at",
  "edited_by",
  "policies",
);

export const approvalRuleRows = shareRows(
  "approval_rules",
  "organization",
  "environment",
  "name",
  "title",
  "version",
  "definition",
  "retired_at",
);
