import { shareRows } from "../../db/shared-rows.ts";

// What other parts of the service read of the tables of evaluations.

export const datasetVersionRows = shareRows("dataset_versions", "organization", "dataset_id", "version", "created_at");

export const datasetRows = shareRows("datasets", "organization", "id", "name", "agent", "version");

export const evaluationResultRows = shareRows(
  "evaluation_results",
  "organization",
  "environment",
  "run_id",
  "item",
  "scores",
);

export const evaluationRunRows = shareRows(
  "evaluation_runs",
  "organization",
  "environment",
  "id",
  "agent",
  "skill",
  "version_number",
  "dataset_id",
  "dataset_name",
  "state",
  "verdict",
  "waits_for",
  "finished_at",
);

export const gateVerdictRows = shareRows(
  "gate_verdicts",
  "organization",
  "environment",
  "version_id",
  "verdict",
  "reasons",
  "expires_at",
  "agent",
);

export const gateRows = shareRows("gates", "organization", "environment", "agent", "definition", "revision");

export const scorerRows = shareRows(
  "scorers",
  "organization",
  "name",
  "version",
  "definition",
  "description",
  "samples",
);
