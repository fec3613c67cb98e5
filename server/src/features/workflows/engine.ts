import { wake } from "../../jobs/queue.ts";
import { Refusal } from "../../kernel/errors.ts";
import type { JobParts } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import { conflict, notFound } from "../../kernel/problems.ts";
import { wakeRun } from "../tasks/public.ts";
import { createLanes } from "./lanes.ts";
import { advanceLoop } from "./operations/advance-loop.ts";
import { advanceRun } from "./operations/advance-run.ts";
import { cancelStep } from "./operations/cancel-step.ts";
import { refuseStep } from "./operations/refuse-step.ts";
import { startChild } from "./operations/start-child.ts";
import { type StartStep, startStep } from "./operations/start-step.ts";
import { keepRun } from "./run-cache.ts";
import { findWork, noteHeld, type StepWork } from "./run-store.ts";

type Parts = Pick<JobParts, "db" | "inside" | "clock">;

/** Looks at runs, and does outside what that comes to. */
export interface Engine {
  /** Resolves when these have been looked at and what followed is done. Runs that are asked for at the same moment are looked at together. */
  look(scope: Scope, runs: readonly string[]): Promise<void>;
}

/** Runs of one look, at most: one transaction. */
const runsAtOnce = 100;
/** Steps that one process starts at the same time. */
const startsAtOnce = 4;

/** Refusals that time may lift: the step stays begun, and is tried again. */
const passing: ReadonlySet<string> = new Set([
  "evaluation_gate_failed",
  "kill_switch_engaged",
  "agent_paused",
  "budget_exceeded",
  "audit_unavailable",
  "cost_reserved",
  "mission_budget",
  "mission_holds",
]);

export function createEngine(parts: Parts): Engine {
  const lanes = createLanes(startsAtOnce);
  const waiting = new Map<string, { scope: Scope; runs: Map<string, PromiseWithResolvers<void>> }>();

  const drain = async (key: string): Promise<void> => {
    for (let next = waiting.get(key); next; next = waiting.get(key)) {
      const some = [...next.runs].slice(0, runsAtOnce);
      for (const [run] of some) next.runs.delete(run);
      const ids = some.map(([run]) => run);
      const work = await advanced(parts, next.scope, ids).catch((error: unknown) => {
        for (const [, one] of some) one.reject(error);
        return [];
      });
      const byRun = Map.groupBy(work, ({ run }) => run);
      for (const [run, one] of some) finish(next.scope, byRun.get(run) ?? [], one);
      if (next.runs.size === 0) waiting.delete(key);
    }
  };
  const finish = (scope: Scope, work: readonly StepWork[], one: PromiseWithResolvers<void>): void => {
    const acts = work.map((step) => lanes.run(() => act(parts, scope, step)));
    Promise.all(acts).then(() => one.resolve(), one.reject);
  };

  return {
    async look(scope, runs) {
      if (runs.length === 0) return;
      const key = `${scope.organization} ${scope.environment}`;
      const open = waiting.get(key);
      const queue = open ?? { scope, runs: new Map<string, PromiseWithResolvers<void>>() };
      const ends = runs.map((run) => {
        const one = queue.runs.get(run) ?? Promise.withResolvers<void>();
        queue.runs.set(run, one);
        return one.promise;
      });
      waiting.set(key, queue);
      if (!open) void drain(key);
      await Promise.all(ends);
    },
  };
}

/** Looks at runs together, and answers what that leaves to do. Where that fails, each is looked at by itself, so that one does not hold up the others. */
async function advanced(parts: Parts, scope: Scope, runs: readonly string[]): Promise<StepWork[]> {
  try {
    const { known } = await parts.inside(advanceRun, scope, { runs });
    for (const one of known) keepRun(scope, one);
  } catch (error) {
    const [only] = runs;
    if (runs.length < 2 || only === undefined) throw error;
    const each = await Promise.allSettled(runs.map((run) => advanced(parts, scope, [run])));
    return each.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
  }
  return findWork({ scope, db: parts.db }, runs);
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
  for (const number of looked?.start ?? [])
    await begin(parts, scope, { ...work, act: kind }, { run, step, attempt, item: number });
}

async function begin(parts: Parts, scope: Scope, work: StepWork, at: StartStep): Promise<void> {
  try {
    await parts.inside<StartStep, object>(work.act === "child" ? startChild : startStep, scope, at);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code } = error.type;
    if (code === conflict.code || code === notFound.code) return;
    const failure = { code, detail: error.details.detail };
    if (passing.has(code)) await hold(parts, scope, work, failure);
    else await parts.inside(refuseStep, scope, { ...at, failure });
  }
}

const shortestPauseMs = 2_000;
const longestPauseMs = 60_000;

/** The step is tried again after a pause, the longer the longer it is held; its row says why. */
async function hold(
  { db, clock }: Parts,
  scope: Scope,
  { run, step, startedAt }: StepWork,
  why: object,
): Promise<void> {
  const now = clock.now();
  const heldMs = now - (startedAt?.getTime() ?? now);
  const again = new Date(now + Math.min(longestPauseMs, Math.max(shortestPauseMs, heldMs / 4)));
  await noteHeld({ scope, db }, run, step, { ...why, again_at: again });
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
