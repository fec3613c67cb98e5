import { TRAINING_LIMITS } from "../agents/schemas.ts";
import type { NextStep } from "./install-schemas.ts";

/** A step that is a call; what is left out is empty. */
export function stepOf(step: Pick<NextStep, "step" | "title" | "done"> & Partial<NextStep>): NextStep {
  return { operation: null, params: {}, body: {}, if_match: null, ...step };
}

/** Whether there are enough examples to train a skill at all. */
export const isTrainable = (examples: readonly unknown[]): boolean => examples.length >= TRAINING_LIMITS.least;
