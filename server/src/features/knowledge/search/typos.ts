import type { QueryContext } from "../../../kernel/db.ts";
import type { Sight } from "../access.ts";
import type { SearchedBase } from "./postings.ts";
import { readCounts, visibleTerms } from "./terms.ts";

export interface Correction {
  readonly from: string;
  readonly to: string;
}

interface AskedWord {
  readonly text: string;
  /** In each language. */
  readonly stems: readonly string[];
}

interface Corrected extends Correction {
  /** The stem that is looked for instead, and how many chunks have it. */
  readonly correct: string;
  readonly chunks: number;
}

/** Shorter words have too many neighbours. */
const shortest = 5;

/** Words of a question that are corrected. */
const most = 5;

/** Only terms that occur in chunks in sight. */
export async function correctWords(
  ctx: QueryContext,
  bases: readonly SearchedBase[],
  sight: Sight,
  unknown: readonly AskedWord[],
): Promise<Corrected[]> {
  const found = unknown.slice(0, most).map(async ({ text, stems }) => {
    const near = await Promise.all(stems.map((stem) => nearest(ctx, bases, sight, stem)));
    const [best] = near.flatMap((one) => one ?? []).sort((a, b) => a.distance - b.distance || b.chunks - a.chunks);
    return best ? [{ from: text, to: best.term, correct: best.term, chunks: best.chunks }] : [];
  });
  return (await Promise.all(found)).flat();
}

interface Near {
  readonly term: string;
  readonly chunks: number;
  readonly distance: number;
}

async function nearest(
  ctx: QueryContext,
  bases: readonly SearchedBase[],
  sight: Sight,
  stem: string,
): Promise<Near | null> {
  if (stem.length < shortest || stem.length > 40 || /\p{N}/u.test(stem)) return null;
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
  const swapped = await readCounts(ctx, bases, swapsOf(stem));
  const nearby = [...new Map([...rows, ...termsOf(swapped)].map((row) => [row.term, row])).values()]
    .map((row) => ({ ...row, distance: editDistance(stem, row.term) }))
    .filter(({ distance }) => distance <= slack)
    .sort((a, b) => a.distance - b.distance || b.chunks - a.chunks || (a.term < b.term ? -1 : 1));
  const shown = await visibleTerms(
    ctx,
    bases,
    sight,
    nearby.map(({ term }) => term),
  );
  return nearby.find(({ term }) => shown.has(term)) ?? null;
}

const termsOf = (counts: ReadonlyMap<string, number>) => [...counts].map(([term, chunks]) => ({ term, chunks }));

/** With two neighbours swapped: the most frequent typo, and one that leaves few trigrams as they were. */
const swapsOf = (stem: string): string[] =>
  Array.from({ length: stem.length - 1 }, (_none, at) => {
    const [first = "", second = ""] = stem.slice(at, at + 2);
    return `${stem.slice(0, at)}${second}${first}${stem.slice(at + 2)}`;
  });

/** As the migration's trigrams_of, which a prepared statement would evaluate for each trigram that it compares. */
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
