import type { Fault } from "../../../kernel/errors.ts";
import type { Environment } from "../../../kernel/principal.ts";
import { type AgentDefinition, isRunnable } from "../definitions/schemas.ts";
import type { Deployment } from "./schemas.ts";
import { budgetOf } from "./shadows.ts";
import { type DeploymentRow, deploymentJson, type TaskCounts } from "./store.ts";

/** What this release cannot run, with its place in the definition. Tools that no skill uses never run. */
export function runnableFaults({ tools, skills }: AgentDefinition): Fault[] {
  const used = new Set(skills.flatMap((skill) => skill.tools ?? []));
  const faults: Fault[] = [];
  for (const [i, tool] of tools.entries()) {
    if (!used.has(tool.name) || isRunnable(tool)) continue;
    faults.push({
      pointer: `/tools/${i}/kind`,
      code: "not_runnable",
      detail: `the tool ${tool.name} is of kind ${tool.kind}, which this release does not run; record, search and http are`,
    });
  }
  return faults;
}

export const isRunning = ({ state }: Pick<DeploymentRow, "state">): boolean =>
  state === "live" || state === "canary" || state === "shadow";

function shareOf({ state, share, canary_share }: DeploymentRow): number {
  if (state === "live") return 100 - (canary_share ?? 0);
  return state === "canary" || state === "shadow" ? (share ?? 0) : 0;
}

/** `counts` of a running one; `now` in milliseconds. */
export function deploymentView(
  row: DeploymentRow,
  environment: Environment,
  now: number,
  counts: TaskCounts | null,
): Deployment {
  return {
    deployment_id: row.id,
    agent: row.agent,
    environment,
    version: row.version_number,
    version_id: row.version_id,
    state: row.state,
    mode: row.mode,
    share: shareOf(row),
    rule: row.mode === "canary" ? deploymentJson(row, "rule") : null,
    budget: row.mode === "shadow" ? budgetOf(row) : null,
    outcome: row.outcome,
    stopped_reason: row.stopped_reason,
    reason: row.reason,
    compared_with: row.stable,
    revision: row.revision,
    kind: row.kind,
    note: row.note,
    gate: deploymentJson(row, "gate"),
    abandoned: row.abandoned,
    author: row.author,
    created_at: row.created_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
    ended_by: row.ended_by,
    replaced_by: row.ended_for,
    health: counts && {
      gate: gateOf(row, now),
      open_tasks: counts.open,
      completed_24h: counts.completed,
      failed_24h: counts.failed,
    },
  };
}

function gateOf({ verdict, expires_at }: DeploymentRow, now: number): NonNullable<Deployment["health"]>["gate"] {
  if (verdict === null || expires_at === null) return "missing";
  return expires_at.getTime() <= now ? "expired" : verdict;
}
