import { all, first, rowsOf, select, sql, update } from "../../../db/scoped.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { isId } from "../../../kernel/ids.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import { type CreatedRange, momentOf } from "../../../kernel/moment.ts";
import { readerTokens, visible } from "../access.ts";
import { type By, holdBase, type Seeing } from "../bases/lookup-store.ts";
import { chunksFor, chunksOf, type Said } from "./chunks.ts";
import { keepChanges } from "./corrections.ts";
import { correctorsIn, decidersAfter, type Writer } from "./deciders.ts";
import { removeRowsOf } from "./deletion-store.ts";
import { keepFormerVersions, replaceChunks } from "./version-store.ts";

/** Undefined: unchanged. */
export interface Details {
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly readers?: readonly string[] | null | undefined;
  readonly review_at?: Date | null | undefined;
  readonly connector?: string | null | undefined;
  readonly language?: string | undefined;
}

export interface NewDocument extends Said, Details {
  readonly id: string;
  /** SHA-256 (hex) of the canonical JSON of what it says. */
  readonly digest: string;
}

export type DocumentRow = Awaited<ReturnType<typeof listDocuments>>[number];

export type DocumentWithContents = NonNullable<Awaited<ReturnType<typeof findDocument>>>;

export type Outcome = "added" | "replaced" | "unchanged";

export interface StoredDocument {
  readonly outcome: Outcome;
  readonly row: DocumentRow;
}

const createdMicroseconds = sql<number>`(extract(epoch from d.created_at) * 1000000)::bigint`;

/** SQL over documents `d` and bases `b`; null: never. */
export const reviewDueText = `coalesce(d.review_at, greatest(d.updated_at, d.reviewed_at) + b.review_days * interval '1 day')`;
export const reviewDue = sql.raw<Date | null>(reviewDueText);

const documentsOf = (ctx: QueryContext, base: string) =>
  select(ctx, "documents", "d")
    .innerJoin(rowsOf(ctx, "knowledge_bases", "b"), "b.id", "d.base")
    .where("d.base", "=", base)
    .select(["d.id", "d.base", "b.name as base_name", "d.external_id", "d.title", "d.digest", "d.author"])
    .select([
      "d.created_at",
      "d.updated_at",
      "d.state",
      "d.progress",
      "d.error",
      "d.version",
      "d.source",
      "d.file_name",
    ])
    .select([
      "d.media_type",
      "d.size",
      "d.file_digest",
      "d.url",
      "d.pages",
      "d.metadata",
      "d.readers",
      "d.data_classes",
    ])
    .select(sql<string>`coalesce(d.language, d.found_language, b.language)`.as("language"))
    .select([
      "d.parent",
      "d.connector",
      "d.reviewed_at",
      createdMicroseconds.as("created_us"),
      reviewDue.as("review_at"),
    ])
    .select((of) =>
      of
        .selectFrom(rowsOf(ctx, "chunks", "p"))
        .select(sql<number>`count(*)::int`.as("n"))
        .whereRef("p.base", "=", "d.base")
        .whereRef("p.document", "=", "d.id")
        .whereRef("p.generation", "=", "b.generation")
        .$asScalar()
        .$notNull()
        .as("chunks"),
    );

const seenBy = (ctx: Seeing) => visible([readerTokens(ctx.principal)], "d.readers");

/** By id, or else by external id. */
export async function findDocument(ctx: Seeing, base: string, named: string) {
  if (named.includes("\0")) return undefined;
  const by = (column: "d.id" | "d.external_id") =>
    first(
      ctx,
      documentsOf(ctx, base)
        .leftJoin(rowsOf(ctx, "document_usage", "u"), "u.document", "d.id")
        .select(["d.text", sql<Record<string, unknown> | null>`d.fields`.as("fields")])
        .select(["u.retrievals", "u.last_retrieved_at"])
        .where(column, "=", named)
        .where(seenBy(ctx)),
    );
  return (isId(named, "doc") ? await by("d.id") : undefined) ?? (await by("d.external_id"));
}

