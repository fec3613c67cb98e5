import { all, first, type Row, rowsOf, select, sql } from "../../db/scoped.ts";
import type { ReadContext } from "../../kernel/context.ts";
import { isId } from "../../kernel/ids.ts";
import { chunksOf, type Said } from "./chunks.ts";
import { indexChunks, removeChunks } from "./search/index-store.ts";
import type { BaseHead, Looking } from "./store.ts";

/** A document to be stored. */
export interface NewDocument extends Said {
  readonly id: string;
  /** SHA-256, in hexadecimal, of the canonical JSON of what it says. */
  readonly digest: string;
}

/** A document as it is stored, without what it says. */
export type DocumentRow = Omit<Row<"documents">, "organization" | "environment" | "text" | "fields"> & {
  base_name: string;
  chunks: number;
};

/** A document with what it says. */
export type DocumentWithContents = DocumentRow & { text: string | null; fields: Record<string, unknown> | null };

export type Outcome = "added" | "replaced" | "unchanged";

export interface StoredDocument {
  readonly outcome: Outcome;
  readonly row: DocumentRow;
}

/** Documents of a base with the number of their chunks. */
const documentsOf = (ctx: Looking, base: string) =>
  select(ctx, "documents", "d")
    .innerJoin(rowsOf(ctx, "knowledge_bases", "b"), "b.id", "d.base")
    .where("d.base", "=", base)
    .select(["d.id", "d.base", "b.name as base_name", "d.external_id", "d.title", "d.digest", "d.author"])
    .select(["d.created_at", "d.updated_at"])
    .select((of) =>
      of
        .selectFrom(rowsOf(ctx, "chunks", "p"))
        .select(sql<number>`count(*)::int`.as("n"))
        .whereRef("p.base", "=", "d.base")
        .whereRef("p.document", "=", "d.id")
        .as("chunks"),
    );

/** A document of a base by its id, or else by its external id. */
export async function findDocument(
  ctx: ReadContext,
  base: string,
  named: string,
): Promise<DocumentWithContents | undefined> {
  if (named.includes("\0")) return undefined;
  const by = (column: "d.id" | "d.external_id") =>
    first(
      ctx,
      documentsOf(ctx, base).select(["d.text", "d.fields"]).where(column, "=", named).$castTo<DocumentWithContents>(),
    );
  return (isId(named, "doc") ? await by("d.id") : undefined) ?? by("d.external_id");
}

/**
 * Stores documents and their chunks with a fixed number of statements, and returns what became of each, in order. One with a known external id replaces
 * that document and keeps its id; one that says the same changes nothing. No two of a call may have the same external id.
 */
export async function putDocuments(
  ctx: Looking,
  base: Pick<BaseHead, "id" | "language">,
  documents: readonly NewDocument[],
  by: { readonly author: string; readonly at: Date },
): Promise<StoredDocument[]> {
  const changed = await upsert(ctx, base.id, documents, by);
  const rows = await readStored(ctx, base.id, documents);
  const stored = documents.map((given) => {
    const row = rows.get(keyOf(given)) as DocumentRow;
    return { given, row, outcome: outcomeOf(given, row, changed) };
  });
  const written = stored
    .filter(({ outcome }) => outcome !== "unchanged")
    .map((one) => ({ ...one, pieces: chunksOf(one.given) }));
  const replaced = written.filter(({ outcome }) => outcome === "replaced").map(({ row }) => row.id);
  await removeChunks(ctx, base, { documents: replaced });
  await indexChunks(
    ctx,
    { generation: 1, ...base },
    written.flatMap(({ row, pieces }) => pieces.map((piece) => ({ document: row.id, ...piece }))),
  );
  for (const { row, pieces } of written) row.chunks = pieces.length;
  return stored.map(({ outcome, row }) => ({ outcome, row }));
}

function outcomeOf({ id, external_id }: NewDocument, row: DocumentRow, changed: ReadonlySet<string>): Outcome {
  if (row.id === id) return "added";
  return external_id !== null && changed.has(row.id) ? "replaced" : "unchanged";
}

const keyOf = ({ external_id, digest }: { external_id: string | null; digest: string | null }): string =>
  external_id === null ? `=${digest}` : `#${external_id}`;

const COLUMNS =
  "organization, environment, id, base, external_id, title, text, fields, digest, author, created_at, updated_at";

/** Inserts or updates; returns the ids of what changed. In the order of keys, so that concurrent calls cannot deadlock. */
async function upsert(
  { scope, db }: Looking,
  base: string,
  documents: readonly NewDocument[],
  by: { readonly author: string; readonly at: Date },
): Promise<Set<string>> {
  const changed = new Set<string>();
  const write = async (some: readonly NewDocument[], order: string, conflict: string): Promise<void> => {
    if (some.length === 0) return;
    const rows = await db.query<{ id: string }>(
      `insert into documents as d (${COLUMNS})
       select $1, $2, id, $3, external_id, title, text, fields::jsonb, digest, $4, $5, $5
       from unnest($6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[]) as g(id, external_id, title, text, fields, digest)
       order by ${order} on conflict ${conflict} returning id`,
      [
        scope.organization,
        scope.environment,
        base,
        by.author,
        by.at,
        some.map((one) => one.id),
        some.map((one) => one.external_id),
        some.map((one) => one.title),
        some.map((one) => one.text),
        some.map((one) => (one.fields === null ? null : JSON.stringify(one.fields))),
        some.map((one) => one.digest),
      ],
    );
    for (const { id } of rows) changed.add(id);
  };
  await write(
    documents.filter(({ external_id }) => external_id !== null),
    "external_id",
    `(organization, environment, base, external_id) where external_id is not null do update
     set title = excluded.title, text = excluded.text, fields = excluded.fields, digest = excluded.digest, author = excluded.author,
       updated_at = excluded.updated_at
     where d.digest is distinct from excluded.digest`,
  );
  await write(
    documents.filter(({ external_id }) => external_id === null),
    "digest",
    "(organization, environment, base, digest) where external_id is null do nothing",
  );
  return changed;
}

/** The rows that the documents given ended up as, by key. */
async function readStored(
  ctx: Looking,
  base: string,
  documents: readonly NewDocument[],
): Promise<Map<string, DocumentRow>> {
  const external = documents.flatMap(({ external_id }) => external_id ?? []);
  const digests = documents.flatMap(({ external_id, digest }) => (external_id === null ? digest : []));
  const any = (values: string[]) => sql<string>`any(${values}::text[])`;
  const rows = await all(
    ctx,
    documentsOf(ctx, base)
      .where("d.external_id", "=", any(external))
      .unionAll(documentsOf(ctx, base).where("d.external_id", "is", null).where("d.digest", "=", any(digests))),
  );
  return new Map(rows.map((row) => [keyOf(row), row as DocumentRow]));
}
