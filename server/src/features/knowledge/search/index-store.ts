import type { Looking } from "../store.ts";

// The index itself follows the table `chunks` by its triggers (migration 0033): whoever inserts, changes or deletes chunks has them in the index, or out of it,
// in the same transaction.

/** Where chunks go: a base, and the generation of its chunks that is being written. */
export interface IndexedBase {
  readonly id: string;
  readonly language: string;
  readonly generation: number;
}

/** A piece of a document, before it is stored. What is left out is as the table has it by default. */
export interface NewChunk {
  readonly document: string;
  readonly number: number;
  readonly title: string;
  readonly text: string;
  readonly version?: number;
  readonly revision?: number;
  readonly kind?: string;
  readonly headings?: readonly string[];
  readonly first_page?: number | null;
  readonly last_page?: number | null;
  readonly starts_at?: number | null;
  readonly ends_at?: number | null;
  readonly data_classes?: readonly string[];
  readonly disabled?: boolean;
  /** What it said as it was cut, where its text was corrected by hand. */
  readonly corrected_from?: string | null;
}

/** SQL of a chunk's stems, of which those of the title carry weight A and those of the headings B. */
const lexemesOf = (language: string, title: string, headings: string, text: string): string =>
  `setweight(to_tsvector(${language}::regconfig, ${title}), 'A')
    || setweight(to_tsvector(${language}::regconfig, array_to_string(${headings}, ' ')), 'B') || to_tsvector(${language}::regconfig, ${text})`;

/** Inserts chunks with their postings. Other transactions that write to the index of the same base wait. */
export async function indexChunks(
  { scope, db }: Looking,
  base: IndexedBase,
  chunks: readonly NewChunk[],
): Promise<void> {
  if (chunks.length === 0) return;
  await db.query(
    `insert into chunks (organization, environment, base, generation, document, number, title, text, version, revision, kind, headings, first_page, last_page,
       starts_at, ends_at, data_classes, disabled, corrected_from, lexemes)
     select $1, $2, $3, $4, document, number, title, text, coalesce(version, 1), coalesce(revision, 1), coalesce(kind, 'text'), coalesce(headings, '{}'),
       first_page, last_page, starts_at, ends_at, coalesce(data_classes, '{}'), coalesce(disabled, false),
       corrected_from, ${lexemesOf("$5::text", "title", "coalesce(headings, '{}')", "text")}
     from json_to_recordset($6::json) as p(document text, number int, title text, text text, version int, revision int, kind text, headings text[],
       first_page int, last_page int, starts_at int, ends_at int, data_classes text[], disabled boolean, corrected_from text)`,
    [scope.organization, scope.environment, base.id, base.generation, base.language, JSON.stringify(chunks)],
  );
}

/** Deletes the chunks of documents, of one generation or of all, with all that the index has of them. Returns how many there were. */
export async function removeChunks(
  { scope, db }: Looking,
  base: Pick<IndexedBase, "id">,
  { documents, generation }: { readonly documents: readonly string[]; readonly generation?: number },
): Promise<number> {
  if (documents.length === 0) return 0;
  const rows = await db.query<{ n: number }>(
    `with gone as (
       delete from chunks where organization = $1 and environment = $2 and base = $3 and document = any($4::text[]) and ($5::int is null or generation = $5)
       returning 1
     ) select count(*)::int as n from gone`,
    [scope.organization, scope.environment, base.id, documents, generation ?? null],
  );
  return rows[0]?.n ?? 0;
}

/** Deletes a whole generation of a base, or all of them: much faster than document by document. */
export async function removeGeneration({ scope, db }: Looking, base: string, generation: number | null): Promise<void> {
  const values = [scope.organization, scope.environment, base, generation];
  // Without its row in chunk_indexes, a deleted chunk's postings are not looked for one by one.
  for (const table of ["chunk_indexes", "chunk_postings", "chunk_terms", "chunks"])
    await db.query(
      `delete from ${table} where organization = $1 and environment = $2 and base = $3 and ($4::int is null or generation = $4)`,
      values,
    );
}

/** Names one chunk of a base. */
export interface ChunkKey {
  readonly document: string;
  readonly generation: number;
  readonly number: number;
}

const oneChunk = `organization = $1 and environment = $2 and base = $3 and document = $4 and generation = $5 and number = $6`;
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
  await ctx.db.query(`update chunks set disabled = $7 where ${oneChunk} and disabled <> $7`, [
    ...keyValues(ctx, base.id, chunk),
    disabled,
  ]);
}

/** Puts another text into a chunk, as its next revision, and keeps what it said as it was cut. */
export async function replaceChunk(
  ctx: Looking,
  base: Pick<IndexedBase, "id" | "language">,
  chunk: ChunkKey,
  { title, text }: { readonly title?: string; readonly text: string },
): Promise<void> {
  await ctx.db.query(
    `update chunks set title = coalesce($8, title), text = $7, revision = revision + 1, corrected_from = nullif(coalesce(corrected_from, text), $7),
       lexemes = ${lexemesOf("$9::text", "coalesce($8, title)", "headings", "$7")}
     where ${oneChunk}`,
    [...keyValues(ctx, base.id, chunk), text, title ?? null, base.language],
  );
}
