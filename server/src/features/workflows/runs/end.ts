import type { RunState } from "@aos/workflow";
import { all, insert } from "../../../db/scoped.ts";
import type { JobSpec } from "../../../kernel/append.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { wakeRun } from "../../tasks/public.ts";
import { runCancelled, runCompensated, runCompleted, runFailed } from "../events.ts";
import type { KnownRun } from "./cache.ts";

/** Effects of a run's end: its event, a dead letter if it failed, and the wake-up of its parent. */
export async function endRun(ctx: WriteContext, { row, state }: KnownRun): Promise<void> {
  const { status } = state;
  const payload = { run_id: row.id, workflow: row.workflow, version: row.version_number, status };
  if (status === "completed") ctx.emit(runCompleted, payload);
  else if (status === "compensated") ctx.emit(runCompensated, payload);
  else if (status === "cancelled") ctx.emit(runCancelled, payload);
  else ctx.emit(runFailed, payload);
  if (row.mission !== null) ctx.enqueue(wakeMission(ctx.scope, row.mission, row.id));
  if (row.parent_run !== null) ctx.enqueue(wakeRun(ctx.scope, row.parent_run));
  else if (row.mission === null && (status === "failed" || status === "compensation_failed"))
    await writeDeadLetter(ctx, row, state);
}

/** A child's failure is its parent's to handle, and a mission's the mission's. */
async function writeDeadLetter(ctx: WriteContext, row: KnownRun["row"], state: RunState): Promise<void> {
  const { id, workflow } = row;
  const letter = { reason: reasonOf(state), at: new Date(ctx.now), settled_at: null, settled_by: null };
  await all(
    ctx,
    insert(ctx, "workflow_dead_letters", { run_id: id, workflow, ...letter }).onConflict((on) =>
      on.columns(["organization", "environment", "run_id"]).doUpdateSet(letter),
    ),
  );
}

function reasonOf({ status, steps, ending }: RunState): string {
  const why = ending?.failure?.detail ?? "It did not complete.";
  if (status === "failed") return why;
  const left = [...steps].filter(([, step]) => step.undo === "failed" || step.status === "outcome_unknown");
  const undone = left.map(([id, { failure }]) => `${id}: ${failure?.detail ?? "its outcome is not known"}`);
  return `Not everything could be undone. ${undone.join(" ")} It was undone because: ${why}`;
}

export const settleMissionJob = "settle_mission";

export function wakeMission({ organization, environment }: Scope, mission: string, run: string): JobSpec {
  return {
    task: settleMissionJob,
    payload: { organization, environment, mission, run },
    key: `mission ${mission} ${run}`,
  };
}
