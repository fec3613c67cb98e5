import { first, insert } from "../../../db/scoped.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { conflict } from "../../../kernel/problems.ts";
import type { AgentDefinition } from "../definitions/schemas.ts";
import { lockAgent } from "../definitions/store.ts";
import { agentFacts, type KnownAgent } from "../facts.ts";
import { percentile } from "./canaries/rules.ts";
import { endBeside } from "./canaries/store.ts";
import { shadowEnded } from "./events.ts";
import { type ShadowBudget, shadowDefaults } from "./schemas.ts";
import { type DeploymentRow, deploymentJson, deploymentsOf, deploymentWritten, type NewDeployment } from "./store.ts";

// A version in shadow repeats a share of the live version's tasks with its writes withheld; no caller sees its output.

/** While the agent's row is locked, none starts or ends. */
export const findShadowHere = (ctx: Parameters<typeof deploymentsOf>[0], agent: string) =>
  first<DeploymentRow>(ctx, deploymentsOf(ctx, agent).where("d.state", "=", "shadow"));

export const budgetOf = (row: Pick<DeploymentRow, "rule">): ShadowBudget => ({
  ...shadowDefaults,
  ...deploymentJson(row, "rule")?.budget,
});

/** The caller has locked the agent's row. */
export async function startShadow(
  ctx: WriteContext,
  live: DeploymentRow,
  fresh: NewDeployment & { readonly share: number; readonly budget: ShadowBudget },
): Promise<DeploymentRow> {
  const { version, budget, ...row } = fresh;
  const mode = { state: "shadow" as const, mode: "shadow" as const, rule: JSON.stringify({ budget }) };
  const made = { author: ctx.principal.id, created_at: new Date(ctx.now), stable: live.id };
  const added = insert(ctx, "deployments", { ...row, version_number: version, ...mode, ...made });
  return deploymentWritten(ctx, fresh.id, added.returningAll().compile());
}

/** The caller has locked the agent's row. Returns the shadow as it ended. */
export async function stopShadow(
  ctx: WriteContext,
  shadow: DeploymentRow,
  reason: string,
  by?: string,
): Promise<DeploymentRow> {
  const ended = await endBeside(ctx, shadow, { outcome: "ended", reason, ...(by !== undefined && { by }) });
  ctx.touch(agentFacts);
  const { agent, id: deployment_id, version_number: version } = shadow;
  ctx.emit(shadowEnded, { agent, deployment_id, version, reason, by: ctx.principal.id });
  return ended;
}

/** Ends a running shadow because the live version goes. */
export async function endShadowFor(ctx: WriteContext, agent: string, reason: string, by?: string): Promise<void> {
  const shadow = await findShadowHere(ctx, agent);
  if (shadow) await stopShadow(ctx, shadow, reason, by);
}

/** Ends a shadow by the service itself; throws a conflict if it ended meanwhile. */
export async function endOwnShadow(
  ctx: WriteContext,
  { agent, deployment }: { readonly agent: string; readonly deployment: string },
  reason: string,
): Promise<void> {
  await lockAgent(ctx, agent);
  const shadow = await findShadowHere(ctx, agent);
  if (shadow?.id !== deployment) throw refuse(conflict, `The shadow ${deployment} has ended.`);
  await stopShadow(ctx, shadow, reason);
}

export interface ShadowDeployment {
  readonly id: string;
  readonly agent: string;
  readonly versionId: string;
  readonly definition: AgentDefinition;
  readonly budget: ShadowBudget;
}

export async function findShadowOf(
  db: Statements,
  { organization, environment }: Scope,
  agent: string,
): Promise<ShadowDeployment | undefined> {
  const [row] = await db.query<{ id: string; version_id: string; definition: AgentDefinition; rule: string | null }>(
    `select d.id, v.id as version_id, v.definition, d.rule from deployments d
     join agent_versions v on v.organization = d.organization and v.agent = d.agent and v.number = d.version_number
     where d.organization = $1 and d.environment = $2 and d.agent = $3 and d.state = 'shadow'`,
    [organization, environment, agent],
  );
  if (!row) return undefined;
  const { id, version_id: versionId, definition } = row;
  return { id, agent, versionId, definition, budget: budgetOf(row) };
}

/** Whether the shadow repeats a task: a share of the live version's, drawn by the task's id. */
export function isShadowed(
  agent: KnownAgent | undefined,
  task: { readonly id: string; readonly version_id: string },
): boolean {
  const { live, shadow } = agent ?? {};
  if (!live || !shadow || task.version_id !== live.id) return false;
  return percentile(`${shadow.deploymentId} ${task.id}`) < shadow.share;
}
