import { ByteCache } from "../../../kernel/byte-cache.ts";
import type { Looking } from "../store.ts";
import type { SearchedBase } from "./postings.ts";

// How many chunks have a term, for the thousands of terms that stand in a search's candidates. They only weigh, so that a minute's delay does no harm.

const keptMs = 60_000;
/** Of all bases together. */
const mostBytes = 32 * 1024 * 1024;
/** A term with its count, about. */
const termBytes = 100;

interface Kept {
  readonly since: number;
  readonly counts: Map<string, number>;
}

/** By bases and generations. */
const kept = new ByteCache<Kept>(mostBytes);

/** The number of chunks with each term, in all the bases together. */
export async function readCounts(
  { scope, db }: Looking,
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

/** The same from memory, as it was up to a minute ago. */
export async function recentCounts(
  ctx: Looking,
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
