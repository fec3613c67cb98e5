import { type Compensation, type Plan, planOf, type Step, type WorkflowDefinition } from "@aos/workflow";
import { first, select } from "../../../db/scoped.ts";
import type { QueryContext } from "../../../kernel/db.ts";

/** A frozen version: its plan, and the versions of the workflows that its steps start, by name. */
export interface FrozenVersion {
  readonly id: string;
  readonly workflow: string;
  readonly number: number;
  readonly plan: Plan;
  readonly pinned: Readonly<Record<string, number>>;
}

const mostKept = 500;
/** By organization and version: a version never changes. */
const kept = new Map<string, FrozenVersion>();

export async function findVersion(ctx: QueryContext, versionId: string): Promise<FrozenVersion | undefined> {
  const key = `${ctx.scope.organization} ${versionId}`;
  const known = kept.get(key);
  if (known) return known;
  const row = await first(
    ctx,
    select(ctx, "workflow_versions", "v")
      .select(["v.id", "v.workflow", "v.number", "v.definition", "v.pinned"])
      .where("v.id", "=", versionId),
  );
  if (!row) return undefined;
  const { id, workflow, number } = row;
  const plan = planOf(row.definition as unknown as WorkflowDefinition);
  const version = { id, workflow, number, plan, pinned: row.pinned as Record<string, number> };
  if (kept.size >= mostKept) kept.delete(kept.keys().next().value as string);
  kept.set(key, version);
  return version;
}

export const findPlan = async (ctx: QueryContext, versionId: string): Promise<Plan | undefined> =>
  (await findVersion(ctx, versionId))?.plan;

const keptAgents = new Map<string, readonly string[]>();

/** The agents that a frozen version and its sub-workflows call, in alphabetical order. */
export async function agentsUsedBy(ctx: QueryContext, versionId: string): Promise<readonly string[]> {
  const key = `${ctx.scope.organization} ${versionId}`;
  const known = keptAgents.get(key);
  if (known) return known;
  const names = new Set<string>();
  await collect(ctx, versionId, names, new Set());
  const agents = [...names].sort();
  if (keptAgents.size >= mostKept) keptAgents.delete(keptAgents.keys().next().value as string);
  keptAgents.set(key, agents);
  return agents;
}

async function collect(ctx: QueryContext, versionId: string, names: Set<string>, seen: Set<string>): Promise<void> {
  if (seen.has(versionId)) return;
  seen.add(versionId);
  const plan = await findPlan(ctx, versionId);
  if (!plan) return;
  for (const agent of agentsOf(plan)) names.add(agent);
  for (const id of await pinnedBy(ctx, versionId)) await collect(ctx, id, names, seen);
}

export const agentsOf = (plan: Plan): readonly string[] => [
  ...new Set(plan.steps.flatMap(({ step }) => [...agentsIn(step), ...agentsIn(step.compensate ?? {})])),
];

const agentsIn = ({ agent, tool, approval }: Compensation & Pick<Step, "approval">): string[] =>
  [agent?.name, tool?.agent, approval?.agent].filter((name) => name !== undefined);

async function pinnedBy(ctx: QueryContext, versionId: string): Promise<string[]> {
  const row = await first(ctx, select(ctx, "workflow_versions", "v").select("v.pinned").where("v.id", "=", versionId));
  const ids: string[] = [];
  for (const [workflow, number] of Object.entries((row?.pinned ?? {}) as Record<string, number>)) {
    const version = select(ctx, "workflow_versions", "v").select("v.id").where("v.workflow", "=", workflow);
    const found = await first(ctx, version.where("v.number", "=", number));
    if (found) ids.push(found.id);
  }
  return ids;
}
