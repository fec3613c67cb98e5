import type { Scope } from "../../kernel/principal.ts";
import { resultNotIntact } from "../../kernel/problems.ts";
import type { Seals } from "../../kernel/seals.ts";
import type { Failure } from "./schemas.ts";

// What steps answered: runs go on with it, and people read it.

const use = "step output";

/** The seal of what a step answered; null where it answered nothing. `output` as it is stored. */
export function stepSeal(seals: Seals, scope: Scope, task: string, id: string, output: unknown): string | null {
  return output === undefined ? null : storedStepSeal(seals, scope, task, { id, output: JSON.stringify(output) });
}

/** The same of an answer as it is stored. */
export function storedStepSeal(
  seals: Seals,
  scope: Scope,
  task: string,
  { id, output }: { id: string; output: string },
): string {
  return seals.seal(use, scope, [task, id, output]);
}

/** Whether what stands as the answer of a step is what the service wrote. */
export function isStepIntact(
  seals: Seals,
  scope: Scope,
  task: string,
  { id, output, seal }: { readonly id: string; readonly output: string | null; readonly seal: string | null },
): boolean {
  return output === null || seals.holds(seal, use, scope, [task, id, output]);
}

/** Said of a step whose answer is not what the service wrote. */
export const stepNotIntact: Failure = {
  code: resultNotIntact.code,
  detail: "What it answered was changed in the database, and is not what was recorded.",
};
