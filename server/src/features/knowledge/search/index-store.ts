import type { NewRow } from "../../../db/scoped.ts";
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
       first_page, last_page, starts_at, ends_at, data_classes, lexemes)
     select $1, $2, $3, $4, document, version, number, coalesce(revision, 1), title, text, coalesce(kind, 'text'), coalesce(headings, '{}'),
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
  { documents, generation = null }: { documents: readonly string[]; generation?: number | null },
): Promise<number> {
  const rows = await db.query(
    `delete from chunks where organization = $1 and environment = $2 and base = $3 and document = any($4::text[])
       and ($5::int is null or generation = $5) returning 1 as gone`,
    [scope.organization, scope.environment, base.id, documents, generation],
  );
  return rows.length;
}
