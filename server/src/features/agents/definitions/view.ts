import { createHash } from "node:crypto";
import type { Agent, AgentVersion, VersionTraining } from "../schemas.ts";
import { trainingJson } from "../training/store.ts";
import type { VersionRecord, VersionTrainingRow } from "../versions/store.ts";
import { digestOf } from "./bundle/index.ts";
import type { AgentRow } from "./store.ts";

export function agentView(row: AgentRow): Agent {
  const deployment = deploymentOf(row);
  return {
    agent: row.name,
    description: row.description,
    owner: row.owner,
    labels: row.labels,
    status: row.archived_at !== null ? "archived" : deployment === null ? "draft" : "deployed",
    deployment,
    paused: pauseOf(row),
    definition: row.draft,
    revision: row.revision,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

function deploymentOf({ deployment_id, version_number, version_id, deployed_at }: AgentRow): Agent["deployment"] {
  if (deployment_id === null || version_number === null || version_id === null || deployed_at === null) return null;
  return { deployment_id, version: version_number, version_id, since: deployed_at.toISOString() };
}

function pauseOf({ pause_mode, pause_reason, paused_by, paused_at }: AgentRow): Agent["paused"] {
  if (pause_mode === null || pause_reason === null || paused_by === null || paused_at === null) return null;
  return { mode: pause_mode, reason: pause_reason, since: paused_at.toISOString(), by: paused_by };
}

/** The ETag covers the draft's revision and what else the response shows: the live deployment and the pause. */
export function agentRevision({ revision, deployment, paused }: Agent): string {
  const parts = [`${revision}`];
  if (deployment !== null) parts.push(deployment.deployment_id);
  if (paused !== null)
    parts.push(`paused_${createHash("sha256").update(JSON.stringify(paused)).digest("hex").slice(0, 16)}`);
  return parts.join(".");
}

/** `now` in milliseconds decides whether a verdict still counts. Versions without a stored digest get it computed. */
export function versionView(row: VersionRecord, now: number): AgentVersion {
  return {
    version: row.number,
    version_id: row.id,
    agent: row.agent,
    digest: row.digest ?? digestOf(row.definition as object),
    note: row.note,
    author: row.author,
    created_at: row.created_at.toISOString(),
    based_on: row.based_on,
    training: row.training && versionTraining(row.training),
    verdict: verdictOf(row, now),
    deployed: row.deployed,
  };
}

function versionTraining(row: VersionTrainingRow): VersionTraining {
  const { id, environment, skill, method, base_number } = row;
  const { examples = null, metrics = null } = trainingJson(row, "report") ?? {};
  return { job_id: id, environment, skill, method, base_version: base_number, examples, metrics };
}

/** Like the evaluation gate, with missing and expired evidence as states of their own. */
function verdictOf({ verdict, reasons, expires_at }: VersionRecord, now: number): AgentVersion["verdict"] {
  if (verdict === null || expires_at === null) return { state: "missing", reasons: [], expires_at: null };
  return {
    state: expires_at.getTime() <= now ? "expired" : verdict,
    reasons: reasons ?? [],
    expires_at: expires_at.toISOString(),
  };
}
