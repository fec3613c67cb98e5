import type { ReadContext } from "../../../kernel/context.ts";
import type { ReaderTokens } from "../access.ts";
import { searchChunks } from "../search-store.ts";
import { vectorCandidates } from "../vectors/candidates.ts";
import { fuse } from "../vectors/fuse.ts";
import { type FoundPlace, findPlaces, type SearchedBase } from "./question-store.ts";

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
): Promise<Readonly<Record<Mode, FoundPlace[]>>> {
  const words = await searchChunks(ctx, [base.name], question, depth);
  const near = modes.some((mode) => mode === "hybrid") ? await vectorCandidates(ctx, [base], question, depth) : [];
  const found = await findPlaces(
    ctx,
    base,
    { chunks: words.map(({ id }) => id), places: near.map(({ place }) => place) },
    reader,
  );
  const byChunk = new Map(found.map((one) => [one.chunk, one]));
  const byPlace = new Map(found.map((one) => [one.place, one]));
  const ranked = words.flatMap(({ id }) => byChunk.get(id) ?? []);
  const wordRanks = { ranked: ranked.map(({ place }, at) => ({ place, rank: at + 1 })) };
  const orders: Readonly<Record<RetrievalMode, () => FoundPlace[]>> = {
    words: () => ranked,
    hybrid: () => fuse([wordRanks, { ranked: near }]).flatMap(({ place }) => byPlace.get(place) ?? []),
  };
  return Object.fromEntries(modes.map((mode) => [mode, oneOfEach(orders[mode]())])) as Record<Mode, FoundPlace[]>;
}

function oneOfEach(found: readonly FoundPlace[]): FoundPlace[] {
  const seen = new Set<string>();
  return found.filter(({ document_id }) => !seen.has(document_id) && seen.add(document_id));
}
