import { createHash } from "node:crypto";
import type { BundleFiles } from "@aos/bundle";
import { Type } from "typebox";
import type { Fault } from "../../../kernel/errors.ts";
import { closed } from "../../../kernel/schema-words.ts";
import type { AgentBundle } from "../../agents/public.ts";
import {
  gateFaults,
  itemFaults,
  namedTwice,
  scoreOf,
  scorerDefinition,
  scorerFaults,
} from "../../evaluations/public.ts";
import {
  DATASET_LIMITS,
  DatasetItem,
  DatasetName,
  ScorerName,
  SetGateBody,
  SetScorerBody,
  SkillName,
} from "../../evaluations/schemas.ts";
import {
  checks,
  fileRefused,
  filesIn,
  type Json,
  oneFault,
  placedAt,
  readJsonFile,
  readLines,
  refuseFile,
  sameNames,
} from "./contents-files.ts";

/** For a dataset about which its publisher says nothing. */
export const NO_DATA_SAID = "Not said by its publisher.";

const MOST_DATASETS = 50;
const Words = (maxLength: number) => Type.Optional(Type.String({ maxLength }));
const DatasetEntry = Type.Object(
  {
    name: DatasetName,
    skill: SkillName,
    // As the publisher calls it; the installer's name counts.
    agent: Words(64),
    description: Words(2000),
    data: Words(2000),
  },
  closed,
);
const JsonObject = Type.Record(Type.String(), Type.Unknown());
const Example = Type.Object({ input: JsonObject, output: JsonObject }, closed);
const Trial = Type.Object(
  { skill: SkillName, input: JsonObject, expect: Words(2000), output: Type.Optional(JsonObject) },
  closed,
);

const entryFaults = checks(Type.Array(DatasetEntry, { minItems: 1, maxItems: MOST_DATASETS }));
const itemForm = checks(DatasetItem);
const exampleForm = checks(Example);
const trialForm = checks(Type.Array(Trial, { maxItems: 50 }));
const scorerList = checks(Type.Array(Type.Object({ name: ScorerName }), { minItems: 1, maxItems: MOST_DATASETS }));
const scorerForm = checks(SetScorerBody);
const gateForm = checks(SetGateBody);

type Skills = AgentBundle["skills"];
type Items = Parameters<typeof itemFaults>[0];

/** Faults of items against their skill; none are known for a skill outside the bundle. */
function unfitItems(items: Items, skill: string, skills: Skills | null): Fault[] {
  const known = skills?.find(({ name }) => name === skill);
  return known ? itemFaults(items, { input: known.input, output: known.output ?? null }) : [];
}

/** Names the line of the first fault. */
function refuseItems(file: string, faults: readonly Fault[]): void {
  const [, at] = /^\/items\/(\d+)/.exec(faults[0]?.pointer ?? "") ?? [];
  refuseFile(file, faults, at === undefined ? undefined : Number(at) + 1);
}

const noSkill = (skill: string): string =>
  `is of the skill ${skill}, which agent.yaml does not have; correct the name, or leave it out`;
const isForeign = (skill: string, skills: Skills | null): boolean =>
  skills !== null && !skills.some(({ name }) => name === skill);

/** `training/<skill>.jsonl`. */
export function readTraining(files: BundleFiles, skills: Skills) {
  return filesIn(files, "training", ".jsonl").map(([skill, file]) => {
    if (isForeign(skill, skills)) throw fileRefused(file, oneFault("unknown_skill", noSkill(skill)));
    const examples = readLines<{ input: Json; output: Json }>(file, files.get(file) as Uint8Array, exampleForm);
    const items = examples.map(({ input, output }) => ({ input, expected: output }));
    refuseItems(file, [...tooMany(examples.length), ...unfitItems(items, skill, skills)]);
    return { skill, file, examples };
  });
}

const tooMany = (items: number): Fault[] =>
  items > DATASET_LIMITS.items ? oneFault("too_many_items", `has ${items} lines; at most ${DATASET_LIMITS.items}`) : [];

