import { type Plan, planOf, type WorkflowDefinition } from "@aos/workflow";
import { first, select } from "../../db/scoped.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";

export type Looking = { readonly scope: Scope; readonly db: Statements };

const mostKept = 500;
/** Plans by version: a version never changes. */
const kept = new Map<string, Plan>();

/** The plan of a frozen version, by its id. A run's version is kept for as long as the run. */
export async function findPlan(ctx: Looking, versionId: string): Promise<Plan | undefined> {
  const key = `${ctx.scope.organization} ${versionId}`;
  const known = kept.get(key);
  if (known) return known;
  const version = select(ctx, "workflow_versions", "v").select("v.definition").where("v.id", "=", versionId);
  const row = await first(ctx, version);
  if (!row) return undefined;
  const plan = planOf(row.definition as unknown as WorkflowDefinition);
  if (kept.size >= mostKept) kept.delete(kept.keys().next().value as string);
  kept.set(key, plan);
  return plan;
}
