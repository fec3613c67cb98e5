import type { PolicyDefinition } from "./facts.ts";

/** A policy as somebody states it, before it is saved: nothing of it is checked. */
export interface StatedPolicy extends PolicyDefinition {
  readonly id: string;
  readonly version: number;
  readonly state: "draft" | "shadow" | "active" | "retired";
  /** Milliseconds since the epoch; null: no bound. */
  readonly effective_from: number | null;
  readonly effective_until: number | null;
}

/** One fault of a policy. `line` and `column` count from 1, `offset` from 0 in UTF-16 units; they are there where `pointer` is `/when`. */
export interface StatedFault {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
  readonly line?: number;
  readonly column?: number;
  readonly offset?: number;
}

/** What this slice needs of the machine that compiles and evaluates policies. */
export interface PolicyPort {
  /** Everything that keeps the policy from being saved, all at once; nothing where it is well stated. Never throws. */
  faults(policy: StatedPolicy): readonly StatedFault[];
}
