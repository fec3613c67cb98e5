import { shareRows } from "../../db/shared-rows.ts";

// What other parts of the service read of the tables of agents.

export const agentPauseRows = shareRows(
  "agent_pauses",
  "organization",
  "environment",
  "agent",
  "mode",
  "reason",
  "created_at",
);

export const agentVersionRows = shareRows(
  "agent_versions",
  "organization",
  "agent",
  "number",
  "id",
  "definition",
  "created_at",
  "based_on",
  "digest",
);

export const agentRows = shareRows("agents", "organization", "name", "labels", "draft", "archived_at");

export const deploymentRows = shareRows(
  "deployments",
  "organization",
  "environment",
  "id",
  "agent",
  "version_number",
  "state",
  "created_at",
  "kind",
  "ended_at",
  "mode",
  "share",
  "rule",
  "reason",
);

export const trainingJobRows = shareRows(
  "training_jobs",
  "organization",
  "environment",
  "id",
  "agent",
  "skill",
  "request",
  "state",
  "version_id",
  "created_at",
);

export const trustJudgementRows = shareRows(
  "trust_judgements",
  "organization",
  "environment",
  "agent",
  "skill",
  "id",
  "version_id",
  "source",
  "outcome",
  "judged_at",
);
