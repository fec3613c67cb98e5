import type { Advanced } from "@aos/workflow";
import { wake } from "../../../jobs/queue.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { businessFailure, InfrastructureError, Refusal } from "../../../kernel/errors.ts";
import type { JobParts } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { conflict, notFound } from "../../../kernel/problems.ts";
import { wakeRun } from "../../tasks/public.ts";
import { inExpressionThread } from "../expression-threads.ts";
import { advanceLoop } from "../steps/operations/advance-loop.ts";
import { cancelStep } from "../steps/operations/cancel-step.ts";
import { refuseStep } from "../steps/operations/refuse-step.ts";
import { startChild } from "../steps/operations/start-child.ts";
import { type StartStep, startStep } from "../steps/operations/start-step.ts";
import { createBatches } from "./batches.ts";
import { type KnownRun, keepRun } from "./cache.ts";
import { advanceRun, type Computation, type Computed } from "./operations/advance-run.ts";
import { findWork, noteHeld, type StepWork } from "./store.ts";

type Parts = Pick<JobParts, "db" | "inside" | "clock">;

/** Advances runs and starts what their steps need. */
export interface Engine {
  /** Resolves when these runs have advanced and what followed is done. Runs requested at the same moment advance together. */
  look(scope: Scope, runs: readonly string[]): Promise<void>;
  /** Advances runs when they are due. What an ended process has left, the sweep finds. */
  lookWhenDue(scope: Scope, runs: readonly DueRun[]): Promise<void>;
}

/** `at`: milliseconds since the epoch. */
export interface DueRun {
  readonly run: string;
  readonly at: number;
}

/** A run due so soon gets a timer: the sweep might be late. */
const soonMs = 2_000;

/** Runs per transaction. */
const runsAtOnce = 100;
/** Advances in a row that a thread computes: something may happen meanwhile. */
const mostComputed = 5;
/** Steps that one process starts at the same time. */
const startsAtOnce = 4;

/** Temporary refusals: the step stays begun, and its start is retried. */
const passing: ReadonlySet<string> = new Set([
  "evaluation_gate_failed",
  "kill_switch_engaged",
  "agent_paused",
  "budget_exhausted",
  "cost_reserved",
  "mission_budget",
  "mission_holds",
]);

export function createEngine(parts: Parts): Engine {
  const { clock } = parts;
  const lanes = createLanes(startsAtOnce);
  const batches = createBatches(runsAtOnce, (scope, runs) => advanced(parts, scope, runs));
  const timers = createTimers(clock, (scope, run) => lookAt(scope, run));

  const lookAt = async (scope: Scope, run: string): Promise<void> => {
    let looked = await batches.of(scope, run);
    for (let looks = 0; "costly" in looked && looks < mostComputed; looks++)
      looked = await advancedThere(parts, scope, run, looked.costly);
    if ("costly" in looked) throw new Error(`${run} changed each time while its next state was computed`);
    if ("error" in looked) throw looked.error;
    const { known, work } = looked;
    const at = known?.row.wake_at?.getTime() ?? 0;
    if (at > clock.now() && at < clock.now() + soonMs) timers.set(scope, run, at);
    await Promise.all(work.map((step) => lanes.run(() => act(parts, scope, step))));
  };
  const look = async (scope: Scope, runs: readonly string[]): Promise<void> => {
    await Promise.all(runs.map((run) => lookAt(scope, run)));
  };

  return {
    look,
    async lookWhenDue(scope, runs) {
      const now = clock.now();
      for (const { run, at } of runs) if (at > now) timers.set(scope, run, at);
      await look(
        scope,
        runs.filter(({ at }) => at <= now).map(({ run }) => run),
      );
    },
  };
}

type LookedAt =
  | { readonly costly: Computation }
  | { readonly known: KnownRun | undefined; readonly work: readonly StepWork[] }
  | { readonly error: unknown };

/** Advances a run with what a thread computes for it. */
async function advancedThere(parts: Parts, scope: Scope, run: string, of: Computation): Promise<LookedAt> {
  const next = await inExpressionThread<Advanced>(scope, "advanceThere", of);
  const looked = await advanced(parts, scope, [run], new Map([[run, { of, next }]]));
  return looked.get(run) as LookedAt;
}

