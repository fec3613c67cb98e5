import type { CallContext, WriteContext } from "../../kernel/context.ts";
import type { Reader } from "../../kernel/db.ts";
import { isId } from "../../kernel/ids.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Coverage } from "./datasets-schemas.ts";
import type { SkillSchemas } from "./item-faults.ts";

type Here = Pick<CallContext, "scope"> & { readonly db: Pick<Reader, "query"> };

/** A dataset as it is stored. */
export interface DatasetRow {
  id: string;
  name: string;
  agent: string;
  skill: string;
  description: string;
  tags: string[];
  version: number;
  coverage: Coverage;
  author: string;
  created_at: Date;
  updated_at: Date;
}

/** An item of a set. `source` is the task that it was taken from. */
export interface StoredItem {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly expected: Readonly<Record<string, unknown>>;
  readonly must_pass: boolean;
  /** Items of one cluster count as one; null: the item by itself. */
  readonly cluster: string | null;
  readonly labels: readonly string[];
  readonly source: { readonly environment: string; readonly task: string; readonly subject: string } | null;
}

const columns = "id, name, agent, skill, description, tags, version, coverage, author, created_at, updated_at";
const possibleName = /^[a-z][a-z0-9-]{0,63}$/;

/** Which column a reference to a set looks at; undefined where it can be neither an id nor a name. */
const columnOf = (reference: string): "id" | "name" | undefined => {
  if (isId(reference, "ds")) return "id";
  return possibleName.test(reference) ? "name" : undefined;
};

/** A set by its id or name. */
export async function findDataset(ctx: Here, reference: string): Promise<DatasetRow | undefined> {
  const column = columnOf(reference);
  if (!column) return undefined;
  const rows = await ctx.db.query<DatasetRow>(
    `select ${columns} from datasets where organization = $1 and ${column} = $2`,
    [ctx.scope.organization, reference],
  );
  return rows[0];
}

/** These sets, those that there are. */
export async function findDatasets(ctx: Here, ids: readonly string[]): Promise<DatasetRow[]> {
  return ctx.db.query<DatasetRow>(`select ${columns} from datasets where organization = $1 and id = any($2::text[])`, [
    ctx.scope.organization,
    ids,
  ]);
}

/** A set, locked until the transaction ends: its next version is this call's. */
export async function lockDataset(ctx: WriteContext, id: string): Promise<DatasetRow> {
  const rows = await ctx.db.query<DatasetRow>(
    `select ${columns} from datasets where organization = $1 and id = $2 for update`,
    [ctx.scope.organization, id],
  );
  return rows[0] as DatasetRow;
}

export interface DatasetFilter {
  readonly agent?: string;
  readonly skill?: string;
  readonly tag?: string;
}

/** A page of sets, newest first. A key that is narrowed to agents sees theirs only. */
export async function listDatasets(
  ctx: CallContext & { readonly db: Reader },
  filter: DatasetFilter,
  page: PageRequest,
): Promise<DatasetRow[]> {
  return ctx.db.query<DatasetRow>(
    `select ${columns} from datasets where organization = $1
       and ($2::text[] is null or agent = any($2)) and ($3::text is null or agent = $3) and ($4::text is null or skill = $4)
       and ($5::text is null or $5 = any(tags)) and ($6::text is null or id < $6)
     order by id desc limit $7`,
    [
      ctx.scope.organization,
      ctx.principal.agents,
      filter.agent ?? null,
      filter.skill ?? null,
      filter.tag ?? null,
      page.after?.id ?? null,
      page.take,
    ],
  );
}

export type NewDataset = Pick<DatasetRow, "id" | "name" | "agent" | "skill" | "description" | "tags" | "coverage">;

