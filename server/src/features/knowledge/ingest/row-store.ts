import { all, select } from "../../../db/scoped.ts";
import { removeChunks } from "../search/index-store.ts";
import type { Looking } from "../store.ts";
import { recordChunks } from "./pieces.ts";
import { type IndexedBase, indexesOf, indexInBatches, keepFormerChunks } from "./swap.ts";

/** A row of a file, as a document. */
export interface StoredRow {
  readonly id: string;
  readonly external_id: string | null;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly digest: string;
  readonly data_classes: string[];
}

export interface RowsOf {
  readonly parent: string;
  readonly author: string;
  readonly at: Date;
}

interface Upserted {
  readonly id: string;
  readonly external_id: string | null;
  readonly digest: string;
  readonly version: number;
  readonly added: boolean;
}

const COLUMNS = "id text, external_id text, fields jsonb, digest text, data_classes text[]";
const given = `jsonb_to_recordset($4::jsonb) as g(${COLUMNS})`;

/** Stores rows and their chunks with a fixed number of statements. No two have the same external id. */
export async function putRows(
  ctx: Looking,
  base: IndexedBase,
  { parent, author, at }: RowsOf,
  rows: readonly StoredRow[],
): Promise<{ added: number; replaced: number; unchanged: number }> {
  const { organization, environment } = ctx.scope;
  const values = [organization, environment, base.id, JSON.stringify(rows)];
  await keepFormerRows(ctx, values);
  const upsert = (which: string, conflict: string) =>
    ctx.db.query<Upserted>(
      `insert into documents as d (organization, environment, id, base, external_id, title, text, fields, digest, author, created_at, updated_at, data_classes,
         parent, source, file_name, metadata, readers, connector, review_at)
       select $1, $2, g.id, $3, g.external_id, '', null, g.fields, g.digest, $6, $7, $7, g.data_classes,
         p.id, p.source, p.file_name, p.metadata, p.readers, p.connector, p.review_at
       from ${given} join documents p on p.organization = $1 and p.environment = $2 and p.id = $5 where g.external_id ${which}
       order by g.external_id, g.digest on conflict ${conflict}
       returning id, external_id, digest, version, (xmax = 0) as added`,
      [...values, parent, author, at],
    );
  const written = [
    ...(await upsert(
      "is not null",
      `(organization, environment, base, external_id) where external_id is not null do update
       set title = '', text = null, fields = excluded.fields, digest = excluded.digest, author = excluded.author, updated_at = excluded.updated_at,
         data_classes = excluded.data_classes, parent = excluded.parent, source = excluded.source, file_name = excluded.file_name,
         connector = excluded.connector, version = d.version + 1, pending = null, state = 'indexed', progress = 1, error = null
       where d.digest is distinct from excluded.digest or d.parent is distinct from excluded.parent`,
    )),
    ...(await upsert("is null", "(organization, environment, base, digest) where external_id is null do nothing")),
  ];
  const replaced = written.filter(({ added }) => !added).map(({ id }) => id);
  await keepFormerChunks(ctx, base.id, replaced);
  await removeChunks(ctx, base, { documents: replaced });
  await indexRows(ctx, base, rows, written);
  const added = written.length - replaced.length;
  return { added, replaced: replaced.length, unchanged: rows.length - written.length };
}

/** Keeps what the documents that are about to be replaced say. */
async function keepFormerRows({ db }: Looking, values: readonly unknown[]): Promise<void> {
  await db.query(
    `insert into document_versions (organization, environment, document, version, title, text, fields, digest, source, file_name, media_type, size,
       file_digest, url, pages, author, created_at, replaced_at)
     select d.organization, d.environment, d.id, d.version, d.title, d.text, d.fields, d.digest, d.source, d.file_name, d.media_type, d.size, d.file_digest,
       d.url, d.pages, d.author, d.updated_at, now()
     from ${given} join documents d on d.organization = $1 and d.environment = $2 and d.base = $3 and d.external_id = g.external_id
     where d.digest is distinct from g.digest
     on conflict do nothing`,
    values,
  );
}

async function indexRows(
  ctx: Looking,
  base: IndexedBase,
  rows: readonly StoredRow[],
  written: readonly Upserted[],
): Promise<void> {
  const key = (one: { external_id: string | null; digest: string }) => one.external_id ?? `= ${one.digest}`;
  const byKey = new Map(written.map((one) => [key(one), one]));
  const chunks = rows.flatMap((row) => {
    const stored = byKey.get(key(row));
    if (!stored) return [];
    const { id: document, version } = stored;
    return recordChunks(row.external_id ?? "", row.fields).map((chunk) => ({ ...chunk, document, version }));
  });
  for (const index of indexesOf(base)) await indexInBatches(ctx, index, chunks);
}

/** A page of the documents that a file's rows are, by id. */
export function listRowKeys(ctx: Looking, parent: string, after: string, most: number) {
  const rows = select(ctx, "documents", "d").select(["d.id", "d.external_id", "d.digest"]);
  return all(ctx, rows.where("d.parent", "=", parent).where("d.id", ">", after).orderBy("d.id").limit(most));
}

/** Removes documents that are rows of a file, with their chunks and versions, and leaves what proves it. */
export async function removeRows(
  ctx: Looking,
  base: { readonly id: string },
  { parent, author }: { readonly parent: string; readonly author: string },
  rows: readonly string[],
): Promise<number> {
  const { organization, environment } = ctx.scope;
  const values = [organization, environment, base.id, rows, parent];
  const gone = await ctx.db.query<{ id: string }>(
    `with gone as (
       delete from documents where organization = $1 and environment = $2 and base = $3 and id = any($4::text[]) and parent = $5
       returning id, external_id, digest
     ), counted as (
       select document, count(*)::int as chunks from chunks
       where organization = $1 and environment = $2 and base = $3 and document = any($4::text[]) group by document
     )
     insert into deleted_documents (organization, environment, id, base, external_id, digest, chunks, deleted_by, deleted_at)
     select $1, $2, id, $3, external_id, digest, coalesce(c.chunks, 0), $6, now() from gone left join counted c on c.document = id returning id`,
    [...values, author],
  );
  const documents = gone.map(({ id }) => id);
  await removeChunks(ctx, base, { documents });
  for (const table of ["document_versions", "former_chunks", "document_files"])
    await ctx.db.query(
      `delete from ${table} where organization = $1 and environment = $2 and document = any($3::text[])`,
      [organization, environment, documents],
    );
  return documents.length;
}
