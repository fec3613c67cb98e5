import { shareRows } from "../../db/shared-rows.ts";

// What other parts of the service read of the tables of workflows.

export const workflowReleaseRows = shareRows(
  "workflow_releases",
  "organization",
  "environment",
  "id",
  "workflow",
  "version_number",
  "ended_at",
);

export const workflowRunRows = shareRows(
  "workflow_runs",
  "organization",
  "environment",
  "id",
  "workflow",
  "version_id",
  "status",
  "input",
  "mission",
  "cost_usd",
  "finished_at",
  "origin",
  "cause_task",
  "parent_run",
  "tokens",
  "created_at",
);

export const workflowStepRows = shareRows(
  "workflow_steps",
  "organization",
  "environment",
  "run_id",
  "step",
  "status",
  "output",
);

export const workflowVersionRows = shareRows("workflow_versions", "organization", "id", "definition");

export const workflowRows = shareRows("workflows", "organization", "name", "draft", "archived_at");