const idsNamed = (ctx: QueryContext, table: "documents" | "knowledge_connectors", base: string, named: string) =>
  select(ctx, table as "documents", "n")
    .select("n.id")
    .where("n.base", "=", base)
    .where(sql<boolean>`(n.id = ${named} or n.${sql.ref(table === "documents" ? "external_id" : "name")} = ${named})`);

export interface DocumentFilter extends CreatedRange {
  readonly state?: readonly string[];
  readonly external_id?: string;
  readonly connector?: string;
  readonly parent?: string;
  readonly metadata?: string;
  readonly stale?: boolean;
}

export function listDocuments(ctx: Seeing, base: string, filter: DocumentFilter, { after, take }: PageRequest) {
  const { state, external_id, connector, parent, metadata, created_after, created_before } = filter;
  return all(
    ctx,
    documentsOf(ctx, base)
      .where(seenBy(ctx))
      .$if(state !== undefined, (q) => q.where(sql<boolean>`d.state = any(${state}::text[])`))
      .$if(external_id !== undefined, (q) => q.where("d.external_id", "=", external_id as string))
      .$if(connector !== undefined, (q) =>
        q.where("d.connector", "in", idsNamed(ctx, "knowledge_connectors", base, connector as string)),
      )
      .$if(parent !== undefined, (q) => q.where("d.parent", "in", idsNamed(ctx, "documents", base, parent as string)))
      .$if(metadata !== undefined, (q) => q.where(sql<boolean>`d.metadata @> ${metadata}::jsonb`))
      .$if(filter.stale === true, (q) => q.where(sql<boolean>`${reviewDue} <= now()`))
      .$if(created_after !== undefined, (q) =>
        q.where("d.created_at", ">=", new Date(momentOf(created_after as string))),
      )
      .$if(created_before !== undefined, (q) =>
        q.where("d.created_at", "<", new Date(momentOf(created_before as string))),
      )
      .$if(after !== undefined, (q) =>
        q.where(sql<boolean>`(${createdMicroseconds}, d.id) < (${after?.keys[0]}::bigint, ${after?.id})`),
      )
      .orderBy("d.created_at", "desc")
      .orderBy("d.id", "desc")
      .limit(take),
  );
}

/**
 * A fixed number of statements; results in order. A known external id replaces that document, which keeps id, access
 * and former version. No two may share an external id.
 */
export async function putDocuments(
  ctx: QueryContext,
  base: { readonly id: string },
  documents: readonly NewDocument[],
  by: Writer,
): Promise<StoredDocument[]> {
  const held = await holdBase(ctx, base.id);
  await keepFormerVersions(ctx, await findChanging(ctx, base.id, documents));
  const changed = await upsert(ctx, base.id, documents, by);
  let rows = await readStored(ctx, base.id, documents);
  const ids = new Map(rows.map((row) => [keyOf(row), row.id]));
  const changedDetails = await changeDetails(
    ctx,
    documents.map((one) => ({ ...one, id: ids.get(keyOf(one)) as string })),
  );
  if (changedDetails) rows = await readStored(ctx, base.id, documents);
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  const stored = documents.map((given) => {
    const row = byKey.get(keyOf(given)) as DocumentRow;
    return { given, row, outcome: outcomeOf(given, row, changed) };
  });
  const written = stored
    .filter(({ outcome }) => outcome !== "unchanged")
    .map((one) => ({ ...one, pieces: chunksOf(one.given, held.chunk_length) }));
  const chunks: Awaited<ReturnType<typeof chunksFor>> = [];
  for (const { row, pieces } of written) chunks.push(...(await chunksFor(row.id, row.version, pieces)));
  const replaced = written.filter(({ outcome }) => outcome === "replaced").map(({ row }) => row.id);
  const kept = replaced.length === 0 ? chunks : await keepChanges(ctx, held.indexes[0], chunks);
  const classes = await replaceChunks(ctx, held, replaced, kept);
  await removeRowsOf(ctx, held, replaced, by);
  for (const { row, pieces } of written) {
    row.chunks = pieces.length;
    row.data_classes = [...(classes.get(row.id) ?? [])];
  }
  return stored.map(({ outcome, row }) => ({ outcome, row }));
}

