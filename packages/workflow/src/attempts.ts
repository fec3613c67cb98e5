import type { StepState } from "./state.ts";

/** Attempts since the run was last done again from this step, or since its start. */
export const triesOf = ({ attempt, before = 0 }: StepState): number => attempt - before;

/** What outlasts an attempt. */
export const lasting = ({ before, edited }: StepState): Pick<StepState, "before" | "edited"> => ({
  ...(before !== undefined && { before }),
  ...(edited !== undefined && { edited }),
});
