import type { NewRow } from "../../../db/scoped.ts";
import type { Looking } from "../store.ts";

/** A chunk to be indexed: its columns. */
export type NewChunk = Omit<NewRow<"chunks">, "base" | "generation" | "lexemes" | "place" | "stems" | "disabled">;

interface IndexedBase {
  readonly id: string;
  readonly language: string;
  readonly generation: number;
}

/** Inserts chunks and what searches find them by. */
export async function indexChunks(
  { scope, db }: Looking,
  { id, language, generation }: IndexedBase,
  chunks: readonly NewChunk[],
): Promise<void> {
  if (chunks.length === 0) return;
  await db.query(
    `insert into chunks (organization, environment, base, generation, document, version, number, revision, title, text, kind, headings,
       first_page, last_page, starts_at, ends_at, data_classes, lexemes)
     select $1, $2, $3, $4, document, coalesce(version, 1), number, coalesce(revision, 1), title, text, coalesce(kind, 'text'), coalesce(headings, '{}'),
       first_page, last_page, starts_at, ends_at, coalesce(data_classes, '{}'),
       setweight(to_tsvector($5::text::regconfig, title), 'A') || to_tsvector($5::text::regconfig, text)
     from jsonb_to_recordset($6::jsonb) as c(document text, version int, number int, revision int, title text, text text, kind text, headings text[],
       first_page int, last_page int, starts_at int, ends_at int, data_classes text[])`,
    [scope.organization, scope.environment, id, generation, language, JSON.stringify(chunks)],
  );
}

/** Removes the chunks of documents, of one generation or of all. Returns how many there were. */
export async function removeChunks(
  { scope, db }: Looking,
  base: Pick<IndexedBase, "id">,
  { documents, generation = null }: { readonly documents: readonly string[]; readonly generation?: number | null },
): Promise<number> {
  const rows = await db.query(
    `delete from chunks where organization = $1 and environment = $2 and base = $3 and document = any($4::text[])
       and ($5::int is null or generation = $5) returning 1 as gone`,
    [scope.organization, scope.environment, base.id, documents, generation],
  );
  return rows.length;
}

/** Removes what a base has in its index: a generation, or all of it. */
export async function removeGeneration({ scope, db }: Looking, base: string, generation: number | null): Promise<void> {
  await db.query(
    "delete from chunks where organization = $1 and environment = $2 and base = $3 and ($4::int is null or generation = $4)",
    [scope.organization, scope.environment, base, generation],
  );
}

/** Names one chunk of a base. */
export interface ChunkKey {
  readonly document: string;
  readonly generation: number;
  readonly number: number;
}

const oneChunk =
  "organization = $1 and environment = $2 and base = $3 and document = $4 and generation = $5 and number = $6";
const keyValues = ({ scope }: Looking, base: string, { document, generation, number }: ChunkKey): unknown[] => [
  ...[scope.organization, scope.environment, base, document, generation, number],
];

/** Takes a chunk out of searches, or puts it back. */
export async function disableChunk(
  ctx: Looking,
  base: Pick<IndexedBase, "id">,
  chunk: ChunkKey,
  disabled: boolean,
): Promise<void> {
  await ctx.db.query(`update chunks set disabled = $7 where ${oneChunk}`, [
    ...keyValues(ctx, base.id, chunk),
    disabled,
  ]);
}

/** Puts another text into a chunk, as its next revision. */
export async function replaceChunk(
  ctx: Looking,
  base: Pick<IndexedBase, "id" | "language">,
  chunk: ChunkKey,
  { title, text }: { readonly title?: string; readonly text: string },
): Promise<void> {
  await ctx.db.query(
    `update chunks set title = coalesce($8, title), text = $7, revision = revision + 1,
       lexemes = setweight(to_tsvector($9::text::regconfig, coalesce($8, title)), 'A') || to_tsvector($9::text::regconfig, $7)
     where ${oneChunk}`,
    [...keyValues(ctx, base.id, chunk), text, title ?? null, base.language],
  );
}
