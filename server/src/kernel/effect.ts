/** What is known of a write outside of the service. `none`: it was never sent. `refused`: its target did not carry it out. */
export type EffectOutcome = "none" | "unknown" | "done" | "refused";

/** What an attempt came to. `not_sent`: its target has received nothing. */
export type Attempted = "done" | "refused" | "not_sent" | "unknown";

declare const journalled: unique symbol;

/**
 * A write outside of the service with its one idempotency key, from before its first attempt to after its last, over resends, retries and crashes. Only the
 * journal of runs makes one (`features/tasks/steps/effect-store.ts`), in the transaction that writes down that an attempt begins.
 */
export interface Effect {
  readonly [journalled]: true;
  /** What its receiver may know it by. */
  readonly key: string;
  /** What was known before the attempt that begins. */
  readonly before: EffectOutcome;
}

/** An effect of the journal's row. Nobody but the journal calls it. */
export const effectOfRow = (row: { readonly key: string; readonly before: EffectOutcome }): Effect => row as Effect;

/**
 * What is known of an effect after an attempt. What was once unknown stays so until it is known to be done: a refusal, or a target that cannot be reached, says
 * nothing about the attempt before.
 */
export function afterAttempt(before: EffectOutcome, attempted: Attempted): EffectOutcome {
  if (attempted === "done" || attempted === "unknown") return attempted;
  if (before === "unknown" || before === "done") return before;
  return attempted === "refused" ? "refused" : before;
}
