import type { ReadContext } from "../../kernel/context.ts";
import { isId } from "../../kernel/ids.ts";
import { chunksOf, type Said } from "./chunks.ts";
import { replaceChunks } from "./search-store.ts";
import type { BaseHead, Looking } from "./store.ts";

/** A document to be stored. */
export interface NewDocument extends Said {
  /** `doc_…`: what it is called if it is new. */
  readonly id: string;
  /** SHA-256, in hexadecimal, of the canonical JSON of what it says. */
  readonly digest: string;
}

/** A document as it is stored, without what it says. */
export interface DocumentRow {
  id: string;
  base: string;
  base_name: string;
  external_id: string | null;
  title: string;
  digest: string | null;
  author: string;
  created_at: Date;
  updated_at: Date;
  chunks: number;
}

/** A document with what it says. */
export interface DocumentWithContents extends DocumentRow {
  text: string | null;
  fields: Record<string, unknown> | null;
}

/** What became of a document that was given: it is new, took the place of what the same external id said before, or was there already. */
export type Outcome = "added" | "replaced" | "unchanged";

export interface StoredDocument {
  readonly outcome: Outcome;
  readonly row: DocumentRow;
}

const DOCUMENT_COLUMNS = `d.id, d.base, b.name as base_name, d.external_id, d.title, d.digest, d.author, d.created_at, d.updated_at,
  (select count(*)::int from chunks p where p.organization = $1 and p.environment = $2 and p.base = d.base and p.document = d.id) as chunks`;
const DOCUMENTS = `from documents d
  join knowledge_bases b on b.organization = $1 and b.environment = $2 and b.id = d.base
  where d.organization = $1 and d.environment = $2`;

/** A document of a base by its id, or by its external id; an id comes first where both name one. */
export async function findDocument(
  ctx: ReadContext,
  base: string,
  named: string,
): Promise<DocumentWithContents | undefined> {
  const by = async (column: "id" | "external_id"): Promise<DocumentWithContents | undefined> => {
    const [row] = await ctx.db.query<DocumentWithContents>(
      `select ${DOCUMENT_COLUMNS}, d.text, d.fields ${DOCUMENTS} and d.base = $3 and d.${column} = $4`,
      [ctx.scope.organization, ctx.scope.environment, base, named],
    );
    return row;
  };
  return (
    (isId(named, "doc") ? await by("id") : undefined) ?? (named.includes("\0") ? undefined : await by("external_id"))
  );
}

/**
 * Stores documents and their chunks, with a fixed number of statements; what became of each, in their order. One with the external id of a document of
 * the base takes its place and keeps its id; one that says the same, or has no external id and says what another without one says, changes nothing. No two
 * of a call may have the same external id.
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
  await replaceChunks(
    ctx,
    base,
    written.filter(({ outcome }) => outcome === "replaced").map(({ row }) => row.id),
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

/** Inserts what is new and updates what says something else; the ids of these. In the order of their keys, so that concurrent calls cannot lock each other out. */
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
  const external = documents.flatMap(({ external_id }) => (external_id === null ? [] : [external_id]));
  const digests = documents.flatMap(({ external_id, digest }) => (external_id === null ? [digest] : []));
  const rows = await ctx.db.query<DocumentRow>(
    `select ${DOCUMENT_COLUMNS} ${DOCUMENTS} and d.base = $3 and d.external_id = any($4::text[])
     union all select ${DOCUMENT_COLUMNS} ${DOCUMENTS} and d.base = $3 and d.external_id is null and d.digest = any($5::text[])`,
    [ctx.scope.organization, ctx.scope.environment, base, external, digests],
  );
  return new Map(rows.map((row) => [keyOf(row), row]));
}
