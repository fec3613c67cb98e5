import { ByteCache } from "../../../kernel/byte-cache.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import type { Sight } from "../access.ts";
import { allowedOf, allowedPlaces, fewChunks } from "./candidates.ts";
import { allRows, placeAt, readRows, type SearchedBase } from "./postings.ts";

// How many chunks have a term, for the thousands of terms that stand in a search's candidates. They only weigh, so that a minute's delay does no harm.

const keptMs = 60_000;
const mostBytes = 32 * 1024 * 1024;
const termBytes = 100;

interface Kept {
  readonly since: number;
  readonly counts: Map<string, number>;
}

const kept = new ByteCache<Kept>(mostBytes);

export async function readCounts(
  { scope, db }: QueryContext,
  bases: readonly SearchedBase[],
  terms: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db.query<{ term: string; chunks: number }>(
    `select t.term, sum(t.chunks)::int as chunks from unnest($3::text[], $4::int[]) as b(base, generation)
     join chunk_terms t on t.organization = $1 and t.environment = $2 and t.base = b.base and t.generation = b.generation and t.term = any($5::text[])
     group by t.term`,
    [
      scope.organization,
      scope.environment,
      bases.map(({ id }) => id),
      bases.map(({ generation }) => generation),
      terms,
    ],
  );
  return new Map(rows.map(({ term, chunks }) => [term, chunks]));
}

/** Up to a minute old. */
export async function recentCounts(
  ctx: QueryContext,
  bases: readonly SearchedBase[],
  terms: Iterable<string>,
): Promise<ReadonlyMap<string, number>> {
  const { organization, environment } = ctx.scope;
  const key = [organization, environment, ...bases.map(({ id, generation }) => `${id}:${generation}`).sort()].join(" ");
  let own = kept.get(key);
  if (!own || performance.now() - own.since > keptMs || own.counts.size * termBytes > mostBytes) {
    own = { since: performance.now(), counts: new Map() };
  }
  const { counts } = own;
  const missing: string[] = [];
  for (const term of terms) if (!counts.has(term)) missing.push(term);
  if (missing.length > 0) {
    const read = await readCounts(ctx, bases, missing);
    for (const term of missing) counts.set(term, read.get(term) ?? 0);
    kept.set(key, own, counts.size * termBytes);
  }
  return counts;
}

/** Chunks of each term that are looked at, and the rows of postings that have them: usually one of the first is in sight. */
const looks = [
  { chunks: 16, rows: 1 },
  { chunks: 256, rows: 1 },
  { chunks: Number.POSITIVE_INFINITY, rows: allRows },
] as const;

/** For the caller, a term of hidden documents alone does not exist. */
export async function visibleTerms(
  ctx: QueryContext,
  bases: readonly SearchedBase[],
  sight: Sight,
  terms: readonly string[],
): Promise<ReadonlySet<string>> {
  if (terms.length === 0 || sight.every((tokens) => tokens === null)) return new Set(terms);
  const wanted = { bases, conditions: { sight, filters: {}, phrases: [], excluded: [] } };
  const shown = new Set<string>();
  for (const { chunks, rows } of looks) {
    const left = terms.filter((term) => !shown.has(term));
    if (left.length === 0) break;
    const byTerm = await placesOf(ctx, bases, left, rows, chunks);
    const places = [...byTerm.values()].flat();
    const few = places.length <= fewChunks;
    const allowed = few ? await allowedOf(ctx, wanted, places) : new Set(await allowedPlaces(ctx, wanted, null));
    for (const [term, own] of byTerm) if (own.some((place) => allowed.has(place))) shown.add(term);
  }
  return shown;
}

async function placesOf(
  ctx: QueryContext,
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
