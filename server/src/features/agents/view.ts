import type { Agent } from "./schemas.ts";
import type { AgentRow } from "./store.ts";

/** An agent as it leaves the service. */
export function agentView(row: AgentRow): Agent {
  const deployment = deploymentOf(row);
  return {
    agent: row.name,
    description: row.description,
    owner: row.owner,
    labels: row.labels,
    status: row.archived_at !== null ? "archived" : deployment === null ? "draft" : "deployed",
    deployment,
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

/** What the ETag stands for: the draft's revision and, since the answer shows it, which deployment is live. */
export function agentRevision(agent: Agent): string {
  return agent.deployment === null ? `${agent.revision}` : `${agent.revision}.${agent.deployment.deployment_id}`;
}
