import type { QueryContext } from "../../../kernel/db.ts";
import type { Index } from "../bases/lookup-store.ts";
import type { NewChunk } from "../search/index-store.ts";

// What was changed by hand in the chunks of a document: a text that was corrected, a chunk that is disabled. It holds for as long as the document is cut into
// a chunk that says what this one said before it was changed. Of chunks that say the same in one document, the first stays the first.

interface ChangedChunk {
  readonly document: string;
  readonly cut: string;
  /** Which of those that say this, from 1. */
  readonly nth: number;
  readonly text: string;
  readonly corrected_from: string | null;
  readonly disabled: boolean;
  readonly data_classes: string[];
}

/** Applies what was changed by hand in an index's chunks to new ones. */
export async function keepChanges<C extends NewChunk>(
  ctx: QueryContext,
  index: Index,
  chunks: readonly C[],
): Promise<(C | (C & NewChunk))[]> {
  const changed = await changesOf(ctx, index, [...new Set(chunks.map(({ document }) => document))]);
  if (changed.length === 0) return [...chunks];
  const keyOf = (document: string, cut: string, nth: number): string => JSON.stringify([document, nth, cut]);
  const byKey = new Map(changed.map((one) => [keyOf(one.document, one.cut, one.nth), one]));
  const seen = new Map<string, number>();
  return chunks.map((chunk) => {
    const first = keyOf(chunk.document, chunk.text, 1);
    const nth = (seen.get(first) ?? 0) + 1;
    seen.set(first, nth);
    const by = byKey.get(keyOf(chunk.document, chunk.text, nth));
    if (!by) return chunk;
    const { text, corrected_from, disabled, data_classes } = by;
    return { ...chunk, text, corrected_from, disabled, data_classes };
  });
}

function changesOf({ scope, db }: QueryContext, { id, generation }: Index, documents: readonly string[]) {
  return db.query<ChangedChunk>(
    `select document, cut, nth, text, corrected_from, disabled, data_classes from (
       select c.*, coalesce(c.corrected_from, c.text) as cut,
         (row_number() over (partition by c.document, coalesce(c.corrected_from, c.text) order by c.number))::int as nth
       from chunks c where c.organization = $1 and c.environment = $2 and c.base = $3 and c.generation = $4 and c.document in (
         select t.document from chunks t where t.organization = $1 and t.environment = $2 and t.base = $3 and t.generation = $4
           and t.document = any($5::text[]) and (t.disabled or t.corrected_from is not null))
     ) c where disabled or corrected_from is not null`,
    [scope.organization, scope.environment, id, generation, documents],
  );
}

/** The chunk cut from the same place in another index. */
export async function findCounterpart(
  { scope, db }: QueryContext,
  { id, generation }: Index,
  of: { readonly document: string; readonly generation: number; readonly number: number },
): Promise<number | undefined> {
  const ranked = (one: string): string =>
    `select number, coalesce(corrected_from, text) as cut, row_number() over (partition by coalesce(corrected_from, text) order by number) as nth
     from chunks where organization = $1 and environment = $2 and base = $3 and document = $4 and generation = ${one}`;
  const [found] = await db.query<{ number: number }>(
    `select o.number from (${ranked("$5")}) c join (${ranked("$6")}) o using (cut, nth) where c.number = $7`,
    [scope.organization, scope.environment, id, of.document, of.generation, generation, of.number],
  );
  return found?.number;
}
