import type { JudgedAnswer, Trainer, TrainingExample, TrainingResult } from "@aos/builtin-model";
import { GatheringHindered } from "../../../../kernel/skill-runner.ts";
import { findSkillModel } from "../model-store.ts";
import type { TrainingEnding } from "../operations/finish-training.ts";
import { type Measured, metricsOf } from "../rules.ts";
import type { TrainingPair } from "../schemas.ts";
import { keepArtifact, reportTraining } from "../store.ts";
import { type Attempt, gatherExamples, type Material, TrainingFailed } from "./attempt.ts";

const atOnce = 200;
/** Shares of the whole for `progress`. */
const shares = { gathering: 0.3, training: 0.9 };

/** Trains the built-in model: looks up what the skill's reading tools find for each example, learns, and measures on what was held out. */
export async function learn(attempt: Attempt): Promise<TrainingEnding> {
  const { db, row, held, trainer, signal } = attempt;
  const material = await gatherExamples(attempt);
  const { split, request, skill } = material;
  const all = await withRecords(attempt, material);
  const train = all.slice(0, split.train.length);
  const heldOut = all.slice(split.train.length);
  const output = skill.output ?? { type: "object" };
  const before = await findSkillModel({ scope: held, db }, row.base_version_id, row.skill);
  const result = await trained(attempt, { output, train, heldOut, seed: request.seed });
  signal.throwIfAborted();
  attempt.progress("measuring", shares.training);
  const base = await forPeople(trainer.evaluate(before?.artifact ?? null, output, heldOut, result.yardstick));
  const measured = pairsOf(base, result.heldOut);
  const metrics = metricsOf(measured, "whether all that can be learnt is right", fieldsOf(result));
  await reportTraining(db, held, { metrics, seconds: Math.round(result.seconds * 1000) / 1000 });
  if (before?.digest === result.digest)
    return { kind: "done", phase: "nothing new: the same model came out", outcomes: [] };
  await keepArtifact(db, held, result.artifact, result.digest);
  return { kind: "learnt", outcomes: measured.map(({ after, probability }) => ({ outcome: after, probability })) };
}

async function withRecords(
  { skills, row, held, signal, pauseMs, progress }: Attempt,
  { request, split, skill }: Material,
): Promise<TrainingExample[]> {
  const pairs: readonly TrainingPair[] = [...split.train, ...split.heldOut];
  if ((skill.tools ?? []).length === 0) return pairs.map((pair) => ({ ...pair, records: {} }));
  const found: TrainingExample[] = [];
  for (let from = 0; from < pairs.length; from += atOnce) {
    progress("looking up records", (shares.gathering * from) / pairs.length);
    const part = pairs.slice(from, from + atOnce);
    const gathering = skills.gather({
      scope: { organization: held.organization, environment: held.environment },
      versionId: row.base_version_id,
      skill: row.skill,
      seed: request.seed,
      signal,
      pauseMs,
      inputs: part.map(({ input }) => input),
    });
    const records = await gathering.catch(endHindered);
    signal.throwIfAborted();
    found.push(...part.map(({ input, output }, index) => ({ input, output, records: records[index] ?? {} })));
  }
  return found;
}

/** Examples whose records could not be looked up would teach that there are none. */
function endHindered(error: unknown): never {
  if (!(error instanceof GatheringHindered)) throw error;
  const { code, detail } = error.failure;
  const missing = "The records of the examples could not be looked up, for a reason that is not the version's own";
  throw new TrainingFailed(code, `${missing}: ${detail}`);
}

function trained(
  { trainer, signal, progress }: Attempt,
  request: Parameters<Trainer["train"]>[0],
): Promise<TrainingResult> {
  return forPeople(
    trainer.train(request, {
      signal,
      progress: (share, note) => progress(note, shares.gathering + (shares.training - shares.gathering) * share),
    }),
  );
}

/** Errors of this name are texts for people; anything else is retried. */
async function forPeople<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && error.name === "TrainingRefused")
      throw new TrainingFailed("nothing_learnt", error.message);
    throw error;
  }
}

/** Pairs of judged answers to the same example; one without a judgement is left out. */
function pairsOf(before: readonly JudgedAnswer[], after: readonly JudgedAnswer[]): Measured[] {
  return after.flatMap(({ correct, probability }, index) => {
    const base = before[index]?.correct ?? null;
    if (correct === null || probability === null || base === null) return [];
    return [{ before: base ? 1 : 0, after: correct ? 1 : 0, probability }];
  });
}

const fieldsOf = ({ fields }: TrainingResult) => fields.map((field) => ({ ...field }));
