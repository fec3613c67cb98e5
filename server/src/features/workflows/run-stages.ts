import type { Plan } from "@aos/workflow";
import type { ReadContext } from "../../kernel/context.ts";
import { agentsUsedBy } from "./agents-used.ts";
import { findPlan } from "./plans.ts";
import type { RunParams } from "./run-params.ts";
import type { RunRow } from "./run-state.ts";
import { findRun } from "./run-store.ts";

/** A run that a path names. A key that is narrowed to agents reaches it if all that its version uses are the key's. */
export interface LoadedRun {
  readonly run: RunRow;
  readonly plan: Plan;
  readonly agents: readonly string[];
}

/** The run of a path: of this workflow, unless the path says `-`. */
export async function loadRun(ctx: ReadContext, { workflow, run: id }: RunParams): Promise<LoadedRun | undefined> {
  const run = await findRun(ctx, id);
  if (!run || (workflow !== "-" && run.workflow !== workflow)) return undefined;
  const plan = await findPlan(ctx, run.version_id);
  return plan && { run, plan, agents: await agentsUsedBy(ctx, run.version_id) };
}

/** What the record of a call on one run names. */
export const aboutRun = ({ params }: { params: RunParams }): string => `run:${params.run}`;
