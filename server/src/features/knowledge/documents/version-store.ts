import { all, first, select, sql } from "../../../db/scoped.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { HeldBase } from "../bases/lookup-store.ts";
import { indexChunks, type NewChunk, removeChunks } from "../search/index-store.ts";
import { correctorsIn, type Writer } from "./deciders.ts";

const chunkColumns =
  "title, text, kind, headings, first_page, last_page, starts_at, ends_at, data_classes, disabled, corrected_from" as const;

/** `only`: of one generation, or one chunk of it. */
export async function keepFormerChunks(
  { scope, db }: QueryContext,
  base: string,
  documents: readonly string[],
  only: { readonly generation: number; readonly number?: number } | null = null,
): Promise<void> {
  await db.query(
    `insert into former_chunks (organization, environment, base, document, version, generation, number, revision, ${chunkColumns}, replaced_at)
     select organization, environment, base, document, version, generation, number, revision, ${chunkColumns}, now()
     from chunks where organization = $1 and environment = $2 and base = $3 and document = any($4::text[])
       and ($5::int is null or generation = $5) and ($6::int is null or number = $6)
     on conflict do nothing`,
    [scope.organization, scope.environment, base, documents, only?.generation ?? null, only?.number ?? null],
  );
}

const versionColumns =
  "title, text, fields, digest, source, file_name, media_type, size, file_digest, url, pages, author, deciders" as const;

/** Before they are replaced. Locks the rows. */
export async function keepFormerVersions({ scope, db }: QueryContext, documents: readonly string[]): Promise<void> {
  if (documents.length === 0) return;
  await db.query(
    `insert into document_versions (organization, environment, document, version, ${versionColumns}, created_at, replaced_at)
     select organization, environment, id, version, ${versionColumns}, updated_at, now() from (
       select * from documents where organization = $1 and environment = $2 and id = any($3::text[]) order by id for update) d
     on conflict do nothing`,
    [scope.organization, scope.environment, documents],
  );
}

