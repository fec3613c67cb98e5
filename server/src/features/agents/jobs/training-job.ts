import { Refusal } from "../../../kernel/errors.ts";
import { type Environment, environments } from "../../../kernel/principal.ts";
import { conflict } from "../../../kernel/problems.ts";
import { agentArchived, noVersion, trainerNotPermitted } from "../errors.ts";
import { finishTraining, type TrainingEnding } from "../operations/finish-training.ts";
import { whyTrainerMayNot } from "../training-account.ts";
import {
  claimTraining,
  giveBackTraining,
  type HeldTraining,
  renewTraining,
  type TrainingAddress,
  type TrainingRow,
} from "../training-store.ts";
import { type Attempt, TrainingFailed, type TrainingParts } from "./attempt.ts";
import { demonstrate } from "./demonstrate.ts";
import { learn } from "./learn.ts";

/** How often an attempt says that it is at work, and hears that it is not to go on (milliseconds). */
const tickMs = 1_000;

/** How a training job is carried out; standards for tests to change. */
export interface TrainingJobOptions {
  /** Milliseconds before a run is tried again that something else than its version hindered; more each time. */
  readonly pauseMs?: number;
}

/** Somebody else has the job, or it was cancelled. */
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

/** Why a candidate can never be frozen, in whatever attempt. */
const hopeless: ReadonlySet<string> = new Set([agentArchived.code, noVersion.code, trainerNotPermitted.code]);

/** Ends the job. Where what it learnt can become no version, because the agent was archived meanwhile, it ends failed and says so. */
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
