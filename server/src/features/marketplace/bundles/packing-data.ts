import { createHash } from "node:crypto";
import { canonicalJson } from "@aos/strict-json";
import { type Decider, unite } from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { findVersionRecord } from "../../agents/public.ts";
import {
  authorsOfDataset,
  findDataset,
  findPortableGate,
  findPortableScorers,
  gateStanding,
  type PortableDataset,
  type PortableGate,
  type PortableScorer,
  readMeasured,
  readPortableItems,
  scoreOf,
  scorerDefinition,
} from "../../evaluations/public.ts";
import type { DatasetItem } from "../../evaluations/schemas.ts";
import type { Scorecard } from "../schema-words.ts";
import {
  dataOf,
  findAll,
  invalidSource,
  jsonFile,
  linesFile,
  oneInvalid,
  type Packed,
  type SaidOfData,
} from "./packing-words.ts";

const unknownDataset = { code: "unknown_dataset", detail: "names no dataset, neither by id nor by name" };

/** With `agent`, each has to be of this agent. */
async function findDatasets(
  ctx: WriteContext,
  names: readonly string[],
  at: string,
  agent?: string,
): Promise<PortableDataset[]> {
  const found = await findAll(names, at, (name) => findDataset(ctx, name), unknownDataset);
  const faults = found.flatMap((row, index) => {
    const pointer = `${at}/${index}`;
    const first = found.findIndex(({ id }) => id === row.id);
    if (first !== index)
      return [{ pointer, code: "dataset_twice", detail: `is the same dataset as ${at}/${first}; leave one out` }];
    if (agent === undefined || row.agent === agent) return [];
    return [{ pointer, code: "foreign_dataset", detail: `is a dataset of ${row.agent}, not of ${agent}` }];
  });
  if (faults.length > 0) throw invalidSource(faults);
  return found;
}

interface Filled {
  readonly set: PortableDataset;
  readonly items: readonly DatasetItem[];
}

async function fill(ctx: WriteContext, sets: readonly PortableDataset[]): Promise<Filled[]> {
  const filled: Filled[] = [];
  for (const set of sets) filled.push({ set, items: await readPortableItems(ctx, set) });
  return filled;
}

/** `datasets.json` and a file of items for each. */
function datasetFiles(sets: readonly Filled[], said: SaidOfData): [string, Uint8Array][] {
  if (sets.length === 0) return [];
  const entries = sets.map(({ set: { name, skill, description } }) => ({
    name,
    skill,
    ...(description !== "" && { description }),
    data: dataOf(said, name),
  }));
  return [
    ["datasets.json", jsonFile(entries)],
    ...sets.map(({ set, items }) => [`datasets/${set.name}.jsonl`, linesFile(items)] as [string, Uint8Array]),
  ];
}

/** Refuses descriptions of datasets that are not packed. */
function refuseForeignWords(said: SaidOfData, names: readonly string[]): void {
  const foreign = Object.keys(said.now).find((name) => !names.includes(name));
  if (foreign === undefined) return;
  const which = names.length === 0 ? "none goes along" : `these go along: ${names.join(", ")}`;
  throw oneInvalid(
    `/data/${foreign.replaceAll("~", "~0").replaceAll("/", "~1")}`,
    "not_packed",
    `names no dataset of this bundle; ${which}`,
  );
}

export async function packDatasets(ctx: WriteContext, names: readonly string[], said: SaidOfData): Promise<Packed> {
  const sets = await fill(ctx, await findDatasets(ctx, names, "/source/datasets"));
  refuseForeignWords(
    said,
    sets.map(({ set }) => set.name),
  );
  const authors: (readonly Decider[])[] = [];
  for (const { set } of sets) authors.push(await authorsOfDataset(ctx, set.id, set.version));
  return { files: new Map(datasetFiles(sets, said)), connections: [], deciders: unite(...authors) };
}

export async function packScorers(ctx: WriteContext, names: readonly string[]): Promise<Packed> {
  const find = async (name: string): Promise<PortableScorer | undefined> => (await findPortableScorers(ctx, [name]))[0];
  const scorers = await findAll(names, "/source/scorers", find, { code: "unknown_scorer", detail: "names no scorer" });
  return { files: new Map([["scorers.json", jsonFile(scorers)]]), connections: [], deciders: [] };
}

export interface PackedEvaluation {
  readonly files: readonly [string, Uint8Array][];
  readonly datasets: readonly Filled[];
  /** With those of its datasets and scorers that are packed. */
  readonly gate: PortableGate | null;
}

/** By default the datasets of the agent's gate in their pinned versions; with the gate as far as it judges by them. */
export async function packEvaluation(
  ctx: WriteContext,
  agent: string,
  names: readonly string[] | undefined,
  said: SaidOfData,
): Promise<PackedEvaluation> {
  const gate = await findPortableGate(ctx, agent);
  const pinned = new Map(gate?.datasets.map((set) => [set.id, set]));
  const asked = names && (await findDatasets(ctx, names, "/source/datasets", agent));
  const sets = asked ? asked.map((set) => pinned.get(set.id) ?? set) : (gate?.datasets ?? []);
  const datasets = await fill(ctx, sets);
  refuseForeignWords(
    said,
    sets.map(({ name }) => name),
  );
  const packedGate = gate ? gateOver(gate, datasets) : null;
  return {
    files: [...datasetFiles(datasets, said), ...(packedGate ? gateFiles(packedGate) : [])],
    datasets,
    gate: packedGate,
  };
}