/** `datasets.json` with a file of items for each. `skills`: those of the bundle's agent; null if the installer names the agent. */
export function readDatasets(files: BundleFiles, skills: Skills | null) {
  const listed = readJsonFile(files, "datasets.json");
  if (listed !== undefined) refuseFile("datasets.json", entryFaults(listed));
  const entries = (listed ?? []) as { name: string; skill: string; description?: string; data?: string }[];
  refuseFile("datasets.json", [
    ...sameNames(
      entries.map(({ name }) => name),
      (at) => `/${at}/name`,
    ),
    ...entries.flatMap(({ skill }, at) =>
      isForeign(skill, skills) ? oneFault("unknown_skill", noSkill(skill), `/${at}/skill`) : [],
    ),
  ]);
  const extra = filesIn(files, "datasets", ".jsonl").find(([name]) => !entries.some((entry) => entry.name === name));
  if (extra)
    throw fileRefused(extra[1], oneFault("not_listed", "stands not in datasets.json; add it there, or leave it out"));
  return entries.map(({ name, skill, description = "", data = NO_DATA_SAID }) => {
    const file = `datasets/${name}.jsonl`;
    const bytes = files.get(file);
    if (!bytes) throw fileRefused(file, oneFault("file_missing", "is missing, and datasets.json lists it"));
    const items = readLines<Json>(file, bytes, itemForm);
    const given = items as unknown as Items;
    refuseItems(file, [...tooMany(items.length), ...namedTwice(items), ...unfitItems(given, skill, skills)]);
    const digest = createHash("sha256").update(bytes).digest("hex");
    return { name, skill, description, data, file, digest, items };
  });
}

/** `scorers.json`, tested by the samples. */
export function readScorers(files: BundleFiles): (Json & { readonly name: string })[] {
  const listed = readJsonFile(files, "scorers.json");
  if (listed === undefined) return [];
  refuseFile("scorers.json", scorerList(listed));
  const scorers = listed as (Json & { readonly name: string })[];
  const faults = scorers.flatMap(({ name: _, ...body }, at) => {
    const form = scorerForm(body);
    return placedAt(`/${at}`, form.length > 0 ? form : scorerFaults(body as never));
  });
  const names = scorers.map(({ name }) => name);
  refuseFile("scorers.json", [...sameNames(names, (at) => `/${at}/name`), ...faults]);
  return scorers;
}

/** `gate.json`, over datasets and scorers of the bundle alone. */
export function readGate(
  files: BundleFiles,
  datasets: ReturnType<typeof readDatasets>,
  scorers: ReturnType<typeof readScorers>,
): Json | null {
  const gate = readJsonFile(files, "gate.json");
  if (gate === undefined) return null;
  refuseFile("gate.json", gateForm(gate));
  const body = gate as SetGateBody;
  refuseFile("gate.json", [...consequences(body), ...gateFaults(body), ...foreignParts(body, datasets, scorers)]);
  return gate as Json;
}

/** A gate applies as soon as it is installed, so a bundle may not let bad results go live. */
const consequences = (body: SetGateBody): Fault[] =>
  (["on_missing", "table"] as const).flatMap((member) =>
    body[member] === undefined
      ? []
      : oneFault("excluded", "cannot stand in a bundle; what follows is for the environment to say", `/${member}`),
  );

function foreignParts(
  body: SetGateBody,
  datasets: ReturnType<typeof readDatasets>,
  scorers: ReturnType<typeof readScorers>,
): Fault[] {
  const missing = (name: string, file: string, pointer: string): Fault[] =>
    oneFault("not_in_bundle", `names ${name}, which ${file} does not have; add it, or leave it out`, pointer);
  const pinned = "pins a version, which differs in each installation; give the name alone";
  const expected = body.datasets.flatMap((one) => datasets.find(({ name }) => name === one)?.items ?? []);
  return [
    ...body.datasets.flatMap((one, at) => {
      if (typeof one !== "string") return oneFault("pinned_version", pinned, `/datasets/${at}`);
      return datasets.some(({ name }) => name === one) ? [] : missing(one, "datasets.json", `/datasets/${at}`);
    }),
    ...body.scorers.flatMap(({ scorer, version }, at) => {
      if (version !== undefined) return oneFault("pinned_version", pinned, `/scorers/${at}/version`);
      const known = scorers.find(({ name }) => name === scorer);
      if (!known) return missing(scorer, "scorers.json", `/scorers/${at}/scorer`);
      const definition = scorerDefinition(known as never);
      if (expected.some((item) => scoreOf(definition, {}, item.expected ?? {}) !== null)) return [];
      const silent = "scores no item of the datasets: none expects anything at the place that it compares";
      return oneFault("silent_scorer", silent, `/scorers/${at}/scorer`);
    }),
  ];
}

/** `try.json`. */
export function readTrials(files: BundleFiles, skills: Skills | null): Json[] {
  const listed = readJsonFile(files, "try.json");
  if (listed === undefined) return [];
  refuseFile("try.json", trialForm(listed));
  const trials = listed as { skill: string; input: Json; output?: Json }[];
  const faults = trials.flatMap(({ skill, input, output }, at) => {
    if (isForeign(skill, skills)) return oneFault("unknown_skill", noSkill(skill), `/${at}/skill`);
    const unfit = unfitItems([{ input, ...(output && { expected: output }) }] as Items, skill, skills);
    return unfit.map((fault) => ({
      ...fault,
      pointer: (fault.pointer ?? "").replace("/items/0", `/${at}`).replace("/expected", "/output"),
    }));
  });
  refuseFile("try.json", faults);
  return trials as unknown as Json[];
}
