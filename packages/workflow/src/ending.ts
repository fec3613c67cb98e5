import { failureOfFault, resolveAll, type Scope } from "./expressions.ts";
import type { Plan } from "./plan.ts";
import { isOver, type RunState, type StepState } from "./state.ts";

/** How a run ends, once what still runs has ended. */
export type Ending = NonNullable<RunState["ending"]>;

/** How a run ends of which nothing is left to do. */
export function endingOf(plan: Plan, at: (id: string) => StepState, scope: Scope): Ending {
  const left = plan.steps.find(({ id, parent }) => parent === null && !isOver(at(id)));
  if (!left) return completedEnding(plan, scope);
  const failure = { code: "stuck", detail: `${left.id} waits for a step that never comes.` };
  return { status: "failed", failure, compensate: false };
}

/** Completed, with the workflow's output; failed, if that cannot be made. */
export function completedEnding({ definition: { output } }: Plan, scope: Scope): Ending {
  try {
    return { status: "completed", compensate: false, ...(output && { output: resolveAll(output, scope) }) };
  } catch (error) {
    const failure = failureOfFault(error, "output: ");
    return { status: "failed", failure, compensate: false };
  }
}