/** Advances runs together, and returns what to do next. If that fails, each is advanced alone, so that one does not block the others. */
async function advanced(
  parts: Parts,
  scope: Scope,
  runs: readonly string[],
  computed: ReadonlyMap<string, Computed> = new Map(),
): Promise<ReadonlyMap<string, LookedAt>> {
  try {
    const { known, costly } = await parts.inside(advanceRun, scope, { runs, computed });
    for (const one of known) keepRun(scope, one);
    const byRun = new Map(known.map((one) => [one.row.id, one]));
    const work = Map.groupBy(await findWork({ scope, db: parts.db }, runs), ({ run }) => run);
    const lookedAt = (run: string): LookedAt => {
      const left = costly.get(run);
      return left ? { costly: left } : { known: byRun.get(run), work: work.get(run) ?? [] };
    };
    return new Map(runs.map((run) => [run, lookedAt(run)]));
  } catch (error) {
    if (runs.length === 1) return new Map(runs.map((run) => [run, { error }]));
    const each = await Promise.all(runs.map((run) => advanced(parts, scope, [run])));
    return new Map(each.flatMap((one) => [...one]));
  }
}

async function act(parts: Parts, scope: Scope, work: StepWork): Promise<void> {
  const { run, step, attempt } = work;
  const at = { run, step, attempt };
  if (work.act === "cancel") await unlessGone(parts.inside(cancelStep, scope, at));
  else if (work.act === "loop") await advanceItems(parts, scope, work);
  else await begin(parts, scope, work, at);
}

async function advanceItems(parts: Parts, scope: Scope, work: StepWork): Promise<void> {
  const { run, step, attempt, item: kind } = work;
  const looked = await unlessGone(parts.inside(advanceLoop, scope, { run, step, attempt }));
  const left = [...(looked?.start ?? [])];
  const lane = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift())
      await begin(parts, scope, { ...work, act: kind }, { run, step, attempt, item });
  };
  await Promise.all(Array.from({ length: startsAtOnce }, lane));
}

async function begin(parts: Parts, scope: Scope, work: StepWork, at: StartStep): Promise<void> {
  try {
    await parts.inside<StartStep, object>(work.act === "child" ? startChild : startStep, scope, at);
  } catch (error) {
    if (error instanceof InfrastructureError) return hold(parts, scope, work, faultOf(error));
    const failure = businessFailure(error);
    const { code } = failure;
    if (code === conflict.code || code === notFound.code) return;
    if (passing.has(code)) await hold(parts, scope, work, failure);
    else await parts.inside(refuseStep, scope, { ...at, failure });
  }
}

/** The failure of a start as its row says it; it is retried until it succeeds or the run ends. */
const faultOf = ({ refusal }: InfrastructureError): object => ({
  code: refusal.type.code,
  detail: `The service could not start it and tries again. ${refusal.details.detail}`,
});

const shortestPauseMs = 2_000;
const longestPauseMs = 60_000;

/** Retries the start after a pause that grows with the time it is held; the row says why. */
async function hold(
  { db, clock }: Parts,
  scope: Scope,
  { run, step, attempt, startedAt }: StepWork,
  why: object,
): Promise<void> {
  const now = clock.now();
  const heldMs = now - (startedAt?.getTime() ?? now);
  const again = new Date(now + Math.min(longestPauseMs, Math.max(shortestPauseMs, heldMs / 4)));
  await noteHeld({ scope, db }, { run, step, attempt }, { ...why, again_at: again });
  await wake(db, [{ ...wakeRun(scope, run), key: `held ${run}`, runAt: again }]);
}

/** The step is over, or its run is gone. */
async function unlessGone<T>(done: Promise<T>): Promise<T | undefined> {
  try {
    return await done;
  } catch (error) {
    if (error instanceof Refusal && (error.type.code === conflict.code || error.type.code === notFound.code))
      return undefined;
    throw error;
  }
}

/** Timers of runs in this process. They hold no place of the queue and no connection. */
interface Timers {
  /** Calls back when a run is due (milliseconds since the epoch). A second timer for the same moment is ignored. */
  set(scope: Scope, run: string, at: number): void;
}

function createTimers(clock: Clock, look: (scope: Scope, run: string) => Promise<void>): Timers {
  const running = new Set<string>();
  return {
    set(scope, run, at) {
      const key = `${scope.organization} ${scope.environment} ${run} ${at}`;
      if (running.has(key)) return;
      running.add(key);
      // A timer may fire a moment early by the clock.
      const fire = (): void => {
        const left = at - clock.now();
        if (left > 0) return void setTimeout(fire, Math.ceil(left)).unref();
        running.delete(key);
        look(scope, run).catch(() => undefined); // reported where it failed; the sweep finds the run due
      };
      setTimeout(fire, Math.ceil(at - clock.now())).unref();
    },
  };
}

/** Limits how many pieces of work run at the same time. */
export interface Lanes {
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createLanes(count: number): Lanes {
  const waiting: (() => void)[] = [];
  let free = count;
  return {
    async run(work) {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else free += 1;
      }
    },
  };
}
