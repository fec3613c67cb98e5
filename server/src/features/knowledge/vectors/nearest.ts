import type { Looking } from "../store.ts";
import { innerProduct, signsOf } from "./similarity.ts";

/** A base, and which generation of its chunks is searched. */
export interface SearchedBase {
  readonly id: string;
  readonly generation: number;
}

/** A chunk, and the cosine of its vector and the one looked for: 1 is the same direction, 0 has nothing to do with it. */
export interface NearChunk {
  readonly place: number;
  readonly likeness: number;
}

export interface Nearest {
  readonly limit: number;
  /** Whether pgvector knows vectors of so many dimensions. */
  readonly indexed: boolean;
}

/**
 * Numbers that one search without an index compares: 4 MB of them. Bases with fewer are searched exactly; of larger ones, those vectors are compared that differ
 * from the query's in the fewest signs.
 */
const mostCompared = 1_000_000;

/** The chunks whose vectors are nearest to this one, which has length 1; nearest first. */
export async function nearestChunks(
  ctx: Looking,
  bases: readonly SearchedBase[],
  vector: readonly number[],
  { limit, indexed }: Nearest,
): Promise<NearChunk[]> {
  const { organization, environment } = ctx.scope;
  const ids = bases.map(({ id }) => id);
  const generations = bases.map(({ id, generation }) => `${id} ${generation}`);
  if (indexed) {
    const rows = await ctx.db.query<{ place: number | string; likeness: number }>(
      "select place, likeness from nearest_vectors($1, $2, $3::text[], $4::text[], $5::real[], $6)",
      [organization, environment, ids, generations, `{${vector.join(",")}}`, limit],
    );
    return rows.map(({ place, likeness }) => ({ place: Number(place), likeness }));
  }
  const most = Math.max(limit, Math.floor(mostCompared / vector.length));
  const rows = await ctx.db.query<{ place: number | string; packed: Buffer }>(
    `select v.place, array_send(v.vector) as packed from (
       select place, vector from chunk_vectors
       where organization = $1 and environment = $2 and (base, generation) in (select * from unnest($3::text[], $4::int[])) and dimensions = $5
       order by bit_count(signs # $6::bit varying) limit $7
     ) v`,
    [organization, environment, ids, bases.map(({ generation }) => generation), vector.length, signsOf(vector), most],
  );
  return rows
    .map(({ place, packed }) => ({ place: Number(place), likeness: innerProduct(vector, packed) ?? -1 }))
    .sort((a, b) => b.likeness - a.likeness || a.place - b.place)
    .slice(0, limit);
}
