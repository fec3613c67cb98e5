import { all, type NewRow, sql, update } from "../../../db/scoped.ts";
import type { Looking } from "../store.ts";

/** A chunk to be indexed: its columns. */
export type NewChunk = Omit<NewRow<"chunks">, "base" | "generation" | "lexemes" | "place" | "stems">;

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
       first_page, last_page, starts_at, ends_at, disabled, data_classes, lexemes)
     select $1, $2, $3, $4, document, coalesce(version, 1), number, coalesce(revision, 1), title, text, coalesce(kind, 'text'), coalesce(headings, '{}'),
       first_page, last_page, starts_at, ends_at, coalesce(disabled, false), coalesce(data_classes, '{}'),
       setweight(to_tsvector($5::text::regconfig, title), 'A') || to_tsvector($5::text::regconfig, text)
     from jsonb_to_recordset($6::jsonb) as c(document text, version int, number int, revision int, title text, text text, kind text, headings text[],
       first_page int, last_page int, starts_at int, ends_at int, disabled boolean, data_classes text[])`,
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

/** Puts a chunk in the place of the one of its number. */
export async function replaceChunk(ctx: Looking, base: IndexedBase, chunk: NewChunk): Promise<void> {
  const { scope, db } = ctx;
  await db.query(
    "delete from chunks where organization = $1 and environment = $2 and base = $3 and document = $4 and generation = $5 and number = $6",
    [scope.organization, scope.environment, base.id, chunk.document, base.generation, chunk.number],
  );
  await indexChunks(ctx, base, [chunk]);
}

/** Takes a chunk out of searches, or puts it back. */
export async function disableChunk(
  ctx: Looking,
  base: Pick<IndexedBase, "id" | "generation">,
  { document, number, disabled }: { readonly document: string; readonly number: number; readonly disabled: boolean },
): Promise<void> {
  await all(
    ctx,
    update(ctx, "chunks")
      .set({ disabled: sql<boolean>`${disabled}` })
      .where("base", "=", base.id)
      .where("document", "=", document)
      .where("generation", "=", base.generation)
      .where("number", "=", number),
  );
}