async function findChanging(ctx: QueryContext, base: string, documents: readonly NewDocument[]): Promise<string[]> {
  const given = documents.filter(({ external_id }) => external_id !== null);
  if (given.length === 0) return [];
  const rows = await ctx.db.query<{ id: string }>(
    `select d.id from unnest($4::text[], $5::text[]) as g(external_id, digest)
     join documents d on d.organization = $1 and d.environment = $2 and d.base = $3 and d.external_id = g.external_id
     where d.digest is distinct from g.digest order by d.external_id for update of d`,
    [
      ctx.scope.organization,
      ctx.scope.environment,
      base,
      given.map(({ external_id }) => external_id),
      given.map(({ digest }) => digest),
    ],
  );
  return rows.map(({ id }) => id);
}

/** Readers of a file also become readers of its rows. Returns whether anything was set. */
export async function changeDetails(
  ctx: QueryContext,
  documents: readonly (Details & { readonly id: string })[],
): Promise<boolean> {
  let changed = false;
  for (const { id, metadata, readers, review_at, connector, language } of documents) {
    const set = {
      ...(metadata && { metadata: JSON.stringify(metadata) }),
      ...(readers !== undefined && { readers: readers && [...readers] }),
      ...(review_at !== undefined && { review_at }),
      ...(connector !== undefined && { connector }),
      ...(language !== undefined && { language }),
    };
    if (Object.keys(set).length === 0) continue;
    changed = true;
    await all(ctx, update(ctx, "documents").set(set).where("id", "=", id));
    if (set.readers !== undefined)
      await all(ctx, update(ctx, "documents").set({ readers: set.readers }).where("parent", "=", id));
  }
  return changed;
}

function outcomeOf({ id, external_id }: NewDocument, row: DocumentRow, changed: ReadonlySet<string>): Outcome {
  if (row.id === id) return "added";
  return external_id !== null && changed.has(row.id) ? "replaced" : "unchanged";
}

export const keyOf = ({ external_id, digest }: { external_id: string | null; digest: string | null }): string =>
  external_id === null ? `=${digest}` : `#${external_id}`;

const COLUMNS =
  "organization, environment, id, base, external_id, title, text, fields, digest, author, created_at, updated_at, deciders";

