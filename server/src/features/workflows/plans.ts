import { type Plan, planOf, type WorkflowDefinition } from "@aos/workflow";
import { first, select } from "../../db/scoped.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";

export type Looking = { readonly scope: Scope; readonly db: Statements };

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

/** A frozen version by its id. A run's version is kept for as long as the run. */
export async function findVersion(ctx: Looking, versionId: string): Promise<FrozenVersion | undefined> {
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

/** The plan of a frozen version. */
export const findPlan = async (ctx: Looking, versionId: string): Promise<Plan | undefined> =>
  (await findVersion(ctx, versionId))?.plan;
