import type { Sight } from "../access.ts";
import type { Looking } from "../store.ts";
import { allowedOf, allowedPlaces, fewChunks } from "./candidates.ts";
import { allRows, placeAt, readRows, type SearchedBase } from "./postings.ts";

/** Chunks of each term that are looked at, and the rows of postings that have them: usually one of the first is in sight. */
const looks = [
  { chunks: 16, rows: 1 },
  { chunks: 256, rows: 1 },
  { chunks: Number.POSITIVE_INFINITY, rows: allRows },
] as const;

/** Those of the terms that stand in some chunk in sight. To the caller, a term of hidden documents alone is as if nobody had written it. */
export async function visibleTerms(
  ctx: Looking,
  bases: readonly SearchedBase[],
  sight: Sight,
  terms: readonly string[],
): Promise<ReadonlySet<string>> {
  if (terms.length === 0 || sight.every((tokens) => tokens === null)) return new Set(terms);
  const wanted = { bases, conditions: { sight, filters: {}, language: "simple", phrases: [], excluded: [] } };
  const shown = new Set<string>();
  for (const { chunks, rows } of looks) {
    const left = terms.filter((term) => !shown.has(term));
    if (left.length === 0) break;
    const byTerm = await placesOf(ctx, bases, left, rows, chunks);
    const places = [...byTerm.values()].flat();
    const few = places.length <= fewChunks;
    const allowed = new Set(await (few ? allowedOf(ctx, wanted, places) : allowedPlaces(ctx, wanted, null)));
    for (const [term, own] of byTerm) if (own.some((place) => allowed.has(place))) shown.add(term);
  }
  return shown;
}

async function placesOf(
  ctx: Looking,
  bases: readonly SearchedBase[],
  terms: readonly string[],
  rows: number,
  most: number,
): Promise<Map<string, number[]>> {
  const read = await readRows(
    ctx,
    bases,
    terms.map((term, at) => ({ at, term, rows })),
  );
  return new Map(
    read.map(({ term, data }) => [
      terms[term] as string,
      Array.from({ length: Math.min(most, data.length / 6) }, (_none, at) => placeAt(data, 6 * at)),
    ]),
  );
}