/** Keeps the former chunks for their citations. Returns data classes by document. */
export async function replaceChunks(
  ctx: QueryContext,
  { id: base, indexes }: Pick<HeldBase, "id" | "indexes">,
  documents: readonly string[],
  chunks: readonly NewChunk[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const classes = await noteDataClasses(ctx, chunks, [
    ...new Set([...documents, ...chunks.map(({ document }) => document)]),
  ]);
  if (documents.length > 0) {
    await keepFormerChunks(ctx, base, documents);
    await removeChunks(ctx, { id: base }, { documents });
  }
  for (const index of indexes) await indexChunks(ctx, index, chunks);
  return classes;
}

/** Returns them by document. */
async function noteDataClasses(
  ctx: QueryContext,
  chunks: readonly NewChunk[],
  documents: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const classes = new Map<string, Set<string>>(documents.map((id) => [id, new Set()]));
  for (const { document, data_classes } of chunks)
    for (const one of data_classes ?? []) classes.get(document)?.add(one);
  await ctx.db.query(
    `update documents d set data_classes = array(select jsonb_array_elements_text(g.classes) order by 1)
     from jsonb_to_recordset($3::jsonb) as g(id text, classes jsonb)
     where d.organization = $1 and d.environment = $2 and d.id = g.id
       and d.data_classes <> array(select jsonb_array_elements_text(g.classes) order by 1)`,
    [
      ctx.scope.organization,
      ctx.scope.environment,
      JSON.stringify([...classes].map(([id, found]) => ({ id, classes: [...found] }))),
    ],
  );
  return new Map([...classes].map(([id, found]) => [id, [...found].sort()]));
}

/** Newest first, with the current one. */
export function listVersions(ctx: QueryContext, document: string, { after, take }: PageRequest) {
  const members = ["version", "title", "digest", "source", "file_name", "media_type", "size"] as const;
  const current = select(ctx, "documents", "d")
    .where("d.id", "=", document)
    .select(members.map((name) => `d.${name}` as const))
    .select(["d.file_digest", "d.url", "d.pages", "d.author", "d.updated_at as created_at"])
    .select(sql<Date | null>`null::timestamptz`.as("replaced_at"));
  const former = select(ctx, "document_versions", "d")
    .where("d.document", "=", document)
    .select(members.map((name) => `d.${name}` as const))
    .select(["d.file_digest", "d.url", "d.pages", "d.author", "d.created_at"])
    .select(sql<Date | null>`d.replaced_at`.as("replaced_at"));
  const before = Number(after?.keys[0] ?? Number.MAX_SAFE_INTEGER);
  return all(
    ctx,
    current
      .where(sql<boolean>`d.version < ${before}::bigint`)
      .unionAll(former.where(sql<boolean>`d.version < ${before}::bigint`) as unknown as typeof current)
      .orderBy("version", "desc")
      .limit(take),
  );
}

/** Undefined: it was removed. */
export async function findVersion(ctx: QueryContext, document: string, version: number) {
  return first(
    ctx,
    select(ctx, "document_versions", "v")
      .selectAll("v")
      .where("v.document", "=", document)
      .where("v.version", "=", version),
  );
}

export async function chunksOfVersion(ctx: QueryContext, document: string, version: number): Promise<NewChunk[]> {
  const rows = await ctx.db.query<NewChunk>(
    `with last as (
       select replaced_at, max(generation) as generation from former_chunks
       where organization = $1 and environment = $2 and document = $3 and version = $4 group by replaced_at order by replaced_at desc limit 1)
     select document, number, ${chunkColumns
       .split(", ")
       .map((name) => `c.${name}`)
       .join(", ")}
     from former_chunks c join last using (replaced_at, generation)
     where organization = $1 and environment = $2 and document = $3 and version = $4 order by number`,
    [ctx.scope.organization, ctx.scope.environment, document, version],
  );
  return rows;
}

/** As its next version, whose number it returns. */
export async function restoreContents(
  { scope, db }: QueryContext,
  document: string,
  version: number,
  by: Writer,
): Promise<number> {
  const [row] = await db.query<{ version: number }>(
    `update documents d set title = v.title, text = v.text, fields = v.fields, digest = v.digest,
       source = v.source, file_name = v.file_name, media_type = v.media_type, size = v.size, file_digest = v.file_digest, url = v.url, pages = v.pages,
       version = d.version + 1, author = $5, updated_at = $6, row_counts = null, pending = null, state = 'indexed', progress = 1, error = null,
       attempt = d.attempt + 1, lease_until = null, deciders = coalesce(v.deciders, '[]') || $7::jsonb || ${correctorsIn("d.deciders")}
     from document_versions v
     where d.organization = $1 and d.environment = $2 and d.id = $3
       and v.organization = d.organization and v.environment = d.environment and v.document = d.id and v.version = $4
     returning d.version`,
    [scope.organization, scope.environment, document, version, by.author, by.at, JSON.stringify(by.deciders)],
  );
  const next = (row as { version: number }).version;
  await db.query(
    `insert into document_files (organization, environment, document, version, part, data)
     select organization, environment, document, $5, part, data from document_files
     where organization = $1 and environment = $2 and document = $3 and version = $4`,
    [scope.organization, scope.environment, document, version, next],
  );
  return next;
}

const mostExpired = 500;

/** Older than the base's `version_days`. Returns how many. */
export async function removeExpired(db: Statements, now: Date): Promise<number> {
  const kept = "$1::timestamptz - b.version_days * interval '1 day'";
  const same = (alias: string) => `${alias}.organization = e.organization and ${alias}.environment = e.environment`;
  const [row] = await db.query<{ versions: number }>(
    `with e as (
       select v.organization, v.environment, v.document, v.version from knowledge_bases b
       join documents d on d.organization = b.organization and d.environment = b.environment and d.base = b.id
       join document_versions v on v.organization = d.organization and v.environment = d.environment and v.document = d.id
       where b.version_days is not null and v.replaced_at < ${kept} limit ${mostExpired}
     ),
     files as (delete from document_files f using e where ${same("f")} and f.document = e.document and f.version = e.version),
     versions as (delete from document_versions v using e where ${same("v")} and v.document = e.document and v.version = e.version returning 1)
     select count(*)::int as versions from versions`,
    [now],
  );
  await db.query(
    `with e as (
       select c.organization, c.environment, c.document, c.version, c.generation, c.number, c.revision from knowledge_bases b
       cross join lateral (
         select * from former_chunks c where c.organization = b.organization and c.environment = b.environment and c.base = b.id and c.replaced_at < ${kept}
         order by c.replaced_at limit ${mostExpired}) c
       where b.version_days is not null limit ${mostExpired}
     )
     delete from former_chunks c using e where ${same("c")} and c.document = e.document and c.version = e.version
       and c.generation = e.generation and c.number = e.number and c.revision = e.revision`,
    [now],
  );
  return row?.versions ?? 0;
}
