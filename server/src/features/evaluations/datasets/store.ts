import { all, first, insert, newestFirst, select, sql, update } from "../../../db/scoped.ts";
import { decidersOf, storableDeciders } from "../../../kernel/actor.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { isId } from "../../../kernel/ids.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import type { Statements } from "../../../kernel/machines.ts";
import { storedJson } from "../../../kernel/stored-json.ts";
import { digestOfContent } from "../../admin/public.ts";
import { agentRows, agentVersionRows } from "../../agents/shared-rows.ts";
import type { Coverage } from "./schemas.ts";

/** SQL: `any` of these texts, which may be none. */
export const anyOf = (texts: readonly string[]) => sql<string>`any(${texts}::text[])`;

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

/** `source`: the task that the item was made of. */
export interface StoredItem {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly expected: Readonly<Record<string, unknown>>;
  readonly must_pass: boolean;
  /** Items of one cluster count as one. */
  readonly cluster: string | null;
  readonly labels: readonly string[];
  readonly source: { readonly environment: string; readonly task: string; readonly subject: string } | null;
}

const itemJson = storedJson<Pick<StoredItem, "input" | "expected">>();

/** `output` is null where the skill declares none. */
export interface SkillSchemas {
  readonly input: object;
  readonly output: object | null;
}

const possibleName = /^[a-z][a-z0-9-]{0,63}$/;
const datasets = (ctx: QueryContext) => select(ctx, "datasets", "d").selectAll().$castTo<DatasetRow>();

/** By id or name. */
export async function findDataset(ctx: QueryContext, reference: string): Promise<DatasetRow | undefined> {
  if (isId(reference, "ds")) return first(ctx, datasets(ctx).where("d.id", "=", reference));
  return possibleName.test(reference) ? first(ctx, datasets(ctx).where("d.name", "=", reference)) : undefined;
}

export const findDatasets = (ctx: QueryContext, ids: readonly string[]): Promise<DatasetRow[]> =>
  all(ctx, datasets(ctx).where("d.id", "=", anyOf(ids)));

/** Until the transaction ends, its next version is this call's. */
export const lockDataset = async (ctx: WriteContext, id: string): Promise<DatasetRow> =>
  (await first(ctx, datasets(ctx).where("d.id", "=", id).forUpdate())) as DatasetRow;

/** Newest first. A narrowed key sees its agents' only. */
export async function listDatasets(
  ctx: ReadContext,
  { agent, skill, tag }: { readonly agent?: string; readonly skill?: string; readonly tag?: string },
  page: PageRequest,
): Promise<DatasetRow[]> {
  const { agents } = ctx.principal;
  const query = datasets(ctx)
    .$if(agents !== null, (q) => q.where("d.agent", "=", anyOf(agents ?? [])))
    .$if(agent !== undefined, (q) => q.where("d.agent", "=", agent ?? ""))
    .$if(skill !== undefined, (q) => q.where("d.skill", "=", skill ?? ""))
    .$if(tag !== undefined, (q) => q.where(sql<boolean>`${tag} = any(d.tags)`));
  return all(ctx, newestFirst(query, "d.id", page));
}

export type NewDataset = Pick<DatasetRow, "id" | "name" | "agent" | "skill" | "description" | "tags" | "coverage">;

/** Its first version has no items yet. Returns undefined if the name is taken. */
export function insertDataset(ctx: WriteContext, dataset: NewDataset): Promise<DatasetRow | undefined> {
  const row = { ...dataset, version: 1, coverage: JSON.stringify(dataset.coverage), author: ctx.principal.id };
  const added = insert(ctx, "datasets", row).onConflict((on) => on.columns(["organization", "name"]).doNothing());
  return first(ctx, added.returningAll().$castTo<DatasetRow>());
}

interface DatasetVersion {
  readonly version: number;
  readonly note: string;
  readonly added: number;
  readonly replaced: number;
}

/** `items`: those that the version added or replaced. */
export async function insertDatasetVersion(
  ctx: WriteContext,
  dataset: string,
  { items, ...made }: DatasetVersion & { readonly items: readonly StoredItem[] },
): Promise<void> {
  const versions = select(ctx, "dataset_versions", "v").select("v.digest").where("v.dataset_id", "=", dataset);
  const before = (await first(ctx, versions.where("v.version", "=", made.version - 1)))?.digest ?? null;
  const decided = {
    digest: digestOfContent({ dataset, version: made.version, before, items }),
    deciders: storableDeciders(decidersOf(ctx, "dataset", `dataset:${dataset}@${made.version}`)),
  };
  const row = { dataset_id: dataset, ...made, ...decided, author: ctx.principal.id };
  await all(ctx, insert(ctx, "dataset_versions", row));
}

/** The call has locked the dataset. */
export async function setPresentVersion(
  ctx: WriteContext,
  dataset: string,
  version: number,
  coverage: Coverage,
): Promise<DatasetRow> {
  const changed = update(ctx, "datasets")
    .set({ version, coverage: JSON.stringify(coverage), updated_at: sql<Date>`now()` })
    .where("id", "=", dataset);
  return (await first(ctx, changed.returningAll().$castTo<DatasetRow>())) as DatasetRow;
}

