import type { Sight } from "../access.ts";
import type { Looking } from "../store.ts";
import { allowedOf, allowedPlaces, fewChunks } from "./candidates.ts";
import { allRows, placeAt, readRows, type SearchedBase } from "./postings.ts";

/** Chunks of each term that are looked at first: usually one of them is in sight. */
const first = 16;

/** Those of the terms that stand in some chunk in sight. To the caller, a term of hidden documents alone is as if nobody had written it. */
export async function visibleTerms(
  ctx: Looking,
  bases: readonly SearchedBase[],
  sight: Sight,
  terms: readonly string[],
): Promise<ReadonlySet<string>> {
  if (terms.length === 0 || sight.every((tokens) => tokens === null)) return new Set(terms);
  const wanted = { bases, conditions: { sight, filters: {}, language: "simple", phrases: [], excluded: [] } };
  const some = await placesOf(ctx, bases, terms, 1, first);
  const shown = thoseIn(some, await allowedOf(ctx, wanted, [...some.values()].flat()));
  const left = terms.filter((term) => !shown.has(term));
  if (left.length === 0) return shown;
  const all = await placesOf(ctx, bases, left, allRows, Number.POSITIVE_INFINITY);
  const places = [...all.values()].flat();
  const allowed =
    places.length > fewChunks ? await allowedPlaces(ctx, wanted, null) : await allowedOf(ctx, wanted, places);
  return new Set([...shown, ...thoseIn(all, allowed)]);
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

function thoseIn(places: ReadonlyMap<string, number[]>, allowed: readonly number[]): Set<string> {
  const set = new Set(allowed);
  return new Set([...places].filter(([, own]) => own.some((place) => set.has(place))).map(([term]) => term));
}
