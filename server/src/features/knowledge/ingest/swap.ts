import { type Changes, first, select, update } from "../../../db/scoped.ts";
import { indexChunks, type NewChunk, removeChunks } from "../search/index-store.ts";
import type { Looking } from "../store.ts";

/** A base while documents of it are indexed. */
export interface IndexedBase {
  readonly id: string;
  readonly name: string;
  readonly language: string;
  readonly generation: number;
  readonly next_generation: number | null;
  readonly next_language: string | null;
}

/** Chunks that one statement writes. */
const chunksOfStatement = 500;

/** The base, which keeps its generation until the transaction ends: the end of a reindex waits. */
export async function holdBase(ctx: Looking, id: string): Promise<IndexedBase | undefined> {
  return first(
    ctx,
    select(ctx, "knowledge_bases", "b")
      .select(["b.id", "b.name", "b.language", "b.generation", "b.next_generation", "b.next_language"])
      .where("b.id", "=", id)
      .forShare(),
  );
}

/** Where new chunks go: what searches read, and what a reindex is building. */
export function indexesOf({ id, language, generation, next_generation, next_language }: IndexedBase) {
  const served = { id, language, generation };
  const next = { id, language: next_language ?? language, generation: next_generation ?? generation };
  return next_generation === null ? [served] : [served, next];
}

/** Keeps the chunks of documents as they were cited. */
export async function keepFormerChunks(
  { scope, db }: Looking,
  base: string,
  documents: readonly string[],
  generation: number | null = null,
): Promise<void> {
  await db.query(
    `insert into former_chunks (organization, environment, base, document, version, generation, number, revision, title, text, kind, headings,
       first_page, last_page, starts_at, ends_at, data_classes, replaced_at)
     select organization, environment, base, document, version, generation, number, revision, title, text, kind, headings,
       first_page, last_page, starts_at, ends_at, data_classes, now()
     from chunks where organization = $1 and environment = $2 and base = $3 and document = any($4::text[]) and ($5::int is null or generation = $5)
     on conflict do nothing`,
    [scope.organization, scope.environment, base, documents, generation],
  );
}

/** Keeps what a document said. */
export async function keepFormerVersion({ scope, db }: Looking, document: string): Promise<void> {
  await db.query(
    `insert into document_versions (organization, environment, document, version, title, text, fields, digest, source, file_name, media_type, size,
       file_digest, url, pages, author, created_at, replaced_at)
     select organization, environment, id, version, title, text, fields, digest, source, file_name, media_type, size, file_digest, url, pages, author,
       updated_at, now()
     from documents where organization = $1 and environment = $2 and id = $3
     on conflict do nothing`,
    [scope.organization, scope.environment, document],
  );
}

/**
 * Puts these chunks in the place of all that a document has, and keeps those for their citations. The chunks of a base whose next generation is being built
 * go into both.
 */
export async function replaceDocumentChunks(
  ctx: Looking,
  base: IndexedBase,
  document: string,
  chunks: readonly NewChunk[],
): Promise<void> {
  const revision = await nextRevision(ctx, base, document, chunks[0]?.version ?? 0);
  await keepFormerChunks(ctx, base.id, [document]);
  await removeChunks(ctx, base, { documents: [document] });
  const revised = chunks.map((chunk) => ({ ...chunk, revision }));
  for (const index of indexesOf(base)) await indexInBatches(ctx, index, revised);
}

/** Chunks of the same version that were cut before keep their citations: the new ones have a revision of their own. */
async function nextRevision(
  { scope, db }: Looking,
  { id }: IndexedBase,
  document: string,
  version: number,
): Promise<number> {
  const [row] = await db.query<{ revision: number | null }>(
    `select max(revision)::int as revision from (
       select revision from chunks where organization = $1 and environment = $2 and base = $3 and document = $4 and version = $5
       union all
       select revision from former_chunks where organization = $1 and environment = $2 and document = $4 and version = $5
     ) r`,
    [scope.organization, scope.environment, id, document, version],
  );
  return (row?.revision ?? 0) + 1;
}

export async function indexInBatches(
  ctx: Looking,
  base: { id: string; language: string; generation: number },
  chunks: readonly NewChunk[],
): Promise<void> {
  for (let at = 0; at < chunks.length; at += chunksOfStatement)
    await indexChunks(ctx, base, chunks.slice(at, at + chunksOfStatement));
}

/** Writes into a document that an attempt holds; false where it has lost it. */
export async function endAttempt(
  ctx: Looking,
  { document, attempt }: { readonly document: string; readonly attempt: number },
  set: Changes<"documents">,
): Promise<boolean> {
  const ended = await first(
    ctx,
    update(ctx, "documents")
      .set({ ...set, lease_until: null })
      .where("id", "=", document)
      .where("attempt", "=", attempt)
      .where("state", "in", ["queued", "parsing", "indexing"])
      .returning("id"),
  );
  return ended !== undefined;
}
