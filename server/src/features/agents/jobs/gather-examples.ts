import { compileUserSchema } from "@aos/json-schema";
import type { Statements } from "../../../kernel/machines.ts";
import type { Seals } from "../../../kernel/seals.ts";
import type { SkillDefinition } from "../definition.ts";
import { trainingSources } from "../ports.ts";
import { listEarlierTrainings } from "../training-history.ts";
import type { DatedPair, ExampleSources } from "../training-model.ts";
import { TRAINING_LIMITS, type TrainingPair } from "../training-schemas.ts";
import {
  datasetsOf,
  type HeldTraining,
  readGivenExamples,
  type TrainingRequestText,
  type TrainingRow,
} from "../training-store.ts";

// Where examples of a training job come from, each with when its label was given.

type Pinned = ReturnType<typeof datasetsOf>[number];

export interface Gathering {
  readonly db: Statements;
  readonly seals: Seals;
  readonly row: TrainingRow;
  readonly held: HeldTraining;
  readonly request: TrainingRequestText;
  readonly skill: SkillDefinition;
}

/** The examples of all sources as they were when the job was asked for, and how many tasks are left out because they were changed. */
export async function examplesOf(
  given: Gathering,
): Promise<{ readonly sources: ExampleSources; readonly notIntact: number }> {
  const { db, row, held, request, skill } = given;
  const { examples: feedback, notIntact } = await taught(given);
  const now = row.created_at.getTime();
  const named = datasetsOf(request);
  const sources = {
    given: (await readGivenExamples(db, held, held.id)).map((pair) => ({ ...pair, at: now })),
    feedback,
    dataset: await itemsOf(db, held, named),
    earlier: request.earlier === true ? await earlierExamples(given, named) : [],
    definition: (skill.examples ?? []).map((pair) => ({ ...pair, at: 0 })),
  };
  return { sources, notIntact };
}

async function taught({
  db,
  seals,
  held: scope,
  row: { agent, skill },
  request: { feedback_before: before },
}: Gathering) {
  if (before === null) return { examples: [], notIntact: 0 };
  return trainingSources().listTaught({ db, seals, scope }, { agent, skill, before, most: TRAINING_LIMITS.feedback });
}

/** What earlier trainings of the version were given, by their datasets too. What no longer fits the skill is left out. */
async function earlierExamples(
  { db, row: { agent, skill: name, base_number: version }, held, skill, request }: Gathering,
  named: readonly Pinned[],
): Promise<DatedPair[]> {
  const seen = new Set(named.map(({ id }) => id));
  const pairs: DatedPair[] = [];
  for (const { id, datasets, at } of await listEarlierTrainings(db, held, { agent, skill: name, version })) {
    pairs.push(...(await readGivenExamples(db, held, id)).map((pair) => ({ ...pair, at })));
    const further = request.earlier_datasets === true ? datasets.filter((one) => !seen.has(one.id)) : [];
    pairs.push(...(await itemsOf(db, held, further)));
    for (const one of further) seen.add(one.id);
  }
  const fits = fitsOf(skill);
  return pairs.filter(fits);
}

function fitsOf({ input, output }: SkillDefinition): (pair: TrainingPair) => boolean {
  const [takes, answers] = [compileUserSchema(input), compileUserSchema(output ?? {})];
  return (pair) =>
    (!takes.ok || takes.validate(pair.input).length === 0) &&
    (!answers.ok || answers.validate(pair.output).length === 0);
}

async function itemsOf(
  db: Statements,
  { organization }: HeldTraining,
  datasets: readonly Pinned[],
): Promise<DatedPair[]> {
  const pairs: DatedPair[] = [];
  for (const { id, version } of datasets) {
    for await (const items of trainingSources().readItems(db, organization, id, version)) {
      for (const { input, expected, at } of items)
        if (Object.keys(expected).length > 0) pairs.push({ input: { ...input }, output: { ...expected }, at });
    }
  }
  return pairs;
}
