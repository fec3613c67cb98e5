import { shareRows } from "../../db/shared-rows.ts";

// What other parts of the service read of the tables of governance.

export const budgetUseRows = shareRows(
  "budget_use",
  "organization",
  "environment",
  "scope",
  "unit",
  "period",
  "starts_at",
  "used",
);

export const budgetRows = shareRows(
  "budgets",
  "organization",
  "environment",
  "scope",
  "unit",
  "period",
  "hard",
  "created_at",
);

export const killSwitchRows = shareRows(
  "kill_switches",
  "organization",
  "environment",
  "id",
  "kind",
  "target",
  "mode",
  "reason",
  "engaged_at",
  "released_at",
);

export const ledgerEntryRows = shareRows(
  "ledger_entries",
  "organization",
  "environment",
  "at",
  "operation",
  "agent",
  "principal",
  "key_id",
  "task_id",
  "step_id",
  "spent",
  "counted",
);

export const policyRows = shareRows(
  "policies",
  "organization",
  "environment",
  "id",
  "version",
  "state",
  "definition",
  "effective_from",
  "effective_until",
  "author",
  "created_at",
  "name",
  "activated_at",
  "retired_at",
);

export const violationRows = shareRows(
  "violations",
  "organization",
  "environment",
  "id",
  "source",
  "kind",
  "reason_code",
  "action",
  "agent",
  "principal",
  "key_id",
);
