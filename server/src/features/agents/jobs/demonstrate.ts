import { setTimeout as pause } from "node:timers/promises";
import { hindranceOf } from "../../../kernel/skill-runner.ts";
import { digestOf } from "../bundle/index.ts";
import { chooseDemonstrations } from "../demonstrations.ts";
import type { TrainingEnding } from "../operations/finish-training.ts";
import { type ProposedVersion, proposeVersion } from "../operations/propose-version.ts";
import { expectsAnything, type Measured, metricsOf, outputScore } from "../training-model.ts";
import type { TrainingPair } from "../training-schemas.ts";
import {
  insertTrainingResult,
  listTrainingResults,
  reportTraining,
  type TrainingResultRow,
} from "../training-store.ts";
import { type Attempt, gatherExamples, TrainingFailed } from "./attempt.ts";

/**
 * For a provider's model, which cannot be trained here: chooses the examples that it is shown, and runs the skill with and without them on examples that were
 * held out, as far as the budget goes. Each run is kept, so that a job which goes on after a crash pays for none twice.
 */
export async function demonstrate(attempt: Attempt): Promise<TrainingEnding> {
  const { db, row, held, inside } = attempt;
  const { request, split, skill } = await gatherExamples(attempt);
  const { chosen, tokens } = chooseDemonstrations(split.train, request.budget.prompt_tokens);
  if (chosen.length === 0) {
    throw new TrainingFailed(
      "budget_too_small",
      `No example fits into ${request.budget.prompt_tokens} tokens; raise \`budget.prompt_tokens\`.`,
    );
  }
  await reportTraining(db, held, { demonstrations: { chosen: chosen.length, prompt_tokens: tokens } });
  if (row.version_id === null && digestOf(skill.examples ?? []) === digestOf(chosen)) {
    return { kind: "done", phase: "nothing new: the skill is shown these examples already", outcomes: [] };
  }
  const candidate = await inside(proposeVersion, held, {
    training: row.id,
    attempt: row.attempt,
    demonstrations: chosen,
  });
  const measured = await measure(attempt, split.heldOut, candidate, request);
  await reportTraining(db, held, {
    metrics: metricsOf(measured, "share of what was expected that the output says", []),
  });
  return { kind: "done", phase: "done", outcomes: measured.map(({ after }) => ({ outcome: after })) };
}

/** How often a run is tried that something else than its version hinders. */
const tries = 3;

interface Spending {
  readonly budget: { readonly runs: number; readonly cost_usd: number };
  readonly seed: number;
}

/** Runs held-out examples by both versions, in pairs, until runs or money are used up. What an earlier attempt has run counts. */
async function measure(
  attempt: Attempt,
  heldOut: readonly TrainingPair[],
  candidate: ProposedVersion,
  spending: Spending,
): Promise<Measured[]> {
  const { db, row, held, signal, progress } = attempt;
  const known = new Map((await listTrainingResults(db, held)).map((one) => [`${one.version_id} ${one.item}`, one]));
  const { runs, cost_usd } = spending.budget;
  const cases = heldOut.map((pair, item): Case => ({ item, pair })).filter(({ pair }) => expectsAnything(pair.output));
  const items = Math.min(cases.length, Math.floor(runs / 2));
  let spent = [...known.values()].reduce((sum, one) => sum + one.cost_usd, 0);
  const measured: Measured[] = [];
  for (const [at, one] of cases.slice(0, items).entries()) {
    progress("measuring", 0.1 + (0.9 * at) / items);
    const sides: number[] = [];
    for (const version of [row.base_version_id, candidate.id]) {
      signal.throwIfAborted();
      const before = known.get(`${version} ${one.item}`);
      if (before === undefined && spent >= cost_usd && spent > 0) return measured;
      const result = before ?? (await runOnce(attempt, candidate, version, one, spending.seed));
      if (before === undefined) spent += result.cost_usd;
      sides.push(result.correct);
    }
    measured.push({ before: sides[0]!, after: sides[1]! });
  }
  return measured;
}

/** A held-out example, and by what it is told from the others. */
interface Case {
  readonly item: number;
  readonly pair: TrainingPair;
}

/**
 * A run that fails by the version's own doing says nothing of what was expected. Where something else stands in the way, it is tried again, nothing is kept of it,
 * and in the end the job fails with that: an outage is no evidence.
 */
async function runOnce(
  attempt: Attempt,
  candidate: ProposedVersion,
  version: string,
  { item, pair }: Case,
  seed: number,
): Promise<TrainingResultRow> {
  const { skills, db, row, held, signal, pauseMs } = attempt;
  const scope = { organization: held.organization, environment: held.environment };
  let cost = 0;
  for (let tried = 1; ; tried++) {
    const outcome = await skills.run({ scope, versionId: version, skill: row.skill, seed, signal, input: pair.input });
    cost += outcome.usage.costUsd;
    const hindrance = hindranceOf(outcome);
    if (hindrance === null) {
      const correct = outcome.kind === "completed" ? outputScore(pair.output, outcome.output) : 0;
      const result = { version_id: version, item, correct, cost_usd: cost };
      await insertTrainingResult(db, held, result);
      return result;
    }
    if (tried >= tries) {
      const made = `Version ${candidate.number} was made, but could not be measured against version ${row.base_number}`;
      throw new TrainingFailed(hindrance.code, `${made}, for a reason that is not its own: ${hindrance.detail}`);
    }
    await pause(pauseMs * tried, undefined, { signal });
  }
}