/** Sorted by key, so that concurrent calls cannot deadlock. Returns the ids of changed rows. */
async function upsert(
  { scope, db }: QueryContext,
  base: string,
  documents: readonly NewDocument[],
  by: Writer,
): Promise<Set<string>> {
  const changed = new Set<string>();
  const write = async (some: readonly NewDocument[], order: string, conflict: string): Promise<void> => {
    if (some.length === 0) return;
    const rows = await db.query<{ id: string }>(
      `insert into documents as d (${COLUMNS})
       select $1, $2, id, $3, external_id, title, text, fields::jsonb, digest, $4, $5, $5, $12::jsonb
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
        JSON.stringify(by.deciders),
      ],
    );
    for (const { id } of rows) changed.add(id);
  };
  await write(
    documents.filter(({ external_id }) => external_id !== null),
    "external_id",
    `(organization, environment, base, external_id) where external_id is not null do update
     set title = excluded.title, text = excluded.text, fields = excluded.fields, digest = excluded.digest, author = excluded.author,
       updated_at = excluded.updated_at, version = d.version + 1, source = 'text', file_name = null, media_type = null, size = null,
       file_digest = null, url = null, pages = null, pending = null, lease_until = null, row_counts = null, state = 'indexed', progress = 1, error = null,
       attempt = d.attempt + 1, deciders = excluded.deciders || ${correctorsIn("d.deciders")}
     where d.digest is distinct from excluded.digest`,
  );
  await write(
    documents.filter(({ external_id }) => external_id === null),
    "digest",
    "(organization, environment, base, digest) where external_id is null do nothing",
  );
  return changed;
}

function readStored(ctx: QueryContext, base: string, documents: readonly NewDocument[]): Promise<DocumentRow[]> {
  const external = documents.flatMap(({ external_id }) => external_id ?? []);
  const digests = documents.flatMap(({ external_id, digest }) => (external_id === null ? digest : []));
  const any = (values: string[]) => sql<string>`any(${values}::text[])`;
  return all(
    ctx,
    documentsOf(ctx, base)
      .where("d.external_id", "=", any(external))
      .unionAll(documentsOf(ctx, base).where("d.external_id", "is", null).where("d.digest", "=", any(digests))),
  );
}

export async function findSame(
  ctx: QueryContext,
  base: string,
  id: string,
  digest: string,
): Promise<string | undefined> {
  const same = select(ctx, "documents", "d").select("d.id").where("d.base", "=", base).where("d.id", "<>", id);
  return (await first(ctx, same.where("d.external_id", "is", null).where("d.digest", "=", digest)))?.id;
}

/** Keeps its id, access and former version. */
export async function replaceContents(
  ctx: QueryContext,
  { id, base, version }: Pick<DocumentRow, "id" | "base" | "version">,
  { title, text, fields, digest, external_id, ...details }: Omit<NewDocument, "id">,
  replaced: boolean,
  by: Writer,
): Promise<void> {
  await changeDetails(ctx, [{ id, ...details }]);
  if (!replaced) return;
  const held = await holdBase(ctx, base);
  await keepFormerVersions(ctx, [id]);
  await all(
    ctx,
    update(ctx, "documents")
      .set({ title, text, fields: fields && JSON.stringify(fields), digest, version: version + 1, source: "text" })
      .set({ file_name: null, media_type: null, size: null, file_digest: null, url: null, pages: null })
      .set({ state: "indexed", progress: 1, error: null, pending: null, lease_until: null })
      .set({ author: by.author, updated_at: by.at, row_counts: null, deciders: decidersAfter(by) })
      .set({ attempt: sql<number>`attempt + 1` }) // whoever works on the former contents has lost the document
      .where("id", "=", id),
  );
  const pieces = chunksOf({ external_id, title, text, fields }, held.chunk_length);
  const chunks = await keepChanges(ctx, held.indexes[0], await chunksFor(id, version + 1, pieces));
  await replaceChunks(ctx, held, [id], chunks);
  await removeRowsOf(ctx, held, [id], by);
}

/** `waits`: other contents are queued to replace what is served. */
export async function lockDocument(
  ctx: QueryContext,
  id: string,
): Promise<{ version: number; digest: string | null; waits: boolean } | undefined> {
  const waits = sql<boolean>`coalesce(d.pending->>'what' = 'contents', false)`.as("waits");
  const row = select(ctx, "documents", "d").select(["d.version", "d.digest", waits]).where("d.id", "=", id);
  return first(ctx, row.forUpdate());
}

export async function setReaders(ctx: QueryContext, id: string, readers: readonly string[] | null): Promise<void> {
  await changeDetails(ctx, [{ id, readers }]);
}

/** `review_at` null: due after the base's days. */
export async function setReviewed(ctx: QueryContext, id: string, review_at: Date | null, by: By): Promise<void> {
  const set = { review_at, reviewed_at: by.at, reviewed_by: by.author };
  await all(ctx, update(ctx, "documents").set(set).where("id", "=", id));
}

export async function countDocuments(ctx: Seeing, base: string): Promise<number> {
  const seen = select(ctx, "documents", "d").where("d.base", "=", base).where(seenBy(ctx));
  return (await first(ctx, seen.select(sql<number>`count(*)::int`.as("n"))))?.n ?? 0;
}

/** By id, behind `after`. */
export function readContents(ctx: Seeing, base: string, after: string, take: number) {
  return all(
    ctx,
    documentsOf(ctx, base)
      .select(["d.text", sql<Record<string, unknown> | null>`d.fields`.as("fields")])
      .where(seenBy(ctx))
      .where("d.id", ">", after)
      .orderBy("d.id")
      .limit(take),
  );
}

export async function noteRetrievals(
  { scope, db }: QueryContext,
  documents: readonly string[],
  at: Date,
): Promise<void> {
  await db.query(
    `insert into document_usage as u (organization, environment, document, retrievals, last_retrieved_at)
     select $1, $2, document, 1, $4 from (select distinct unnest($3::text[]) as document order by 1) g
     on conflict (organization, environment, document) do update set retrievals = u.retrievals + 1, last_retrieved_at = excluded.last_retrieved_at`,
    [scope.organization, scope.environment, documents, at],
  );
}
