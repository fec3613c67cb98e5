import { all, select, sql } from "../../../db/scoped.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { readerTokens, visible } from "../access.ts";
import type { BaseHead, By, HeldBase, Seeing } from "../bases/lookup-store.ts";
import { forgetItems } from "../connectors/item-store.ts";
import { deleteConnectorsOf } from "../connectors/store.ts";
import { removeChunks, removeGeneration } from "../search/index-store.ts";

export interface RemovedDocument {
  readonly id: string;
  readonly external_id: string | null;
  readonly digest: string | null;
  readonly chunks: number;
  readonly versions: number;
  readonly parent: string | null;
  readonly readers: readonly string[] | null;
}

type Base = Pick<BaseHead, "id" | "name"> & {
  readonly readers: readonly string[] | null;
  readonly generation: number | null;
};

/** With contents, files, former versions and chunks; `rows`: also documents made of their rows. Unknown ids are left out. */
export async function removeDocuments(
  ctx: QueryContext,
  base: Base,
  ids: readonly string[],
  by: By,
  { rows = true } = {},
): Promise<RemovedDocument[]> {
  if (ids.length === 0) return [];
  const removed = await entomb(ctx, base, ids, by, rows);
  await removeRest(
    ctx,
    base.id,
    removed.map(({ id }) => id),
  );
  return removed;
}

export async function removeRowsOf(ctx: QueryContext, base: HeldBase, files: readonly string[], by: By): Promise<void> {
  if (files.length === 0) return;
  const rows = select(ctx, "documents", "d").select("d.id");
  const ids = await all(ctx, rows.where("d.parent", "=", sql<string>`any(${files}::text[])`));
  const [{ generation }] = base.indexes;
  await removeDocuments(
    ctx,
    { ...base, generation },
    ids.map(({ id }) => id),
    by,
    { rows: false },
  );
}

/** By id or external id, as far as the caller may read them. */
export async function findNamed(
  ctx: Seeing,
  base: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  if (names.length === 0) return found;
  const any = sql<string>`any(${names}::text[])`;
  const rows = await all(
    ctx,
    select(ctx, "documents", "d")
      .select(["d.id", "d.external_id"])
      .where("d.base", "=", base)
      .where((is) => is.or([is("d.id", "=", any), is("d.external_id", "=", any)]))
      .where(visible([readerTokens(ctx.principal)], "d.readers")),
  );
  for (const { id, external_id } of rows)
    if (external_id !== null && names.includes(external_id)) found.set(external_id, id);
  for (const { id } of rows) if (names.includes(id)) found.set(id, id);
  return found;
}

/** Locks documents and writes their tombstones. */
function entomb(
  { scope, db }: QueryContext,
  base: Base,
  ids: readonly string[],
  by: By,
  rows: boolean,
): Promise<RemovedDocument[]> {
  return db.query<RemovedDocument>(
    `with gone as (
       select d.id, d.external_id, d.digest, d.readers, d.parent, d.deciders from documents d
       where d.organization = $1 and d.environment = $2 and d.base = $3 and (d.id = any($4::text[]) or $10::boolean and d.parent = any($4::text[]))
       order by d.id for update
     ), counted as (
       select g.*,
         (select count(*)::int from chunks c where c.organization = $1 and c.environment = $2 and c.base = $3 and c.document = g.id
           and ($5::int is null or c.generation = $5)) as chunks,
         (select count(*)::int from document_versions v where v.organization = $1 and v.environment = $2 and v.document = g.id) as versions,
         (select jsonb_agg(p) from document_versions v, jsonb_array_elements(v.deciders) p
           where v.organization = $1 and v.environment = $2 and v.document = g.id) as former
       from gone g
     ), kept as (
       insert into deleted_documents (organization, environment, id, base, base_name, digest, chunks, readers, base_readers, deleted_by, deleted_at, deciders)
       select $1, $2, id, $3, $6, digest, chunks, readers, $7::text[], $8, $9, coalesce(deciders, '[]') || coalesce(former, '[]') from counted
       on conflict (organization, environment, id) do nothing
     )
     select id, external_id, digest, chunks, versions, parent, readers from counted`,
    [
      scope.organization,
      scope.environment,
      base.id,
      ids,
      base.generation,
      base.name,
      base.readers,
      by.author,
      by.at,
      rows,
    ],
  );
}

export const tablesOfDocuments = ["former_chunks", "document_versions", "document_files", "document_usage"] as const;

/** The documents last, so that it can be repeated. */
async function removeRest(ctx: QueryContext, base: string, documents: readonly string[]): Promise<void> {
  const { scope, db } = ctx;
  await removeChunks(ctx, { id: base }, { documents });
  await forgetItems(ctx, documents);
  for (const [table, column] of [...tablesOfDocuments.map((name) => [name, "document"]), ["documents", "id"]])
    await db.query(
      `delete from ${table} where organization = $1 and environment = $2 and ${column} = any($3::text[])`,
      [...[scope.organization, scope.environment, documents]],
    );
}

export const tablesOfBases = ["former_chunks", "knowledge_questions"] as const;

const mostNotes = 5_000;

const mostDocuments = 500;

/** Of the oldest deleted base that is not empty. Returns how many. */
export async function emptyDeletedBase(db: Statements, now: Date): Promise<number> {
  const [left] = await db.query<Scope & { id: string; name: string; readers: string[] | null; by: string; at: Date }>(
    `select organization, environment, id, name, readers, deleted_by as by, deleted_at as at from deleted_bases
     where emptied_at is null order by deleted_at limit 1`,
  );
  if (!left) return 0;
  const { organization, environment, id: base, by: author, at } = left;
  const ctx = { scope: { organization, environment }, db };
  const some = await db.query<{ id: string }>(
    "select id from documents where organization = $1 and environment = $2 and base = $3 limit $4",
    [organization, environment, base, mostDocuments],
  );
  const ids = some.map(({ id }) => id);
  const removed = await removeDocuments(ctx, { ...left, generation: null }, ids, { author, at }, { rows: false });
  if (ids.length > 0) return removed.length;
  if ((await deleteConnectorsOf(ctx, base, mostNotes)) > 0) return 0;
  await removeGeneration(ctx, base, null);
  for (const table of tablesOfBases)
    await db.query(`delete from ${table} where organization = $1 and environment = $2 and base = $3`, [
      organization,
      environment,
      base,
    ]);
  await db.query("update deleted_bases set emptied_at = $4 where organization = $1 and environment = $2 and id = $3", [
    organization,
    environment,
    base,
    now,
  ]);
  return 0;
}

export interface Tombstone {
  readonly base: string;
  readonly base_name: string;
  readonly readers: string[] | null;
  readonly base_readers: string[] | null;
  readonly deleted_at: Date;
}

/** Undefined: it was not deleted. */
export async function findTombstone({ scope, db }: QueryContext, document: string): Promise<Tombstone | undefined> {
  const [row] = await db.query<Tombstone>(
    `select base, base_name, readers, base_readers, deleted_at from deleted_documents where organization = $1 and environment = $2 and id = $3
     union all
     select d.base, b.name, d.readers, b.readers, b.deleted_at from documents d
     join deleted_bases b on b.organization = d.organization and b.environment = d.environment and b.id = d.base
     where d.organization = $1 and d.environment = $2 and d.id = $3`,
    [scope.organization, scope.environment, document],
  );
  return row;
}
