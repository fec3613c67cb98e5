import type { Wait } from "./definition.ts";
import type { Plan, PlannedStep } from "./plan.ts";
import { isOver, isRunOver, type RunState, type StepState } from "./state.ts";
import { isForEvent } from "./waits.ts";

// What a run waits for outside, read off its state alone.

const unbegun: StepState = { status: "pending", attempt: 0 };

/**
 * When a step is to be looked at by the clock. A limit on work does not count time without a worker; a wait is for a moment, and what people decide has the time
 * that they were shown.
 */
export function dueAt(planned: PlannedStep, step: StepState, { lost }: RunState): number | undefined {
  if (step.wakeAt === undefined || lost === undefined || step.status === "pending") return step.wakeAt;
  if (planned.kind === "wait" || planned.kind === "approval") return step.wakeAt;
  return step.wakeAt + (lost.steps[planned.id] ?? 0);
}

/** When a run has taken as long as it may. */
export const durationEnd = (plan: Plan, { startedAt, lost }: RunState): number =>
  startedAt + plan.limits.durationMs + (lost?.run ?? 0);

/** When a run is to be looked at again if nothing happens before; null: only when something happens. */
export function nextWake(plan: Plan, state: RunState): number | null {
  if (isRunOver(state.status)) return null;
  let next = state.ending ? Number.POSITIVE_INFINITY : durationEnd(plan, state);
  for (const [id, step] of state.steps) {
    const planned = plan.byId.get(id) as PlannedStep;
    const due = dueAt(planned, step, state);
    if (due === undefined || isOver(step)) continue;
    // Another attempt that cannot begin now is begun by whatever lets it.
    if (step.status === "pending" && !mayBegin(planned, state)) continue;
    next = Math.min(next, due);
  }
  return Number.isFinite(next) ? next : null;
}

function mayBegin({ parent }: PlannedStep, { steps, ending, asked }: RunState): boolean {
  return !ending && asked !== "pause" && (parent === null || steps.get(parent)?.status === "running");
}

export interface Outstanding {
  readonly kind: "start" | "listen" | "cancel" | "undo";
  readonly step: string;
  readonly attempt: number;
}

/**
 * All that has to have been done outside by now, as far as it still matters: what a process does that finds a run whose commands may have been lost. To do one
 * twice must come to the same, so who has the state needs no list of what was done.
 */
export function outstanding(plan: Plan, state: RunState): readonly Outstanding[] {
  return plan.steps.flatMap((planned): Outstanding[] => {
    const { id: step, kind } = planned;
    const at = state.steps.get(step) ?? unbegun;
    const { attempt } = at;
    if (at.undo === "running") return [{ kind: "undo", step, attempt }];
    if (at.status !== "running" && at.status !== "waiting") return [];
    if (kind === "wait") return isForEvent(planned.step.wait as Wait) ? [{ kind: "listen", step, attempt }] : [];
    if (kind === "parallel") return [];
    if (isTakenBack(planned, at, state)) return [{ kind: "cancel", step, attempt }];
    return [{ kind: "start", step, attempt }];
  });
}

/** Whether a call that runs is no longer wanted: its end is awaited. */
function isTakenBack({ parent }: PlannedStep, { timedOut }: StepState, { ending, steps }: RunState): boolean {
  return timedOut === true || ending !== undefined || (parent !== null && steps.get(parent)?.status !== "running");
}
