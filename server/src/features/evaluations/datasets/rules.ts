import { compileUserSchema } from "@aos/json-schema";
import { escapeToken } from "@aos/strict-json";
import { type Decider, storedDeciders, unite } from "../../../kernel/actor.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import type { Fault } from "../../../kernel/errors.ts";
import { pick } from "../../../kernel/pick.ts";
import { type ConfirmableKind, type Content, type Decided, listDecided } from "../../admin/public.ts";
import { confirmationRows } from "../../admin/shared-rows.ts";
import type { Coverage, Dataset, DatasetItem } from "./schemas.ts";
import type { DatasetRow, SkillSchemas, StoredItem } from "./store.ts";

// Versions of datasets as a second person confirms them: agents are trained on them.

/** Names a version of a dataset in confirmations. */
const datasetObject = (id: string, version: number): string => `dataset:${id}@${version}`;

interface ContentRow {
  readonly id: string;
  readonly version: number;
  readonly agent: string;
  readonly digest: string;
  readonly deciders: unknown;
}

/** A version keeps the items of the one before, so its deciders are those of all versions since the newest confirmed one. */
async function findContents(
  ctx: ReadContext | WriteContext,
  versions: readonly { readonly id: string; readonly version: number }[],
): Promise<(Content & { readonly agent: string })[]> {
  const digest = (v: string): string => `coalesce(${v}.digest, ${v}.dataset_id || '@' || ${v}.version)`;
  const rows = await ctx.db.query<ContentRow>(
    `select v.dataset_id as id, v.version, d.agent, ${digest("v")} as digest, (
       select json_agg(e) from (
         select coalesce(max(l.version), 0) as version from dataset_versions l
         join ${confirmationRows} k on k.organization = l.organization and k.environment = $2
           and k.object = 'dataset:' || l.dataset_id || '@' || l.version and k.digest = ${digest("l")}
         where l.organization = v.organization and l.dataset_id = v.dataset_id and l.version <= v.version) looked,
       lateral (select jsonb_array_elements(u.deciders) as e from dataset_versions u
         where u.organization = v.organization and u.dataset_id = v.dataset_id and u.version <= v.version and u.version > looked.version
         order by u.version) decided) as deciders
     from unnest($3::text[], $4::int[]) with ordinality as asked (id, version, place)
     join dataset_versions v on v.organization = $1 and v.dataset_id = asked.id and v.version = asked.version
     join datasets d on d.organization = $1 and d.id = v.dataset_id order by asked.place`,
    [
      ctx.scope.organization,
      ctx.scope.environment,
      versions.map(({ id }) => id),
      versions.map(({ version }) => version),
    ],
  );
  return rows.map(({ id, version, agent, digest, deciders }) => ({
    object: datasetObject(id, version),
    digest,
    agent,
    deciders: unite(storedDeciders(deciders)),
  }));
}

/** Without what a second person has confirmed here. */
export async function authorsOfDataset(
  ctx: ReadContext | WriteContext,
  id: string,
  version: number,
): Promise<readonly Decider[]> {
  return (await findContents(ctx, [{ id, version }]))[0]?.deciders ?? [];
}

/** Datasets, each with how its present version stands: by the deciders of all its versions since somebody looked, which a call that adds one reads too. */
export async function withDecided(ctx: ReadContext | WriteContext, rows: readonly DatasetRow[]): Promise<DecidedSet[]> {
  const contents = await findContents(ctx, rows);
  const decided = await listDecided(ctx, contents);
  return rows.map((row, at) => ({ ...row, digest: contents[at]?.digest ?? "", ...(decided[at] as Decided) }));
}

export type DecidedSet = DatasetRow & Decided & { readonly digest: string };

const versionName = /^(ds_[0-9a-z]+)@([1-9][0-9]{0,8})$/;

export const confirmableDataset: ConfirmableKind = {
  kind: "dataset",
  permission: "evaluations:read",
  async find(ctx, name) {
    const [, id, version] = versionName.exec(name) ?? [];
    const [found] = id && version ? await findContents(ctx, [{ id, version: Number(version) }]) : [];
    if (!found) return undefined;
    const { agent, ...content } = found;
    return { ...content, agents: [agent], path: "/v1/evaluations/datasets" };
  },
};

/** Further places of outputs do not count as covered. */
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

/** Coverage after items were replaced and added. `clusters`: their present number, which cannot be derived from the items. */
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
    items: counted("items"),
    must_pass: counted("must_pass"),
    clusters,
    labels: merged("labels", Number.POSITIVE_INFINITY),
    expected: merged("expected", mostPlaces),
  };
}

const sorted = (map: ReadonlyMap<string, number>): Record<string, number> =>
  Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)));

/** Pointers to all leaves of a value. */
function* placesOf(value: unknown, at: string): Generator<string> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) yield at;
  else for (const [name, one] of Object.entries(value)) yield* placesOf(one, `${at}/${escapeToken(name)}`);
}

/** An item as stored; its name may still be missing. */
export type GivenItem = Omit<StoredItem, "name"> & { readonly name: string | undefined };

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

/** Names unnamed items by the first free numbers after `count`. `taken`: at least the names that such numbers make. */
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

/** Duplicate names in a body. The schema reports a list of another shape. */
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

/** Checks items against the skill: inputs must be complete, `expected` may be partial. */
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

/** Keywords that require presence, which a partial `expected` need not satisfy. */
const whole = new Set(["required", "dependentRequired", "dependentSchemas", "minProperties"]);
/** Keywords whose members are named schemas, not keywords. */
const named = new Set(["properties", "patternProperties", "$defs", "definitions"]);
/** Keywords whose values are data, not schemas. */
const data = new Set(["const", "enum", "default", "example", "examples"]);

/**
 * The schema of a part of what fits `schema`: `expected` says no more than scorers look at. Without what is required, several
 * alternatives of a `oneOf` may fit, which is no fault then; what `not` and `if` say of a part is not known.
 */
function asPart(schema: unknown): object {
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
