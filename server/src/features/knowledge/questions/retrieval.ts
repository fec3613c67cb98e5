import type { ReadContext } from "../../../kernel/context.ts";
import type { ReaderTokens } from "../access.ts";
import { type FoundChunk, search } from "../search-store.ts";
import type { SearchedBase } from "./question-store.ts";

/** By words alone, or by words and vectors. */
export type RetrievalMode = "words" | "hybrid";

/** Chunks that one search looks at: enough that 50 documents come of them. */
const depth = 50;

export type Retrieving = Pick<ReadContext, "scope" | "db" | "facts">;

/** The chunks that answer a question best within what the reader may see, best first, one of each document, in each of the modes. */
export async function retrieve<Mode extends RetrievalMode>(
  ctx: Retrieving,
  base: SearchedBase,
  question: string,
  reader: ReaderTokens,
  modes: readonly Mode[],
): Promise<Readonly<Record<Mode, FoundChunk[]>>> {
  const request = { query: question, bases: [base.id], limit: depth, sight: [reader] };
  const found = await Promise.all(
    modes.map((mode) => search(ctx, { ...request, hybrid: mode === "words" ? "words" : "auto" })),
  );
  return Object.fromEntries(modes.map((mode, at) => [mode, oneOfEach(found[at]?.chunks ?? [])])) as Record<
    Mode,
    FoundChunk[]
  >;
}

function oneOfEach(found: readonly FoundChunk[]): FoundChunk[] {
  const seen = new Set<string>();
  return found.filter(({ document }) => !seen.has(document) && seen.add(document));
}
