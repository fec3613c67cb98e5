import { nextWake, type RunState } from "@aos/workflow";
import { listWorkerGaps, lostMs, type WorkerGap } from "../../../jobs/pools.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { Scope } from "../../../kernel/principal.ts";
import type { FrozenVersion } from "../versions/plans.ts";
import type { DecidersBySteps } from "./deciders.ts";
import type { RunRow } from "./rules.ts";

/** A run as of one revision; every change raises the revision. */
export interface KnownRun {
  readonly row: RunRow;
  readonly version: FrozenVersion;
  readonly state: RunState;
  /** By the steps' results. */
  readonly deciders: DecidersBySteps;
}

/** Steps of all cached runs, at most; a run counts as one more. */
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

/** The run, if it is cached at this revision. */
export function keptRun(scope: Scope, run: string, revision: number): KnownRun | undefined {
  const known = kept.get(keyOf(scope, run));
  return known?.row.revision === revision ? known : undefined;
}

/** Caches what was committed. The oldest entries go first. */
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

/** Adds the time without live workers to runs whose time limit may be over. */
export async function withLostTime(ctx: WriteContext, runs: readonly KnownRun[]): Promise<readonly KnownRun[]> {
  const isDue = ({ version: { plan }, state }: KnownRun) => (nextWake(plan, state) ?? ctx.now + 1) <= ctx.now;
  const due = runs.filter(isDue);
  if (due.length === 0) return runs;
  const gaps = await listWorkerGaps(ctx.db, new Date(Math.min(...due.map(({ state }) => state.startedAt))));
  if (gaps.length === 0) return runs;
  return runs.map((one) =>
    isDue(one) ? { ...one, state: { ...one.state, lost: lostOf(one.state, gaps, ctx.now) } } : one,
  );
}

function lostOf(
  { startedAt, steps }: RunState,
  gaps: readonly WorkerGap[],
  now: number,
): NonNullable<RunState["lost"]> {
  const begun = [...steps].map(([id, step]) => [id, lostMs(gaps, step.startedAt ?? now, now)] as const);
  return { run: lostMs(gaps, startedAt, now), steps: Object.fromEntries(begun) };
}
