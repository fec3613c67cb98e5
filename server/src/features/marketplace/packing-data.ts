import { type Decider, unite } from "../../kernel/actor.ts";
import type { WriteContext } from "../../kernel/context.ts";
import {
  authorsOfDataset,
  findDataset,
  findPortableGate,
  findPortableScorers,
  type PortableDataset,
  type PortableGate,
  type PortableScorer,
  readPortableItems,
  scoreOf,
  scorerDefinition,
} from "../evaluations/public.ts";
import type { DatasetItem } from "../evaluations/schemas.ts";
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

// Training examples, datasets, scorers and gates as files.

const unknownDataset = { code: "unknown_dataset", detail: "names no dataset, neither by id nor by name" };

/** The datasets that a body names; with `agent`, each has to be of this agent. */
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

/** A dataset with its items. */
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
    ...{ name, skill },
    ...(description !== "" && { description }),
    data: dataOf(said, name),
  }));
  return [
    ["datasets.json", jsonFile(entries)],
    ...sets.map(({ set, items }) => [`datasets/${set.name}.jsonl`, linesFile(items)] as [string, Uint8Array]),
  ];
}

/** Refuses words about datasets that are not packed. */
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

/** A source of kind `dataset`. */
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

/** A source of kind `scorer`. */
export async function packScorers(ctx: WriteContext, names: readonly string[]): Promise<Packed> {
  const find = async (name: string): Promise<PortableScorer | undefined> => (await findPortableScorers(ctx, [name]))[0];
  const scorers = await findAll(names, "/source/scorers", find, { code: "unknown_scorer", detail: "names no scorer" });
  return { files: new Map([["scorers.json", jsonFile(scorers)]]), connections: [], deciders: [] };
}

/** What an agent is measured by. */
export interface PackedEvaluation {
  readonly files: readonly [string, Uint8Array][];
  readonly datasets: readonly Filled[];
  /** With those of its datasets and scorers that go along; null: none. */
  readonly gate: PortableGate | null;
}

/** Datasets of an agent's evaluation, by default those of its gate, in the versions that the gate pins; with the gate as far as it judges by them. */
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

/** A gate with those of its datasets that go along, and the scorers that have something to say of them; null where none is left. */
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

/** `training/<skill>.jsonl`: what the items of datasets of an agent say is right. */
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
