import { all, select, sql } from "../../../db/scoped.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import type { HeldBase } from "../bases/lookup-store.ts";
import { keepChanges } from "../documents/corrections.ts";
import { correctorsIn, type Writer } from "../documents/deciders.ts";
import { removeDocuments } from "../documents/deletion-store.ts";
import { keepFormerChunks, keepFormerVersions } from "../documents/version-store.ts";
import { indexChunks, type NewChunk, removeChunks } from "../search/index-store.ts";
import { recordChunks } from "./pieces.ts";

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

export interface NewRowsOf extends RowsOf, Writer {}

interface Upserted {
  readonly id: string;
  readonly external_id: string | null;
  readonly digest: string;
  readonly version: number;
  readonly added: boolean;
}

const COLUMNS = "id text, external_id text, fields jsonb, digest text, data_classes text[]";
const given = `jsonb_to_recordset($4::jsonb) as g(${COLUMNS})`;

/** A fixed number of statements. External ids are unique. */
export async function putRows(
  ctx: QueryContext,
  base: HeldBase,
  { parent, author, at, deciders }: NewRowsOf,
  rows: readonly StoredRow[],
): Promise<{ added: number; replaced: number; unchanged: number }> {
  const { organization, environment } = ctx.scope;
  const values = [organization, environment, base.id, JSON.stringify(rows)];
  await keepFormerVersions(ctx, await findChanging(ctx, [...values, parent, author]));
  const upsert = (which: string, conflict: string) =>
    ctx.db.query<Upserted>(
      `insert into documents as d (organization, environment, id, base, external_id, title, text, fields, digest, author, created_at, updated_at, data_classes, deciders,
         parent, source, file_name, metadata, readers, connector, review_at, language)
       select $1, $2, g.id, $3, g.external_id, '', null, g.fields, g.digest, $6, $7, $7, g.data_classes, $8::jsonb,
         p.id, p.source, p.file_name, p.metadata, p.readers, p.connector, p.review_at, p.language
       from ${given} join documents p on p.organization = $1 and p.environment = $2 and p.id = $5 where g.external_id ${which}
       order by g.external_id, g.digest on conflict ${conflict}
       returning id, external_id, digest, version, (xmax = 0) as added`,
      [...values, parent, author, at, JSON.stringify(deciders)],
    );
  const written = [
    ...(await upsert(
      "is not null",
      `(organization, environment, base, external_id) where external_id is not null do update
       set title = '', text = null, fields = excluded.fields, digest = excluded.digest, author = excluded.author, updated_at = excluded.updated_at,
         data_classes = excluded.data_classes, parent = excluded.parent, source = excluded.source, file_name = excluded.file_name,
         connector = excluded.connector, version = d.version + 1, pending = null, state = 'indexed', progress = 1, error = null,
         deciders = excluded.deciders || ${correctorsIn("d.deciders")},
         readers = coalesce(d.readers, excluded.readers)
       where (d.digest is distinct from excluded.digest or d.parent is distinct from excluded.parent) and ${mayTake("excluded")}`,
    )),
    ...(await upsert("is null", "(organization, environment, base, digest) where external_id is null do nothing")),
  ];
  const replaced = written.filter(({ added }) => !added).map(({ id }) => id);
  const cut = chunksOfRows(rows, written);
  const chunks = replaced.length === 0 ? cut : await keepChanges(ctx, base.indexes[0], cut);
  await keepFormerChunks(ctx, base.id, replaced);
  await removeChunks(ctx, base, { documents: replaced });
  for (const index of base.indexes) await indexChunks(ctx, index, chunks);
  const added = written.length - replaced.length;
  return { added, replaced: replaced.length, unchanged: rows.length - written.length };
}

/** A restricted document is replaced only by its author or for the same readers: an uploader may not know of it. */
const mayTake = (by: string): string =>
  `(d.parent = ${by}.parent or d.readers is null or d.author = $6 or d.readers = ${by}.readers)`;

async function findChanging({ db }: QueryContext, values: readonly unknown[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select d.id from ${given} join documents d on d.organization = $1 and d.environment = $2 and d.base = $3 and d.external_id = g.external_id
     join (select id as parent, readers from documents where organization = $1 and environment = $2 and id = $5) p on ${mayTake("p")}
     where d.digest is distinct from g.digest`,
    values,
  );
  return rows.map(({ id }) => id);
}

function chunksOfRows(rows: readonly StoredRow[], written: readonly Upserted[]): NewChunk[] {
  const key = (one: { external_id: string | null; digest: string }) => one.external_id ?? `= ${one.digest}`;
  const byKey = new Map(written.map((one) => [key(one), one]));
  return rows.flatMap((row) => {
    const stored = byKey.get(key(row));
    if (!stored) return [];
    const { id: document, version } = stored;
    return recordChunks(row.external_id ?? "", row.fields).map((chunk) => ({ ...chunk, document, version }));
  });
}

export function listRowKeys(ctx: QueryContext, parent: string, after: string, most: number) {
  const rows = select(ctx, "documents", "d").select(["d.id", "d.external_id", "d.digest"]);
  return all(ctx, rows.where("d.parent", "=", parent).where("d.id", ">", after).orderBy("d.id").limit(most));
}

export async function removeRows(
  ctx: QueryContext,
  base: HeldBase,
  { parent, author, at }: RowsOf,
  rows: readonly string[],
): Promise<number> {
  const still = select(ctx, "documents", "d").select("d.id").where("d.parent", "=", parent);
  const ids = await all(ctx, still.where(sql<boolean>`d.id = any(${rows}::text[])`));
  const [{ generation }] = base.indexes;
  const removed = await removeDocuments(
    ctx,
    { ...base, generation },
    ids.map(({ id }) => id),
    { author, at },
    { rows: false },
  );
  return removed.length;
}
