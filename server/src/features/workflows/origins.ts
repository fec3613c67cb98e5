import type { RunRow, StepRow } from "./run-state.ts";

// Whose effects the writes of a run are: those of its steps, which stay the same over all attempts, also where the run is itself an attempt of its parent's step.

const originOfRun = ({ id, origin }: Pick<RunRow, "id" | "origin">): string => origin ?? id;

/** SQL: the origin of a run `r`. */
export const originOfRunSql = "coalesce(r.origin, r.id)";

/** Of a step of the run, or of an item of its loop. `undo`: of what undoes it, named as no step can be. */
export function originOfStep(
  run: Pick<RunRow, "id" | "origin">,
  step: string,
  { item, undo = false }: { readonly item?: number | undefined; readonly undo?: boolean } = {},
): string {
  const words = [originOfRun(run), step, ...(item === undefined ? [] : [String(item)]), ...(undo ? ["!undo"] : [])];
  return words.join(" ");
}

/** Whether an attempt before may have left effects: of the step, or of the step of a parent whose run this is. */
export const isAgain = (
  { origin }: Pick<RunRow, "origin">,
  { attempt, undo }: Pick<StepRow, "attempt" | "undo">,
): boolean => origin !== null || attempt > 1 || undo === "running";
