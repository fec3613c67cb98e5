import { setTimeout as pause } from "node:timers/promises";
import { wake } from "../../../../jobs/queue.ts";
import { Refusal } from "../../../../kernel/errors.ts";
import { workLease } from "../../../../kernel/lease.ts";
import type { JobParts, Sweep } from "../../../../kernel/machines.ts";
import { type Environment, environments } from "../../../../kernel/principal.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { whyGivenUp } from "../../../../kernel/service-faults.ts";
import { hindranceOf, type SkillOutcome, type SkillRunner } from "../../../../kernel/skill-runner.ts";
import { readItems, type StoredItem } from "../../datasets/store.ts";
import { scoresOf } from "../measures.ts";
import { finishRun } from "../operations/finish-run.ts";
import { runJob, whyNotRun } from "../rules.ts";
import {
  claimRun,
  claimToGiveUp,
  giveBackRun,
  type HeldRun,
  type ItemOutcome,
  insertResult,
  listIdleRuns,
  mostTries,
  type RunAddress,
  type RunEnd,
  type RunRow,
  readDone,
  renewRun,
} from "../store.ts";

type RunJobParts = Pick<JobParts, "db" | "inside" | "clock"> & { readonly skills: SkillRunner };

/** Defaults are for production; tests change them. */
export interface RunJobOptions {
  /** Items in parallel. */
  readonly concurrency?: number;
  /** Tries of an item that fails through no fault of the version. */
  readonly tries?: number;
  /** Between tries; grows with each. */
  readonly pauseMs?: number;
  /** Milliseconds between renewals of the lease. */
  readonly renewMs?: number;
}

/** Less than a millionth of a dollar, the unit of money: sums of prices are not exact. */
const leastUsd = 5e-7;

/** Another worker has the run. */
class Lost extends Error {}

/** An item failed through no fault of the version. */
class Hindered extends Error {
  readonly failure: { readonly code: string; readonly detail: string };
  constructor(failure: { readonly code: string; readonly detail: string }) {
    super(failure.detail);
    this.failure = failure;
  }
}

/** Runs the missing items and ends the run. Each result is stored at once, so that a later worker repeats none. What throws gives the run back. */
export function createRunJob(parts: RunJobParts, options: RunJobOptions = {}): (payload: unknown) => Promise<void> {
  return async (payload) => {
    const address = addressOf(payload);
    const row = address && (await claimRun(parts.db, address));
    if (!row) return;
    const held: HeldRun = { ...address, attempt: row.attempt };
    try {
      const ending = await carryOut(parts, options, held, row);
      await parts.inside(finishRun, address, { run: row.id, attempt: row.attempt, ending });
    } catch (error) {
      if (error instanceof Lost || (error instanceof Refusal && error.type.code === conflict.code)) return;
      await giveBackRun(parts.db, held, error).catch(() => undefined); // without it the lease lapses
      throw error;
    }
  };
}

interface Open {
  readonly item: StoredItem;
  readonly repeat: number;
}

async function carryOut(parts: RunJobParts, options: RunJobOptions, held: HeldRun, row: RunRow): Promise<RunEnd> {
  const here = { db: parts.db, scope: held };
  const items = await readItems(here, row.dataset_id, row.dataset_version);
  const { done, costUsd } = await readDone(here, held.id);
  const open = missing(items, row.repeats, done).slice(0, Math.max(0, row.total - done.size));
  const budget = { spent: costUsd, usd: row.budget_usd ?? Number.POSITIVE_INFINITY };
  const stop = new AbortController();
  const lease = keepLease(parts, held, row, stop, options.renewMs ?? workLease.renewMs);
  try {
    await requirePermitted(parts, held, row);
    const left = await workOff(parts, options, { held, row, open, budget, stop });
    if (left > 0) return { state: "completed", stoppedBy: "usd", failure: null };
    return { state: "completed", stoppedBy: row.total < items.length * row.repeats ? "items" : null, failure: null };
  } catch (error) {
    if (!(error instanceof Hindered)) throw error;
    return { state: "failed", stoppedBy: null, failure: error.failure };
  } finally {
    clearInterval(lease);
  }
}

/** Repeat by repeat: a run that ends early has covered as much of the dataset as possible. */
function missing(items: readonly StoredItem[], repeats: number, done: ReadonlySet<string>): Open[] {
  return Array.from({ length: repeats }, (_, repeat) => items.map((item) => ({ item, repeat })))
    .flat()
    .filter(({ item, repeat }) => !done.has(`${repeat} ${item.name}`));
}

/** Throws if the requester may not run evaluations any longer. */
async function requirePermitted({ db, clock }: RunJobParts, scope: HeldRun, row: RunRow): Promise<void> {
  const failure = await whyNotRun({ scope, db, now: clock.now() }, row);
  if (failure !== null) throw new Hindered(failure);
}

