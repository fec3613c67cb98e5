import type { Sight } from "../access.ts";
import type { Looking } from "../store.ts";
import type { SearchedBase } from "./postings.ts";
import { visibleTerms } from "./visible-terms.ts";

/** A word of the query and what was looked for in its place. */
export interface Correction {
  readonly from: string;
  readonly to: string;
}

interface Corrected extends Correction {
  /** The stems that the word had, and the one that the bases know. */
  readonly stems: readonly string[];
  readonly stem: string;
  readonly chunks: number;
}

/** Shorter words are too near to too many others. */
const shortest = 5;

/** The nearest words of the bases, of those that stand in chunks in sight, for those that none of them knows. */
export async function correctWords(
  ctx: Looking,
  bases: readonly SearchedBase[],
  sight: Sight,
  words: readonly { readonly word: string; readonly stems: readonly string[] }[],
  counts: ReadonlyMap<string, number>,
): Promise<Corrected[]> {
  const unknown = words.filter(({ stems }) => stems.every((stem) => !counts.has(stem))).slice(0, 5);
  const found = await Promise.all(unknown.map((one) => nearest(ctx, bases, sight, one)));
  return found.flatMap((one) => one ?? []);
}

async function nearest(
  ctx: Looking,
  bases: readonly SearchedBase[],
  sight: Sight,
  { word, stems }: { readonly word: string; readonly stems: readonly string[] },
): Promise<Corrected | null> {
  const [stem] = stems;
  if (stem === undefined || stems.length > 1 || stem.length < shortest || stem.length > 40 || /\p{N}/u.test(stem))
    return null;
  const { scope, db } = ctx;
  const slack = stem.length < 8 ? 1 : 2;
  const rows = await db.query<{ term: string; chunks: number }>(
    `select t.term, sum(t.chunks)::int as chunks from unnest($3::text[], $4::int[]) as b(base, generation)
     join chunk_terms t on t.organization = $1 and t.environment = $2 and t.base = b.base and t.generation = b.generation
     where t.trigrams && $5::text[] and length(t.term) between $6 and $7
     group by t.term order by max((select count(*) from unnest(t.trigrams) g where g = any($5::text[]))) desc, t.term limit 100`,
    [
      scope.organization,
      scope.environment,
      bases.map(({ id }) => id),
      bases.map(({ generation }) => generation),
      trigramsOf(stem),
      stem.length - slack,
      stem.length + slack,
    ],
  );
  const nearby = rows
    .map((row) => ({ ...row, distance: editDistance(stem, row.term) }))
    .filter(({ distance }) => distance <= slack)
    .sort((a, b) => a.distance - b.distance || b.chunks - a.chunks || (a.term < b.term ? -1 : 1));
  const shown = await visibleTerms(
    ctx,
    bases,
    sight,
    nearby.map(({ term }) => term),
  );
  const near = nearby.find(({ term }) => shown.has(term));
  return near ? { from: word, to: near.term, stems, stem: near.term, chunks: near.chunks } : null;
}

/** As trigrams_of of the migration, which a prepared statement would evaluate anew for each trigram that it compares. */
function trigramsOf(term: string): string[] {
  const characters = [..."  ", ...term, " "];
  return characters.slice(2).map((_last, at) => characters.slice(at, at + 3).join(""));
}

/** Insertions, deletions, replacements and swaps of neighbours between two words (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_none, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min((last[j] as number) + 1, (row[j - 1] as number) + 1, (last[j - 1] as number) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] as number) + 1);
      row.push(cost);
    }
    before = last;
    last = row;
  }
  return last[b.length] as number;
}
