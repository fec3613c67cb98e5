import type { RunState } from "@aos/workflow";
import type { Scope } from "../../kernel/principal.ts";
import type { FrozenVersion } from "./plans.ts";
import type { DecidersBySteps } from "./run-deciders.ts";
import type { RunRow } from "./run-state.ts";

/** A run as it was when it was looked at. Every change of it raises its revision, so that an earlier one is told apart. */
export interface KnownRun {
  readonly row: RunRow;
  readonly version: FrozenVersion;
  readonly state: RunState;
  /** Who decided what its steps came to. */
  readonly deciders: DecidersBySteps;
}

/** Steps of all runs that are kept, at most; a run counts as one more. */
const mostKept = 100_000;
const kept = new Map<string, KnownRun>();
let weight = 0;

const keyOf = ({ organization, environment }: Scope, run: string): string => `${organization} ${environment} ${run}`;
const weightOf = ({ state }: KnownRun): number => state.steps.size + 1;

function drop(key: string): void {
  const known = kept.get(key);
  if (!known) return;
  kept.delete(key);
  weight -= weightOf(known);
}

/** The run if it is kept at this revision. */
export function keptRun(scope: Scope, run: string, revision: number): KnownRun | undefined {
  const known = kept.get(keyOf(scope, run));
  return known?.row.revision === revision ? known : undefined;
}

/** Keeps what was committed. The runs that were kept first go first. */
export function keepRun(scope: Scope, known: KnownRun): void {
  const key = keyOf(scope, known.row.id);
  drop(key);
  if (weightOf(known) > mostKept) return;
  kept.set(key, known);
  weight += weightOf(known);
  for (const oldest of kept.keys()) {
    if (weight <= mostKept) return;
    drop(oldest);
  }
}
