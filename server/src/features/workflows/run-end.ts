import type { RunState } from "@aos/workflow";
import { all, insert } from "../../db/scoped.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { wakeRun } from "../tasks/public.ts";
import { runCancelled, runCompensated, runCompleted, runFailed } from "./events.ts";
import { wakeMission } from "./mission-wake.ts";
import type { KnownRun } from "./run-cache.ts";

/** What the end of a run brings with it: its event, a dead letter where it gave up, and the wake-up of the run that it belongs to. */
export async function endRun(ctx: WriteContext, { row, state }: KnownRun): Promise<void> {
  const { status } = state;
  const told = { run_id: row.id, workflow: row.workflow, version: row.version_number, status };
  if (status === "completed") ctx.emit(runCompleted, told);
  else if (status === "compensated") ctx.emit(runCompensated, told);
  else if (status === "cancelled") ctx.emit(runCancelled, told);
  else ctx.emit(runFailed, told);
  if (row.mission !== null) ctx.enqueue(wakeMission(ctx.scope, row.mission, row.id));
  if (row.parent_run !== null) ctx.enqueue(wakeRun(ctx.scope, row.parent_run));
  else if (row.mission === null && (status === "failed" || status === "compensation_failed"))
    await writeDeadLetter(ctx, row, state);
}

/** Of a run within another one that one decides, and of a mission's the mission. */
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
