import type { Compensation, Plan, Step } from "@aos/workflow";
import { first, select } from "../../db/scoped.ts";
import { findPlan, type Looking } from "./plans.ts";

const mostKept = 500;
/** By version: a version never changes, nor do those that it starts. */
const kept = new Map<string, readonly string[]>();

/** The agents that a frozen version and the versions of its sub-workflows call, by name in alphabetical order. */
export async function agentsUsedBy(ctx: Looking, versionId: string): Promise<readonly string[]> {
  const key = `${ctx.scope.organization} ${versionId}`;
  const known = kept.get(key);
  if (known) return known;
  const names = new Set<string>();
  await collect(ctx, versionId, names, new Set());
  const agents = [...names].sort();
  if (kept.size >= mostKept) kept.delete(kept.keys().next().value as string);
  kept.set(key, agents);
  return agents;
}

async function collect(ctx: Looking, versionId: string, names: Set<string>, seen: Set<string>): Promise<void> {
  if (seen.has(versionId)) return;
  seen.add(versionId);
  const plan = await findPlan(ctx, versionId);
  if (!plan) return;
  for (const agent of agentsOf(plan)) names.add(agent);
  for (const id of await pinnedBy(ctx, versionId)) await collect(ctx, id, names, seen);
}

/** The agents that a plan's own steps call. */
export const agentsOf = (plan: Plan): readonly string[] => [
  ...new Set(plan.steps.flatMap(({ step }) => [...agentsIn(step), ...agentsIn(step.compensate ?? {})])),
];

const agentsIn = ({ agent, tool, approval }: Compensation & Pick<Step, "approval">): string[] =>
  [agent?.name, tool?.agent, approval?.agent].filter((name) => name !== undefined);

/** Ids of the versions that a version's steps start. */
async function pinnedBy(ctx: Looking, versionId: string): Promise<string[]> {
  const row = await first(ctx, select(ctx, "workflow_versions", "v").select("v.pinned").where("v.id", "=", versionId));
  const ids: string[] = [];
  for (const [workflow, number] of Object.entries((row?.pinned ?? {}) as Record<string, number>)) {
    const version = select(ctx, "workflow_versions", "v").select("v.id").where("v.workflow", "=", workflow);
    const found = await first(ctx, version.where("v.number", "=", number));
    if (found) ids.push(found.id);
  }
  return ids;
}
