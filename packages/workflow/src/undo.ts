import type { Plan, PlannedStep } from "./plan.ts";
import { isMet, isOver, type StepState } from "./state.ts";

/**
 * What is undone next: of the completed steps that say how, the one that completed last; else how the run ends, or that one is being undone. Where nobody knows
 * whether a step was carried out, undoing has failed: people have to look.
 */
export function nextUndo(
  plan: Plan,
  at: (id: string) => StepState,
): PlannedStep | "running" | "compensated" | "compensation_failed" {
  const undoable = plan.steps
    .map((planned) => ({ planned, state: at(planned.id) }))
    .filter(({ planned, state }) => planned.step.compensate && state.completedAs !== undefined);
  if (undoable.some(({ state }) => state.undo === "running")) return "running";
  const left = undoable.filter(({ state }) => state.undo === undefined);
  const [last] = left.sort((a, b) => (b.state.completedAs as number) - (a.state.completedAs as number));
  if (last) return last.planned;
  const isUnknown = plan.steps.some(({ id, step }) => step.compensate && at(id).status === "outcome_unknown");
  return isUnknown || undoable.some(({ state }) => state.undo === "failed") ? "compensation_failed" : "compensated";
}

/** Whether the failure of a step undoes the run: it says so itself, or what failed in its branches does. */
export function undoesRun(plan: Plan, at: (id: string) => StepState, id: string): boolean {
  const { step, branches } = plan.byId.get(id) as PlannedStep;
  if (step.on_error === "compensate") return true;
  if (step.wait?.on_timeout === "compensate" && at(id).failure?.code === "timeout") return true;
  const broken = branches.flatMap(([, steps]) => steps).filter((inner) => isOver(at(inner)) && !isMet(at(inner)));
  return broken.some((inner) => at(inner).status !== "cancelled" && undoesRun(plan, at, inner));
}