/** An item with the name of an earlier one replaces it, at its place in the order. */
export async function insertItems(
  ctx: WriteContext,
  dataset: string,
  version: number,
  items: readonly StoredItem[],
): Promise<void> {
  const rows = items.map(({ source, input, expected, ...item }) => ({
    ...item,
    ...source,
    input: JSON.stringify(input),
    expected: JSON.stringify(expected),
  }));
  await ctx.db.query(
    `with given as (
       select * from rows from (json_to_recordset($4::json) as (name text, input text, expected text, must_pass boolean, cluster text, labels json,
         environment text, task text, subject text)) with ordinality as i(name, input, expected, must_pass, cluster, labels, environment, task, subject, n)),
     ended as (
       update dataset_items d set until = $3 from given
       where d.organization = $1 and d.dataset_id = $2 and d.name = given.name and d.until is null returning d.name, d.place),
     last as (select coalesce(max(place), 0) as place from dataset_items where organization = $1 and dataset_id = $2)
     insert into dataset_items (organization, dataset_id, name, since, place, input, expected, must_pass, cluster, labels, source_environment, source_task, subject)
     select $1, $2, given.name, $3, coalesce(ended.place, last.place + given.n), input, expected, must_pass, cluster,
       array(select json_array_elements_text(labels)), environment, task, subject
     from given cross join last left join ended on ended.name = given.name`,
    [ctx.scope.organization, dataset, version, JSON.stringify(rows)],
  );
}

const itemsOf = (ctx: QueryContext, dataset: string, version: number) =>
  select(ctx, "dataset_items", "i")
    .where("i.dataset_id", "=", dataset)
    .where("i.since", "<=", version)
    .where((i) => i.or([i("i.until", "is", null), i("i.until", ">", version)]));

/** In their order; `names` selects some. */
export async function readItems(
  ctx: QueryContext,
  dataset: string,
  version: number,
  names: readonly string[] | null = null,
): Promise<StoredItem[]> {
  const query = itemsOf(ctx, dataset, version).$if(names !== null, (q) => q.where("i.name", "=", anyOf(names ?? [])));
  const columns = ["i.name", "i.input", "i.expected", "i.must_pass", "i.cluster", "i.labels"] as const;
  const rows = await all(ctx, query.select(columns).orderBy("i.place").orderBy("i.name"));
  return rows.map((row) => ({
    ...row,
    input: itemJson(row, "input"),
    expected: itemJson(row, "expected"),
    source: null,
  }));
}

interface DatedItem {
  readonly name: string;
  readonly place: number;
  readonly input: Readonly<Record<string, unknown>>;
  readonly expected: Readonly<Record<string, unknown>>;
  readonly at: number;
}

interface Reading {
  readonly organization: string;
  readonly dataset: string;
  readonly version: number;
  readonly after: { readonly place: number; readonly name: string } | null;
  readonly most: number;
}

/** In their order. */
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
  return rows.map((row) => ({
    name: row.name,
    place: row.place,
    at: row.added_at.getTime(),
    input: itemJson(row, "input"),
    expected: itemJson(row, "expected"),
  }));
}

/** Present names among `names`, and those that are numbers after `count`. */
export async function readTakenNames(
  ctx: QueryContext,
  { id, version }: Pick<DatasetRow, "id" | "version">,
  names: readonly string[],
  count: number,
): Promise<Set<string>> {
  const taken = sql<boolean>`(i.name = any(${names}::text[])
    or (i.name ~ '^item-[0-9]+$' and substring(i.name from 6)::numeric > ${count}))`;
  const rows = await all(ctx, itemsOf(ctx, id, version).select("i.name").where(taken));
  return new Set(rows.map(({ name }) => name));
}

/** Items of a version, and how many of them are independent. */
export async function countItems(
  ctx: QueryContext,
  dataset: string,
  version: number,
): Promise<{ items: number; clusters: number }> {
  const clusters = sql<number>`(count(distinct i.cluster) + count(*) filter (where i.cluster is null))::int`;
  const query = itemsOf(ctx, dataset, version).select([
    sql<number>`count(*)::int`.as("items"),
    clusters.as("clusters"),
  ]);
  return (await first(ctx, query)) as { items: number; clusters: number };
}

/** In the order of the items. */
export async function listItemNames(
  ctx: QueryContext,
  dataset: string,
  version: number,
  { after, take }: PageRequest,
): Promise<{ name: string; place: number }[]> {
  const rest = sql<boolean>`(i.place, i.name) > (${after?.keys[0]}::int, ${after?.id}::text)`;
  const query = itemsOf(ctx, dataset, version).$if(after !== undefined, (q) => q.where(rest));
  return all(ctx, query.select(["i.name", "i.place"]).orderBy("i.place").orderBy("i.name").limit(take));
}

/** Of the draft, or of the newest version that has the skill. */
export async function findSkillSchemas(
  ctx: QueryContext,
  agent: string,
  skill: string,
): Promise<SkillSchemas | undefined> {
  const [row] = await ctx.db.query<SkillSchemas>(
    `select s.skill->'input' as input, s.skill->'output' as output from (
       select draft as definition, 2147483647 as number from ${agentRows} agents where organization = $1 and name = $2
       union all select definition, number from ${agentVersionRows} agent_versions where organization = $1 and agent = $2) d
     cross join lateral jsonb_array_elements(d.definition->'skills') as s(skill)
     where s.skill->>'name' = $3 order by d.number desc limit 1`,
    [ctx.scope.organization, agent, skill],
  );
  return row;
}
