import type { EffectOutcome } from "../../kernel/effect.ts";

// Which effect a call of a tool that writes is: one that an attempt before began, or a new one.

/** A write of a task, or of a workflow's step, that was not undone, with the step that made it last. */
export interface StoredEffect {
  readonly key: string;
  /** Names the call as it was made. */
  readonly action: string;
  /** Names the call as it was asked for, where people had other arguments put in place; null: as it was made. */
  readonly asked: string | null;
  readonly tool: string;
  /** Names what was sent and where, with or without a key; null: a release before did not store it. */
  readonly target: string | null;
  readonly outcome: EffectOutcome;
  readonly task_id: string;
  readonly step_id: string;
  /** The present attempt has come to it already. */
  readonly taken: boolean;
  /** JSON of its step's output; null: it has none. */
  readonly output: string | null;
  readonly edit_approval_id: string | null;
  /** Its output is what the service wrote. */
  readonly intact: boolean;
  /** Its output holds another task's placeholders, or was erased. */
  readonly hidden: boolean;
}

/**
 * `reuse`: it is done. `make`: it is sent, with the key of this effect or, where there is none, of a new one. `doubt`: people have to say first what became of
 * this one.
 */
export type EffectDecision =
  | { readonly kind: "reuse"; readonly effect: StoredEffect }
  | { readonly kind: "make"; readonly effect: StoredEffect | null }
  | { readonly kind: "doubt"; readonly effect: StoredEffect };

/**
 * What a call comes to. Each effect stands for one call, so that an attempt that makes the same write twice on purpose still does. Beside a write of which
 * nobody knows what became of it no other begins: it might be the same in other words.
 */
export function decideEffect(
  effects: readonly StoredEffect[],
  { action, target, repeatable }: { readonly action: string; readonly target: string; readonly repeatable: boolean },
): EffectDecision {
  const open = effects.filter(({ taken, outcome }) => !taken || outcome === "unknown");
  const made = open.find((effect) => effect.action === action);
  const same = made ?? open.find((effect) => effect.asked === action && effect.outcome !== "refused");
  if (same?.outcome === "done") return { kind: "reuse", effect: same };
  // One that was asked for like this and made otherwise is another call; so is one that went elsewhere, or without a key.
  const isVery = made !== undefined && (made.target === null || made.target === target);
  if (same?.outcome === "unknown" && !(repeatable && isVery)) return { kind: "doubt", effect: same };
  const other = same ? undefined : open.find(({ outcome }) => outcome === "unknown");
  if (other) return { kind: "doubt", effect: other };
  return { kind: "make", effect: made ?? null };
}
