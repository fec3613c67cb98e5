import { wake } from "../../../../jobs/queue.ts";
import { Refusal } from "../../../../kernel/errors.ts";
import type { Sweep } from "../../../../kernel/machines.ts";
import { type Environment, environments } from "../../../../kernel/principal.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { whyGivenUp } from "../../../../kernel/service-faults.ts";
import { agentArchived, noVersion, trainerNotPermitted } from "../../errors.ts";
import { whyTrainerMayNot } from "../candidate.ts";
import { finishTraining, type TrainingEnding } from "../operations/finish-training.ts";
import { trainingJob } from "../rules.ts";
import {
  claimTraining,
  giveBackTraining,
  type HeldTraining,
  listIdleTraining,
  mostAttempts,
  renewTraining,
  type TrainingAddress,
  type TrainingRow,
} from "../store.ts";
import { type Attempt, TrainingFailed, type TrainingParts } from "./attempt.ts";
import { demonstrate } from "./demonstrate.ts";
import { learn } from "./learn.ts";

/** How often an attempt renews its lease (milliseconds). */
const tickMs = 1_000;

/** Defaults are for production; tests change them. */
interface TrainingJobOptions {
  /** Before retrying a run that failed through no fault of its version; grows with each retry. */
  readonly pauseMs?: number;
}

/** Another worker has the job, or it was cancelled. */
class Lost extends Error {}

/**
 * The handler of the job: takes a training job up, learns or chooses, measures, and ends it with a candidate. A wake-up that finds nothing to do is no error;
 * what throws gives the job back, and the sweep wakes another worker. Runs that were measured are not made again.
 */
export function createTrainingJob(
  parts: TrainingParts,
  options: TrainingJobOptions = {},
): (payload: unknown) => Promise<void> {
  return async (payload) => {
    const address = addressOf(payload);
    const row = address && (await claimTraining(parts.db, address));
    if (!row) return;
    const held: HeldTraining = { ...address, attempt: row.attempt };
    try {
      const ending = await attempted(parts, options, row, held);
      await finish(parts, row, held, ending);
    } catch (error) {
      if (error instanceof Lost || (error instanceof Refusal && error.type.code === conflict.code)) return;
      await giveBackTraining(parts.db, held, error).catch(() => undefined); // without it the lease lapses
      throw error;
    }
  };
}

/** Refusals that no later attempt can avoid. */
const hopeless: ReadonlySet<string> = new Set([agentArchived.code, noVersion.code, trainerNotPermitted.code]);

/** A result that can become no version, because the agent was archived meanwhile, ends the job as failed. */
async function finish(
  { inside }: TrainingParts,
  { id, attempt }: TrainingRow,
  held: HeldTraining,
  ending: TrainingEnding,
): Promise<void> {
  const end = (as: TrainingEnding) => inside(finishTraining, held, { training: id, attempt, ending: as });
  try {
    await end(ending);
  } catch (error) {
    if (!(error instanceof Refusal && hopeless.has(error.type.code))) throw error;
    await end(failedBy(error));
  }
}

const failedBy = ({ type, details }: Refusal): TrainingEnding => ({
  kind: "failed",
  code: type.code,
  detail: details.detail,
});

async function attempted(
  parts: TrainingParts,
  { pauseMs = 1_000 }: TrainingJobOptions,
  row: TrainingRow,
  held: HeldTraining,
): Promise<TrainingEnding> {
  const stop = new AbortController();
  const at = { phase: "gathering examples", progress: 0 };
  const tick = async (): Promise<void> => {
    if (!(await renewTraining(parts.db, held, at))) stop.abort(new Lost());
  };
  await tick();
  const timer = setInterval(() => void tick().catch(() => undefined), tickMs); // a lease that cannot be renewed lapses
  const attempt: Attempt = {
    ...parts,
    row,
    held,
    pauseMs,
    signal: stop.signal,
    progress(phase, share) {
      at.phase = phase;
      at.progress = Math.min(1, Math.max(at.progress, share));
    },
  };
  try {
    const why = await whyTrainerMayNot({ db: parts.db, scope: held, now: parts.clock.now() }, row);
    if (why !== null) throw new TrainingFailed(trainerNotPermitted.code, `${why}.`);
    return await (row.method === "model" ? learn(attempt) : demonstrate(attempt));
  } catch (error) {
    if (stop.signal.aborted) throw stop.signal.reason;
    if (error instanceof TrainingFailed) return { kind: "failed", code: error.code, detail: error.message };
    if (error instanceof Refusal) return failedBy(error);
    throw error;
  } finally {
    clearInterval(timer);
  }
}

function addressOf(payload: unknown): TrainingAddress | undefined {
  const { organization, environment, training: id } = (payload ?? {}) as Record<string, unknown>;
  if (typeof organization !== "string" || typeof id !== "string" || !environments.includes(environment as Environment))
    return undefined;
  return { organization, environment: environment as Environment, id };
}

const most = 100;

/** Wakes workers for idle jobs, and ends those that were tried too often. */
export const trainingSweep: Sweep = {
  name: "agents.training",
  async run({ db, inside }) {
    const idle = await listIdleTraining(db, most);
    const open = idle.filter((one) => whyGivenUp(one, mostAttempts) === undefined);
    await wake(
      db,
      open.map(({ id, ...scope }) => trainingJob(scope, id)),
    );
    const faults: unknown[] = [];
    for (const { id, attempt, lost, faults: inARow, fault, ...scope } of idle) {
      const detail = whyGivenUp({ lost, faults: inARow, fault }, mostAttempts);
      if (detail === undefined) continue;
      const ending = { kind: "failed", code: "worker_lost", detail } as const;
      // One job that fails keeps no other waiting.
      await inside(finishTraining, scope, { training: id, attempt, ending }).catch((error: unknown) => {
        if (!endedElsewhere(error)) faults.push(error);
      });
    }
    if (faults.length > 0) throw new AggregateError(faults, `${faults.length} training jobs could not be given up`);
  },
};

/** Ended meanwhile. */
const endedElsewhere = (error: unknown): boolean => error instanceof Refusal && error.type.code === conflict.code;
