import type { QueryContext } from "../../../kernel/db.ts";
import { otherLanguages } from "./languages.ts";
import { type ChunkTokens, chunkTokens, lexemesOf } from "./lexemes.ts";
import { stemmer } from "./stems.ts";

// The index itself follows the table `chunks` by its triggers (migration 0033): whoever inserts, changes or deletes chunks has them in the index, or out of it,
// in the same transaction.

export interface IndexedBase {
  readonly id: string;
  readonly language: string;
  readonly generation: number;
}

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
  readonly corrected_from?: string | null;
}

const chunksOfStatement = 500;
/** What a document begins with, of which its language is found. */
const chunksOfSample = 8;

/** All chunks of each document, whose language is found in them. Writers of the same base wait. */
export async function indexChunks(ctx: QueryContext, base: IndexedBase, chunks: readonly NewChunk[]): Promise<void> {
  if (chunks.length === 0) return;
  const languages = await readLanguages(ctx, base, chunks);
  for (let at = 0; at < chunks.length; at += chunksOfStatement)
    await insertChunks(ctx, base, chunks.slice(at, at + chunksOfStatement), languages);
  await noteLanguages(ctx, base, [...new Set(languages.values())]);
}

/** By document, the language that was given or found, where that is not the base's. */
async function readLanguages(
  ctx: QueryContext,
  { language: base }: IndexedBase,
  chunks: readonly NewChunk[],
): Promise<ReadonlyMap<string, string>> {
  const { scope, db } = ctx;
  const texts = Map.groupBy(chunks, ({ document }) => document);
  const documents = [...texts.keys()];
  const samples = [...texts.values()].map((own) =>
    own
      .slice(0, chunksOfSample)
      .map(({ text }) => text)
      .join(" "),
  );
  const found = await otherLanguages(ctx, base, samples);
  const rows = await db.query<{ id: string; language: string }>(
    `with changed as (
       update documents d set found_language = f.language from unnest($3::text[], $4::text[]) as f(id, language)
       where d.organization = $1 and d.environment = $2 and d.id = f.id and d.found_language is distinct from f.language
     ) select id, language from documents where organization = $1 and environment = $2 and id = any($3::text[]) and language is not null`,
    [scope.organization, scope.environment, documents, documents.map((_one, at) => found.get(at) ?? null)],
  );
  const given = new Map(rows.map(({ id, language }) => [id, language]));
  return new Map(
    documents.flatMap((one, at) => {
      const language = given.get(one) ?? found.get(at) ?? base;
      return language === base ? [] : [[one, language] as const];
    }),
  );
}

async function insertChunks(
  ctx: QueryContext,
  base: IndexedBase,
  chunks: readonly NewChunk[],
  languages: ReadonlyMap<string, string>,
): Promise<void> {
  const { scope, db } = ctx;
  const rows = await Promise.all(
    [...Map.groupBy(chunks, ({ document }) => languages.get(document) ?? null)].map(async ([language, own]) =>
      (await withLexemes(ctx, language ?? base.language, own)).map((row) => ({ ...row, language })),
    ),
  );
  await db.query(
    `insert into chunks (organization, environment, base, generation, document, number, title, text, version, revision, kind, headings, first_page, last_page,
       starts_at, ends_at, data_classes, disabled, corrected_from, lexemes, stems, language)
     select $1, $2, $3, $4, document, number, title, text, coalesce(version, 1), coalesce(revision, 1), coalesce(kind, 'text'), coalesce(headings, '{}'),
       first_page, last_page, starts_at, ends_at, coalesce(data_classes, '{}'), coalesce(disabled, false), corrected_from, lexemes::tsvector, length, language
     from json_to_recordset($5::json) as p(document text, number int, title text, text text, version int, revision int, kind text, headings text[],
       first_page int, last_page int, starts_at int, ends_at int, data_classes text[], disabled boolean, corrected_from text, lexemes text, length int, language text)`,
    [scope.organization, scope.environment, base.id, base.generation, JSON.stringify(rows.flat())],
  );
}

/** The index's row is locked by whoever writes to it. */
async function noteLanguages(
  { scope, db }: QueryContext,
  { id, generation }: IndexedBase,
  languages: readonly string[],
): Promise<void> {
  if (languages.length === 0) return;
  await db.query(
    `update chunk_indexes set languages = array(select distinct unnest(languages || $5::text[]) order by 1)
     where organization = $1 and environment = $2 and base = $3 and generation = $4 and not languages @> $5::text[]`,
    [scope.organization, scope.environment, id, generation, languages],
  );
}

async function withLexemes<T extends Pick<NewChunk, "title" | "text" | "headings">>(
  ctx: QueryContext,
  language: string,
  chunks: readonly T[],
): Promise<(T & { readonly lexemes: string; readonly length: number })[]> {
  const tokens = chunks.map(({ title, text, headings = [] }) => chunkTokens({ title, headings, text }));
  const all = tokens.flatMap(({ headings, text }) => [...headings.flat(), ...text]);
  const stemOf = await stemmer(ctx, language, all);
  return chunks.map((chunk, at) => ({ ...chunk, ...lexemesOf(tokens[at] as ChunkTokens, stemOf) }));
}

/** Returns how many. */
export async function removeChunks(
  { scope, db }: QueryContext,
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

/** Null: all. Much faster than by document. */
export async function removeGeneration(
  { scope, db }: QueryContext,
  base: string,
  generation: number | null,
): Promise<void> {
  const values = [scope.organization, scope.environment, base, generation];
  // Without its row in chunk_indexes, a deleted chunk's postings are not looked for one by one.
  for (const table of ["chunk_indexes", "chunk_postings", "chunk_terms", "chunks"])
    await db.query(
      `delete from ${table} where organization = $1 and environment = $2 and base = $3 and ($4::int is null or generation = $4)`,
      values,
    );
}

export interface ChunkKey {
  readonly document: string;
  readonly generation: number;
  readonly number: number;
}

const oneChunk = `organization = $1 and environment = $2 and base = $3 and document = $4 and generation = $5 and number = $6`;
const keyValues = ({ scope }: QueryContext, base: string, { document, generation, number }: ChunkKey): unknown[] => [
  scope.organization,
  scope.environment,
  base,
  document,
  generation,
  number,
];

export async function disableChunk(
  ctx: QueryContext,
  base: Pick<IndexedBase, "id">,
  chunk: ChunkKey,
  disabled: boolean,
): Promise<void> {
  await ctx.db.query(`update chunks set disabled = $7 where ${oneChunk} and disabled <> $7`, [
    ...keyValues(ctx, base.id, chunk),
    disabled,
  ]);
}

export async function replaceChunk(
  ctx: QueryContext,
  base: Pick<IndexedBase, "id" | "language">,
  chunk: ChunkKey,
  { title, text }: { readonly title?: string; readonly text: string },
): Promise<void> {
  const key = keyValues(ctx, base.id, chunk);
  const [present] = await ctx.db.query<{ title: string; headings: string[]; language: string | null }>(
    `select title, headings, language from chunks where ${oneChunk} for update`,
    key,
  );
  if (!present) return;
  const changed = { title: title ?? present.title, headings: present.headings, text };
  const [row] = await withLexemes(ctx, present.language ?? base.language, [changed]);
  await ctx.db.query(
    `update chunks set title = $8, text = $7, revision = revision + 1, corrected_from = nullif(coalesce(corrected_from, text), $7),
       lexemes = $9::tsvector, stems = $10
     where ${oneChunk}`,
    [...key, text, changed.title, row?.lexemes, row?.length],
  );
}