/** Adds a set in its first version, still without items; false where the name is taken. */
export async function insertDataset(
  ctx: WriteContext,
  { id, name, agent, skill, description, tags, coverage }: NewDataset,
): Promise<boolean> {
  const rows = await ctx.db.query(
    `insert into datasets (organization, id, name, agent, skill, description, tags, version, coverage, author)
     values ($1, $2, $3, $4, $5, $6, $7, 1, $8, $9) on conflict (organization, name) do nothing returning id`,
    [ctx.scope.organization, id, name, agent, skill, description, tags, JSON.stringify(coverage), ctx.principal.id],
  );
  return rows.length > 0;
}

export interface DatasetVersion {
  readonly version: number;
  readonly note: string;
  readonly added: number;
  readonly replaced: number;
}

/** Writes down what a version brought. */
export async function insertDatasetVersion(ctx: WriteContext, dataset: string, made: DatasetVersion): Promise<void> {
  await ctx.db.query(
    `insert into dataset_versions (organization, dataset_id, version, note, added, replaced, author)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [ctx.scope.organization, dataset, made.version, made.note, made.added, made.replaced, ctx.principal.id],
  );
}

/** Makes `version` the present one of a set that the call has locked. */
export async function setPresentVersion(
  ctx: WriteContext,
  dataset: string,
  version: number,
  coverage: Coverage,
): Promise<void> {
  await ctx.db.query(
    "update datasets set version = $3, coverage = $4, updated_at = now() where organization = $1 and id = $2",
    [ctx.scope.organization, dataset, version, JSON.stringify(coverage)],
  );
}

/** Adds items to a version. One that has the name of an earlier item ends that one, and takes its place in the order. */
export async function insertItems(
  ctx: WriteContext,
  dataset: string,
  version: number,
  items: readonly StoredItem[],
): Promise<void> {
  await ctx.db.query(
    `with given as (
       select * from unnest($4::text[], $5::text[], $6::text[], $7::boolean[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[])
         with ordinality as i(name, input, expected, must_pass, cluster, labels, environment, task, subject, n)),
     ended as (
       update dataset_items d set until = $3 from given
       where d.organization = $1 and d.dataset_id = $2 and d.name = given.name and d.until is null returning d.name, d.place),
     last as (select coalesce(max(place), 0) as place from dataset_items where organization = $1 and dataset_id = $2)
     insert into dataset_items (organization, dataset_id, name, since, place, input, expected, must_pass, cluster, labels, source_environment, source_task, subject)
     select $1, $2, given.name, $3, coalesce(ended.place, last.place + given.n), input, expected, must_pass, cluster,
       array(select json_array_elements_text(labels::json)), environment, task, subject
     from given cross join last left join ended on ended.name = given.name`,
    [
      ctx.scope.organization,
      dataset,
      version,
      items.map((item) => item.name),
      items.map((item) => JSON.stringify(item.input)),
      items.map((item) => JSON.stringify(item.expected)),
      items.map((item) => item.must_pass),
      items.map((item) => item.cluster),
      items.map((item) => JSON.stringify(item.labels)),
      items.map((item) => item.source?.environment ?? null),
      items.map((item) => item.source?.task ?? null),
      items.map((item) => item.source?.subject ?? null),
    ],
  );
}

interface ItemRow extends Omit<StoredItem, "input" | "expected" | "source"> {
  input: string;
  expected: string;
}

/** The items of a version of a set, in their order; `names` narrows them to some. */
export async function readItems(
  db: Statements,
  organization: string,
  dataset: string,
  version: number,
  names: readonly string[] | null = null,
): Promise<StoredItem[]> {
  const rows = await db.query<ItemRow>(
    `select name, input, expected, must_pass, cluster, labels from dataset_items
     where organization = $1 and dataset_id = $2 and since <= $3 and (until is null or until > $3) and ($4::text[] is null or name = any($4))
     order by place, name`,
    [organization, dataset, version, names],
  );
  return rows.map((row) => ({
    ...row,
    input: JSON.parse(row.input),
    expected: JSON.parse(row.expected),
    source: null,
  }));
}

export interface DatedItem {
  readonly name: string;
  readonly place: number;
  readonly input: Readonly<Record<string, unknown>>;
  readonly expected: Readonly<Record<string, unknown>>;
  /** When it was added, in milliseconds since the epoch. */
  readonly at: number;
}

interface Reading {
  readonly organization: string;
  readonly dataset: string;
  readonly version: number;
  readonly after: { readonly place: number; readonly name: string } | null;
  readonly most: number;
}

/** A part of the items of a version of a set, in their order, from behind `after` on. */
export async function readDatedItems(
  db: Statements,
  { organization, dataset, version, after, most }: Reading,
): Promise<DatedItem[]> {
  const rows = await db.query<{ name: string; place: number; input: string; expected: string; added_at: Date }>(
    `select i.name, i.place, i.input, i.expected, v.created_at as added_at from dataset_items i
     join dataset_versions v on v.organization = $1 and v.dataset_id = $2 and v.version = i.since
     where i.organization = $1 and i.dataset_id = $2 and i.since <= $3 and (i.until is null or i.until > $3)
       and ($4::int is null or (i.place, i.name) > ($4, $5)) order by i.place, i.name limit $6`,
    [organization, dataset, version, after?.place ?? null, after?.name ?? null, most],
  );
  return rows.map(({ name, place, input, expected, added_at }) => ({
    ...{ name, place, at: added_at.getTime() },
    input: JSON.parse(input),
    expected: JSON.parse(expected),
  }));
}

/** Of the names of a version's items, those that are among `names`, and those that are numbers after `count`. */
export async function readTakenNames(
  db: Statements,
  organization: string,
  { id, version }: Pick<DatasetRow, "id" | "version">,
  names: readonly string[],
  count: number,
): Promise<Set<string>> {
  const rows = await db.query<{ name: string }>(
    `select name from dataset_items where organization = $1 and dataset_id = $2 and since <= $3 and (until is null or until > $3)
       and (name = any($4::text[]) or (name ~ '^item-[0-9]+$' and substring(name from 6)::numeric > $5))`,
    [organization, id, version, names, count],
  );
  return new Set(rows.map(({ name }) => name));
}

/** How many items a version has, and how many of them are independent, those of one cluster counting as one. */
export async function countItems(
  db: Statements,
  organization: string,
  dataset: string,
  version: number,
): Promise<{ items: number; clusters: number }> {
  const [row] = await db.query<{ items: number; clusters: number }>(
    `select count(*)::int as items, (count(distinct cluster) + count(*) filter (where cluster is null))::int as clusters from dataset_items
     where organization = $1 and dataset_id = $2 and since <= $3 and (until is null or until > $3)`,
    [organization, dataset, version],
  );
  return row ?? { items: 0, clusters: 0 };
}

/** A page of the names of a version's items, in their order. */
export async function listItemNames(
  ctx: Here,
  dataset: string,
  version: number,
  page: PageRequest,
): Promise<{ name: string; place: number }[]> {
  return ctx.db.query(
    `select name, place from dataset_items
     where organization = $1 and dataset_id = $2 and since <= $3 and (until is null or until > $3)
       and ($4::int is null or (place, name) > ($4, $5)) order by place, name limit $6`,
    [ctx.scope.organization, dataset, version, page.after?.keys[0] ?? null, page.after?.id ?? null, page.take],
  );
}

/** What a skill of an agent takes and answers: as the draft has it, or else the newest version that does; `undefined` where there is none, or no such agent. */
export async function findSkillSchemas(ctx: Here, agent: string, skill: string): Promise<SkillSchemas | undefined> {
  const [row] = await ctx.db.query<SkillSchemas>(
    `select s.skill->'input' as input, s.skill->'output' as output from (
       select draft as definition, 2147483647 as number from agents where organization = $1 and name = $2
       union all select definition, number from agent_versions where organization = $1 and agent = $2) d
     cross join lateral jsonb_array_elements(d.definition->'skills') as s(skill)
     where s.skill->>'name' = $3 order by d.number desc limit 1`,
    [ctx.scope.organization, agent, skill],
  );
  return row;
}
