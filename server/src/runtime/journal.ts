import { canonicalJson } from "@aos/strict-json";
import { agentPaused, budgetExhausted, killSwitchEngaged, policyBlocked } from "../kernel/problems.ts";
import type { Unfinished } from "./endings.ts";
import type { Loop } from "./loop.ts";
import type { Edited, Failure, JournalStep, Kept, RunHold, StepSpec, Using } from "./port.ts";

// What an earlier part of a run left in the journal, and how steps that are not made end a run.

/** What came of a step before; `again`: it began, and may be made again. Undefined: it was not made, or was another one. */
export type Replayed =
  | (Edited & { readonly kind: "finished"; readonly output: unknown })
  | (Edited & { readonly kind: "failed"; readonly failure: Failure })
  | { readonly kind: "again" };

/** Codes of calls that were not made, and after which the run did not go on: people found that it did not happen, a stop or pause, a policy or a budget. */
const notMade: ReadonlySet<string> = new Set([
  "interrupted",
  ...[killSwitchEngaged, agentPaused, policyBlocked, budgetExhausted].map(({ code }) => code),
]);

/**
 * The result of this very step, where an earlier part of the run has it: what finished never runs again. One that failed stands where the run went on
 * after it, since what followed rests on it; the last one is made again if it was a turn, or a call that was not made. Any other call that failed stands: the
 * model was informed of it, and may have had people asked about its next call since, whose approval is not this one's.
 */
export function replayOf({ earlier, last }: Pick<Loop, "earlier" | "last">, step: StepSpec): Replayed | undefined {
  const made = earlier.get(step.number);
  if (!made || !isSame(made, step)) return undefined;
  if (made.state === "finished") return { kind: "finished", output: made.output, ...editedOf(made) };
  if (made.state !== "failed") return { kind: "again" };
  const { failure } = made;
  const stands = failure && (step.number < last || (step.kind === "tool" && !notMade.has(failure.code)));
  return stands ? { kind: "failed", failure, ...editedOf(made) } : undefined;
}

/** That people had other arguments put in place, where they had. */
export const editedOf = ({ edited }: Edited): Edited => (edited ? { edited } : {});

const isSame = (made: JournalStep, { kind, name, input }: StepSpec): boolean =>
  made.kind === kind && made.name === name && canonicalJson(made.input) === canonicalJson(input);

/** A run that ends without a result. */
export const over = (failure: Failure): Unfinished => ({ kind: "failed", failure });

/** A run against which a stop or pause stands. */
export const heldAt = (hold: Exclude<RunHold, "go">, using: Using): Unfinished =>
  hold === "stop" ? { kind: "held", ...using } : { kind: "given_back" };

/** How a step that was not made ends its run. */
export function keptAs(kept: Kept, using: Using): Unfinished {
  if (kept.kind === "lost") return kept;
  if (kept.kind === "later") return { kind: "given_back", seconds: kept.seconds };
  return kept.kind === "refused" ? { kind: "blocked", failure: kept.failure } : heldAt(kept.hold, using);
}
