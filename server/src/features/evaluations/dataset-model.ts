import { compileUserSchema } from "@aos/json-schema";
import { escapeToken } from "@aos/strict-json";
import type { Fault } from "../../kernel/errors.ts";
import { pick } from "../../kernel/pick.ts";
import type { DecidedSet } from "./dataset-content.ts";
import type { SkillSchemas, StoredItem } from "./dataset-store.ts";
import type { Coverage, Dataset, DatasetItem } from "./datasets-schemas.ts";

/** Different places of outputs that coverage tells apart; further ones are left out. */
const mostPlaces = 200;

type Covered = Pick<StoredItem, "name" | "must_pass" | "cluster" | "labels" | "expected">;

/** What a set's items cover. */
export function coverageOf(items: readonly Covered[]): Coverage {
  const labels = new Map<string, number>();
  const places = new Map<string, number>();
  const count = (map: Map<string, number>, key: string): void => void map.set(key, (map.get(key) ?? 0) + 1);
  for (const item of items) {
    for (const label of item.labels) count(labels, label);
    for (const place of placesOf(item.expected, ""))
      if (places.has(place) || places.size < mostPlaces) count(places, place);
  }
  return {
    items: items.length,
    must_pass: items.filter((item) => item.must_pass).length,
    clusters: new Set(items.map(({ cluster, name }) => (cluster === null ? `item ${name}` : `cluster ${cluster}`)))
      .size,
    labels: sorted(labels),
    expected: sorted(places),
  };
}

/** What a set covers after items of it were replaced and others came. `clusters`: how many there are now, which cannot be told from these. */
export function changedCoverage(
  before: Coverage,
  {
    replaced,
    items,
    clusters,
  }: { readonly replaced: readonly Covered[]; readonly items: readonly Covered[]; readonly clusters: number },
): Coverage {
  const [gone, come] = [coverageOf(replaced), coverageOf(items)];
  const counted = (name: "items" | "must_pass"): number => before[name] - gone[name] + come[name];
  const merged = (name: "labels" | "expected", most: number): Record<string, number> => {
    const counts = new Map(Object.entries(before[name]));
    for (const [key, n] of Object.entries(gone[name])) counts.set(key, (counts.get(key) ?? 0) - n);
    for (const [key, n] of Object.entries(come[name]))
      if (counts.has(key) || counts.size < most) counts.set(key, (counts.get(key) ?? 0) + n);
    return sorted(new Map([...counts].filter(([, n]) => n > 0)));
  };
  return {
    ...{ items: counted("items"), must_pass: counted("must_pass"), clusters },
    ...{ labels: merged("labels", Number.POSITIVE_INFINITY), expected: merged("expected", mostPlaces) },
  };
}

const sorted = (map: ReadonlyMap<string, number>): Record<string, number> =>
  Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)));

/** The places at which a value says something: members of objects, down to what is no object. */
function* placesOf(value: unknown, at: string): Generator<string> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) yield at;
  else for (const [name, one] of Object.entries(value)) yield* placesOf(one, `${at}/${escapeToken(name)}`);
}

/** Items of a call as they are stored, without the names of those that have none. */
export type GivenItem = Omit<StoredItem, "name"> & { readonly name: string | undefined };

/** An item of a body. `labels` are those of the whole call. */
export function givenItem(
  { item, input, expected, must_pass, cluster, labels = [] }: DatasetItem,
  ofCall: readonly string[] = [],
): GivenItem {
  return {
    name: item,
    input,
    expected: expected ?? {},
    must_pass: must_pass ?? false,
    cluster: cluster ?? null,
    labels: [...new Set([...labels, ...ofCall])],
    source: null,
  };
}

/** Names the items that have no name by the first free numbers after `count`. `taken`: names of the set, at least those that such numbers make. */
export function nameItems(items: readonly GivenItem[], taken: ReadonlySet<string>, count = taken.size): StoredItem[] {
  const used = new Set([...taken, ...items.flatMap(({ name }) => name ?? [])]);
  let n = count;
  const next = (): string => {
    do n++;
    while (used.has(`item-${n}`));
    return `item-${n}`;
  };
  return items.map((item) => ({ ...item, name: item.name ?? next() }));
}

/** Items of a body that name each other. Where the list is of another shape, the schema says so. */
export function namedTwice(items: unknown): Fault[] {
  if (!Array.isArray(items)) return [];
  const first = new Map<unknown, number>();
  return items.flatMap((one: { item?: unknown } | null, at): Fault[] => {
    const name = one?.item;
    if (typeof name !== "string") return [];
    const before = first.get(name);
    first.set(name, before ?? at);
    if (before === undefined) return [];
    return [
      {
        pointer: `/items/${at}/item`,
        code: "item_twice",
        detail: `is the name of /items/${before} too; give each item one of its own`,
      },
    ];
  });
}

/** Faults of the items against the skill: inputs have to fit whole, `expected` in what it says. */
export function itemFaults(items: readonly DatasetItem[], { input, output }: SkillSchemas): Fault[] {
  const inputs = compileUserSchema(input);
  const outputs = output === null ? null : compileUserSchema(asPart(output));
  return items.flatMap((item, at) => [
    ...(inputs.ok ? placed(inputs.validate(item.input), `/items/${at}/input`) : []),
    ...(outputs?.ok && item.expected !== undefined
      ? placed(outputs.validate(item.expected), `/items/${at}/expected`)
      : []),
  ]);
}

const placed = (faults: readonly Fault[], at: string): Fault[] =>
  faults.map((fault) => ({ ...fault, pointer: at + (fault.pointer ?? "") }));

/** Keywords that ask for something to be there, which `expected` may leave out. */
const whole = new Set(["required", "dependentRequired", "dependentSchemas", "minProperties"]);
/** Keywords whose members are names with schemas, not keywords. */
const named = new Set(["properties", "patternProperties", "$defs", "definitions"]);
/** Keywords whose values are data, not schemas. */
const data = new Set(["const", "enum", "default", "example", "examples"]);

/**
 * The schema of a part of what fits `schema`: `expected` says no more than scorers look at. Without what is required, several
 * alternatives of a `oneOf` may fit, which is no fault then; what `not` and `if` say of a part is not known.
 */
export function asPart(schema: unknown): object {
  return part(schema) as object;
}

function part(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(part);
  if (typeof schema !== "object" || schema === null) return schema;
  const members: [string, unknown][] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    if (whole.has(keyword) || ["not", "if", "then", "else"].includes(keyword)) continue;
    if (data.has(keyword)) members.push([keyword, value]);
    else if (named.has(keyword))
      members.push([
        keyword,
        Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, part(one)])),
      ]);
    else if (keyword === "oneOf" && !("anyOf" in schema)) members.push(["anyOf", part(value)]);
    else if (keyword !== "oneOf") members.push([keyword, part(value)]);
  }
  return Object.fromEntries(members);
}

/** A set on the wire. */
export function datasetView(row: DecidedSet): Dataset {
  return {
    dataset_id: row.id,
    name: row.name,
    agent: row.agent,
    skill: row.skill,
    description: row.description,
    tags: row.tags,
    version: row.version,
    coverage: row.coverage,
    ...pick(row, ["digest", "deciders", "confirmed_by", "confirmed_at"]),
    created_by: row.author,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