/** A gate reduced to the packed datasets and the scorers that apply to them; null if none is left. */
function gateOver(gate: PortableGate, sets: readonly Filled[]): PortableGate | null {
  const judged = sets.filter(({ set }) => gate.datasets.some(({ id }) => id === set.id));
  const items = judged.flatMap((one) => one.items);
  const scorers = gate.scorers.filter(({ scorer }) => {
    const definition = scorerDefinition(scorer);
    return items.some(({ expected = {} }) => scoreOf(definition, {}, expected) !== null);
  });
  return scorers.length === 0 ? null : { ...gate, datasets: judged.map(({ set }) => set), scorers };
}

function gateFiles({ rules, datasets, scorers }: PortableGate): [string, Uint8Array][] {
  const judges = scorers.map(({ pin: { scorer, floor, pass_at } }) => ({
    scorer,
    ...(floor !== undefined && { floor }),
    ...(pass_at !== undefined && { pass_at }),
  }));
  return [
    ["scorers.json", jsonFile(scorers.map(({ scorer }) => scorer))],
    ["gate.json", jsonFile({ datasets: datasets.map(({ name }) => name), scorers: judges, ...rules })],
  ];
}

/** `training/<skill>.jsonl`: the expected outputs of an agent's datasets. */
export async function packTraining(
  ctx: WriteContext,
  agent: string,
  names: readonly string[],
): Promise<[string, Uint8Array][]> {
  const sets = await fill(ctx, await findDatasets(ctx, names, "/source/training", agent));
  sets.forEach(({ items }, at) => {
    if (items.some(({ expected }) => expected !== undefined)) return;
    throw oneInvalid(
      `/source/training/${at}`,
      "no_examples",
      "says of no item what is right, so that nothing can be learnt from it",
    );
  });
  const bySkill = Map.groupBy(sets, ({ set }) => set.skill);
  return [...bySkill].map(([skill, ofSkill]) => {
    const examples = ofSkill.flatMap(({ items }) =>
      items.flatMap(({ input, expected }) => (expected === undefined ? [] : [{ input, output: expected }])),
    );
    return [`training/${skill}.jsonl`, linesFile(examples)];
  });
}

import packageFile from "../../../../package.json" with { type: "json" };

const sha256 = (bytes: string | Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** Of the intervals of means. */
const confidence = 0.95;

interface Measured {
  readonly version: NonNullable<Awaited<ReturnType<typeof findVersionRecord>>>;
  readonly evaluation: PackedEvaluation;
  readonly training: readonly [file: string, bytes: Uint8Array][];
  readonly said: SaidOfData;
}

/**
 * What the newest finished runs of exactly this version measured, over the datasets that go along, by the scorers of the gate that goes along; null where
 * there is no gate or no such run.
 */
export async function scorecardOf(ctx: WriteContext, measured: Measured): Promise<Scorecard | null> {
  const { version, evaluation, training, said } = measured;
  const { gate, datasets, files } = evaluation;
  if (!gate) return null;
  const results = await resultsOf(ctx, version.id, gate);
  if (results.length === 0) return null;
  const packed = new Map(files);
  return {
    model: modelOf(version.definition.model),
    datasets: datasets.map(({ set: { name }, items }) => ({
      name,
      digest: sha256(packed.get(`datasets/${name}.jsonl`) as Uint8Array),
      items: items.length,
      data: dataOf(said, name),
    })),
    training: trainingOf(training),
    results,
    gate: gateOf(ctx, version, gate),
    made_at: new Date(ctx.now).toISOString(),
    service_version: packageFile.version,
  };
}

async function resultsOf(ctx: WriteContext, versionId: string, gate: PortableGate): Promise<Scorecard["results"]> {
  const { datasets, scorers, rules } = gate;
  const digests = new Map(scorers.map(({ scorer }) => [scorer.name, scorerDigest(scorer)]));
  const asked = { scorers: scorers.map(({ pin }) => pin), repeats: rules.repeats ?? 1 };
  const results: Scorecard["results"] = [];
  for (const dataset of datasets) {
    for (const { scorer, items, score } of await readMeasured(ctx, versionId, dataset, asked)) {
      const { mean, low, high } = score;
      const about = { dataset: dataset.name, scorer, scorer_digest: digests.get(scorer) as string, items };
      results.push({ ...about, mean, low, high, confidence });
    }
  }
  return results;
}

/** SHA-256 of the canonical JSON of how a scorer scores, without name, description and samples. */
const scorerDigest = ({ kind, pointer, parameters, pass_at }: PortableScorer): string =>
  sha256(canonicalJson({ kind, pointer, parameters, pass_at }));

const modelOf = (model: Measured["version"]["definition"]["model"]): string =>
  model.provider === "builtin" ? model.provider : `${model.provider}/${model.name}`;

/** SHA-256 over `<SHA-256 of the file>  <path>` of the training files. */
function trainingOf(files: Measured["training"]): Scorecard["training"] {
  if (files.length === 0) return null;
  const lines = [...files].sort(([a], [b]) => (a < b ? -1 : 1)).map(([file, bytes]) => `${sha256(bytes)}  ${file}\n`);
  const examples = files.reduce(
    (sum, [, bytes]) => sum + Buffer.from(bytes).toString("utf8").split("\n").length - 1,
    0,
  );
  return { examples, digest: sha256(lines.join("")) };
}

function gateOf(ctx: WriteContext, { agent, id }: Measured["version"], { rules }: PortableGate): Scorecard["gate"] {
  const { floor = 0, tolerance = 0 } = rules;
  return { floor, tolerance, state: gateStanding(ctx, agent, id).state };
}
