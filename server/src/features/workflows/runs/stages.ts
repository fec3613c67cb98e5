import type { Plan } from "@aos/workflow";
import { Type } from "typebox";
import type { ReadContext } from "../../../kernel/context.ts";
import { agentsUsedBy, findPlan } from "../versions/plans.ts";
import type { RunRow } from "./rules.ts";
import { WorkflowRunId } from "./schemas.ts";
import { findRun } from "./store.ts";

/** The run of a path. A key that is narrowed to agents reaches it if its version uses only the key's agents. */
export interface LoadedRun {
  readonly run: RunRow;
  readonly plan: Plan;
  readonly agents: readonly string[];
}

/** Of this workflow, unless the path says `-`. */
export async function loadRun(ctx: ReadContext, { workflow, run: id }: RunParams): Promise<LoadedRun | undefined> {
  const run = await findRun(ctx, id);
  if (!run || (workflow !== "-" && run.workflow !== workflow)) return undefined;
  const plan = await findPlan(ctx, run.version_id);
  return plan && { run, plan, agents: await agentsUsedBy(ctx, run.version_id) };
}

export const aboutRun = ({ params }: { params: RunParams }): string => `run:${params.run}`;

/** A name begins with a letter, so `-` is none. */
const WorkflowInPath = Type.String({
  pattern: "^(?:[a-z][a-z0-9_-]{0,63}|-)$",
  description: "The workflow's name; `-` where only the run is known.",
});
export const RunParams = Type.Object({ workflow: WorkflowInPath, run: WorkflowRunId });
export interface RunParams {
  readonly workflow: string;
  readonly run: string;
}
export const WorkflowParams = Type.Object({
  workflow: Type.String({ pattern: "^[a-z][a-z0-9_-]{0,63}$", description: "The workflow's name." }),
});
