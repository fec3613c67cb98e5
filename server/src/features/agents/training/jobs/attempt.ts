import type { Trainer } from "@aos/builtin-model";
import { compileUserSchema } from "@aos/json-schema";
import type { JobParts, Statements } from "../../../../kernel/machines.ts";
import type { PortReader } from "../../../../kernel/port.ts";
import type { Seals } from "../../../../kernel/seals.ts";
import type { SkillRunner } from "../../../../kernel/skill-runner.ts";
import type { AgentDefinition, SkillDefinition } from "../../definitions/schemas.ts";
import { trainingSources } from "../../ports.ts";
import { findDefinition } from "../../versions/store.ts";
import { listEarlierTrainings } from "../history.ts";
import { type DatedPair, type ExampleSources, leftOut, type Split, splitExamples } from "../rules.ts";
import { TRAINING_LIMITS, type TrainingPair } from "../schemas.ts";
import {
  datasetsOf,
  type HeldTraining,
  readGivenExamples,
  reportTraining,
  type TrainingRequestText,
  type TrainingRow,
  trainingJson,
} from "../store.ts";

// Where examples come from, each with the time of its label.

type Pinned = ReturnType<typeof datasetsOf>[number];

interface Gathering extends PortReader {
  readonly db: Statements;
  readonly seals: Seals;
  readonly row: TrainingRow;
  readonly held: HeldTraining;
  readonly request: TrainingRequestText;
  readonly skill: SkillDefinition;
}

/** All examples as of the request, and how many tasks are left out because they were changed. */
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
    dataset: await itemsOf(given, named),
    earlier: request.earlier === true ? await earlierExamples(given, named) : [],
    definition: (skill.examples ?? []).map((pair) => ({ ...pair, at: 0 })),
  };
  return { sources, notIntact };
}

async function taught({
  db,
  port,
  seals,
  held: scope,
  row: { agent, skill },
  request: { feedback_before: before },
}: Gathering) {
  if (before === null) return { examples: [], notIntact: 0 };
  return port(trainingSources).listTaught(
    { db, seals, scope },
    { agent, skill, before, most: TRAINING_LIMITS.feedback },
  );
}

/** From datasets too. What no longer fits the skill is left out. */
async function earlierExamples(given: Gathering, named: readonly Pinned[]): Promise<DatedPair[]> {
  const { db, row, held, skill, request } = given;
  const { agent, skill: name, base_number: version } = row;
  const seen = new Set(named.map(({ id }) => id));
  const pairs: DatedPair[] = [];
  for (const { id, datasets, at } of await listEarlierTrainings(db, held, { agent, skill: name, version })) {
    pairs.push(...(await readGivenExamples(db, held, id)).map((pair) => ({ ...pair, at })));
    const further = request.earlier_datasets === true ? datasets.filter((one) => !seen.has(one.id)) : [];
    pairs.push(...(await itemsOf(given, further)));
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
  { db, port, held: { organization } }: Gathering,
  datasets: readonly Pinned[],
): Promise<DatedPair[]> {
  const pairs: DatedPair[] = [];
  for (const { id, version } of datasets) {
    for await (const items of port(trainingSources).readItems(db, organization, id, version)) {
      for (const { input, expected, at } of items)
        if (Object.keys(expected).length > 0) pairs.push({ input: { ...input }, output: { ...expected }, at });
    }
  }
  return pairs;
}

export type TrainingParts = Pick<JobParts, "clock" | "db" | "inside" | "port" | "seals"> & {
  readonly skills: SkillRunner;
  readonly trainer: Trainer;
};

/** One attempt at a training job. */
export interface Attempt extends TrainingParts {
  readonly row: TrainingRow;
  readonly held: HeldTraining;
  /** Before retrying a run that failed through no fault of the version; grows with each retry. */
  readonly pauseMs: number;
  /** Aborted when the job is in other hands or was cancelled. */
  readonly signal: AbortSignal;
  /** `share` from 0 to 1. */
  progress(phase: string, share: number): void;
}

/** Ends a job for good, with a text for people; no other attempt would do better. */
export class TrainingFailed extends Error {
  readonly code: string;
  constructor(code: string, detail: string) {
    super(detail);
    this.code = code;
  }
}

export interface Material {
  readonly request: TrainingRequestText;
  readonly definition: AgentDefinition;
  readonly skill: SkillDefinition;
  readonly split: Split;
}

/** Every attempt gets the same: dataset and feedback are as of the request. */
export async function gatherExamples({ db, port, seals, row, held }: Attempt): Promise<Material> {
  const request = trainingJson(row, "request");
  const definition = await findDefinition(db, held.organization, row.base_version_id);
  const skill = definition?.skills.find(({ name }) => name === row.skill);
  if (!definition || !skill)
    throw new TrainingFailed("no_version", `Version ${row.base_number} of ${row.agent} can no longer be read.`);
  const { sources, notIntact } = await examplesOf({ db, port, seals, row, held, request, skill });
  const split = splitExamples(sources, request.held_out, request.seed);
  if (split.counts.used < TRAINING_LIMITS.least || split.heldOut.length === 0) {
    throw new TrainingFailed(
      "too_few_examples",
      `There are ${split.counts.used} different examples, ${split.heldOut.length} of them to measure by; it takes at least ${TRAINING_LIMITS.least}.${leftOut(notIntact)}`,
    );
  }
  await reportTraining(db, held, { examples: { ...split.counts, ...(notIntact > 0 && { not_intact: notIntact }) } });
  return { request, definition, skill, split };
}
