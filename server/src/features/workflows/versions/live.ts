import { compileUserSchema, type Validator } from "@aos/json-schema";
import type { Plan } from "@aos/workflow";
import { first, rowsOf, select } from "../../../db/scoped.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { agentsUsedBy, findPlan } from "./plans.ts";

/** A frozen version that a run can be started with. */
export interface RunnableVersion {
  readonly workflow: string;
  readonly number: number;
  readonly id: string;
  readonly plan: Plan;
  /** Those of its sub-workflows too. */
  readonly agents: readonly string[];
}

/** A workflow with the version that is live in the call's environment, if any. Undefined if there is no such workflow, or it is archived. */
export async function findLiveVersion(
  ctx: QueryContext,
  workflow: string,
): Promise<{ readonly workflow: string; readonly live: RunnableVersion | null } | undefined> {
  const row = await first(
    ctx,
    select(ctx, "workflows", "w")
      .leftJoin(rowsOf(ctx, "workflow_releases", "r"), (on) =>
        on.onRef("r.workflow", "=", "w.name").on("r.ended_at", "is", null),
      )
      .select(["w.name", "r.version_number"])
      .where("w.name", "=", workflow)
      .where("w.archived_at", "is", null),
  );
  if (!row) return undefined;
  const live = row.version_number === null ? undefined : await findRunnable(ctx, workflow, row.version_number);
  return { workflow, live: live ?? null };
}

export async function findRunnable(
  ctx: QueryContext,
  workflow: string,
  number: number,
): Promise<RunnableVersion | undefined> {
  const versions = select(ctx, "workflow_versions", "v").select("v.id").where("v.workflow", "=", workflow);
  const version = await first(ctx, versions.where("v.number", "=", number));
  const plan = version && (await findPlan(ctx, version.id));
  if (!version || !plan) return undefined;
  return { workflow, number, id: version.id, plan, agents: await agentsUsedBy(ctx, version.id) };
}

const validators = new WeakMap<Plan, Validator>();

/** Faults of a run's input; a version without a schema takes any object. */
export function inputFaults(plan: Plan, input: unknown): ReturnType<Validator> {
  let validate = validators.get(plan);
  if (!validate) {
    const compiled = compileUserSchema(plan.definition.input ?? { type: "object" });
    validate = compiled.ok ? compiled.validate : () => [];
    validators.set(plan, validate);
  }
  return validate(input);
}

export const findWorkflowName = (ctx: QueryContext, workflow: string): Promise<{ readonly name: string } | undefined> =>
  first(ctx, select(ctx, "workflows", "w").select("w.name").where("w.name", "=", workflow));