/** Renews the lease while items run; aborts them if it is lost, or the requester may not continue. */
function keepLease(
  parts: RunJobParts,
  held: HeldRun,
  row: RunRow,
  stop: AbortController,
  everyMs: number,
): NodeJS.Timeout {
  const renew = async (): Promise<void> => {
    if (!(await renewRun(parts.db, held))) stop.abort(new Lost());
    await requirePermitted(parts, held, row).catch((error: unknown) => {
      if (error instanceof Hindered) stop.abort(error);
    });
  };
  const timer = setInterval(() => void renew().catch(() => undefined), everyMs); // one that fails is made up for by the next
  return timer.unref();
}

interface Work {
  readonly held: HeldRun;
  readonly row: RunRow;
  readonly open: readonly Open[];
  readonly budget: { spent: number; readonly usd: number };
  readonly stop: AbortController;
}

/** Runs items in parallel; returns how many were left when the budget was used up. The first error aborts the others. */
async function workOff(
  parts: RunJobParts,
  options: RunJobOptions,
  { held, row, open, budget, stop }: Work,
): Promise<number> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < open.length && budget.spent < budget.usd - leastUsd && !stop.signal.aborted) {
      const one = open[next++] as Open;
      const outcome = await runItem(parts, options, { held, row, one, budget, stop });
      if (!(await insertResult(parts.db, held, outcome))) throw new Lost();
    }
  };
  const failing = async (): Promise<void> => {
    await lane().catch((error: unknown) => {
      stop.abort(error);
      throw error;
    });
  };
  const lanes = await Promise.allSettled(Array.from({ length: options.concurrency ?? 4 }, failing));
  if (stop.signal.aborted) throw stop.signal.reason; // the first of them
  const broken = lanes.find((one) => one.status === "rejected");
  if (broken) throw broken.reason;
  return open.length - next;
}

/** Earlier tries count in cost and budget; the time is that of the last one. */
async function runItem(
  { skills }: RunJobParts,
  { tries = 3, pauseMs = 1_000 }: RunJobOptions,
  { held, row, one: { item, repeat }, budget, stop }: Omit<Work, "open"> & { readonly one: Open },
): Promise<ItemOutcome> {
  const { organization, environment } = held;
  const request = {
    scope: { organization, environment },
    versionId: row.version_id,
    skill: row.skill,
    seed: row.seed + repeat,
    signal: stop.signal,
  };
  let before = { steps: 0, tokens: 0, costUsd: 0 };
  for (let tried = 1; ; tried++) {
    const outcome = await skills.run({ ...request, input: item.input });
    const { steps, tokens, costUsd, ms } = outcome.usage;
    budget.spent += costUsd;
    const usage = {
      steps: before.steps + steps,
      tokens: before.tokens + tokens,
      costUsd: before.costUsd + costUsd,
      ms,
    };
    before = usage;
    const hindrance = hindranceOf(outcome);
    if (hindrance === null) return itemOutcome(row, item, repeat, { ...outcome, usage });
    if (tried >= tries) throw new Hindered(hindrance);
    await pause(pauseMs * tried, undefined, { signal: stop.signal });
  }
}

function itemOutcome(row: RunRow, item: StoredItem, repeat: number, outcome: SkillOutcome): ItemOutcome {
  const output = outcome.kind === "completed" ? outcome.output : null;
  return {
    item: item.name,
    repeat,
    output,
    failure: outcome.kind === "failed" ? outcome.failure : null,
    ...(outcome.kind === "completed" ? { features: outcome.features } : {}),
    scores: scoresOf(row.scorers, output, item.expected),
    ...outcome.usage,
  };
}

function addressOf(payload: unknown): RunAddress | undefined {
  const { organization, environment, run: id } = (payload ?? {}) as Record<string, unknown>;
  if (typeof organization !== "string" || typeof id !== "string" || !environments.includes(environment as Environment))
    return undefined;
  return { organization, environment: environment as Environment, id };
}

const most = 100;

/** Wakes workers for idle runs, and ends those that were tried too often. */
export const runSweep: Sweep = {
  name: "evaluations.runs",
  async run({ db, inside }) {
    const idle = await listIdleRuns(db, most);
    const open = idle.filter((one) => whyGivenUp(one, mostTries) === undefined);
    await wake(
      db,
      open.map(({ id, ...scope }) => runJob(scope, id)),
    );
    const faults: unknown[] = [];
    for (const { lost, faults: inARow, fault, ...held } of idle) {
      const detail = whyGivenUp({ lost, faults: inARow, fault }, mostTries);
      if (detail === undefined) continue;
      const attempt = await claimToGiveUp(db, held);
      if (attempt === undefined) continue;
      const failure = { code: "worker_lost", detail };
      const ending = { state: "failed", stoppedBy: null, failure } as const;
      // One run that fails keeps no other waiting.
      await inside(finishRun, held, { run: held.id, attempt, ending }).catch((error: unknown) => {
        if (!endedElsewhere(error)) faults.push(error);
      });
    }
    if (faults.length > 0) throw new AggregateError(faults, `${faults.length} runs of datasets could not be given up`);
  },
};

/** Ended meanwhile. */
const endedElsewhere = (error: unknown): boolean => error instanceof Refusal && error.type.code === conflict.code;
