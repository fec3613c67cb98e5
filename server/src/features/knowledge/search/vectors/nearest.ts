import type { ReadContext } from "../../../../kernel/context.ts";
import type { QueryContext } from "../../../../kernel/db.ts";
import type { EmbeddingModel } from "../../../../kernel/embedder.ts";
import { queryVector } from "./query-vectors.ts";
import { innerProduct, type Ranked, signsOf } from "./rules.ts";

export interface SearchedBase {
  readonly id: string;
  readonly generation: number;
}

/** `likeness` is a cosine. */
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

/** `vector` has length 1. Nearest first. */
export async function nearestChunks(
  ctx: QueryContext,
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

const shortest = 2;

export interface Candidate extends Ranked {
  readonly likeness: number;
}

interface ModelBases {
  readonly embedding: EmbeddingModel;
  readonly dimensions: number;
  readonly indexed: boolean;
  readonly bases: readonly SearchedBase[];
}

/**
 * Regardless of readers and filters, which the caller checks. Empty where no base names a model, none is embedded
 * yet, or the provider fails. The bases of each model are ranked separately.
 */
export async function vectorCandidates(
  ctx: Pick<ReadContext, "scope" | "db" | "facts" | "port">,
  bases: readonly { readonly id: string; readonly generation: number }[],
  query: string,
  limit: number,
): Promise<Candidate[]> {
  if (bases.length === 0 || query.trim().length < shortest) return [];
  const lists = await Promise.all(
    (await basesByModel(ctx, bases)).map(async ({ embedding, dimensions, indexed, bases: searched }) => {
      const vector = await queryVector(ctx, embedding, query);
      return vector?.length === dimensions ? nearestChunks(ctx, searched, vector, { limit, indexed }) : [];
    }),
  );
  return lists
    .flatMap((chunks) => chunks.map((chunk, at) => ({ ...chunk, rank: at + 1 })))
    .sort((a, b) => a.rank - b.rank || a.place - b.place)
    .slice(0, limit);
}

async function basesByModel(
  { scope, db }: Pick<ReadContext, "scope" | "db">,
  bases: readonly { readonly id: string; readonly generation: number }[],
): Promise<ModelBases[]> {
  const rows = await db.query<{ base: string } & Omit<ModelBases, "bases">>(
    `select e.base, b.embedding, e.dimensions, to_regclass('chunk_vectors_hnsw_' || e.dimensions) is not null as indexed
     from base_embeddings e join knowledge_bases b on b.organization = $1 and b.environment = $2 and b.id = e.base
     where e.organization = $1 and e.environment = $2 and e.base = any($3::text[]) and e.dimensions is not null and b.embedding is not null`,
    [scope.organization, scope.environment, bases.map(({ id }) => id)],
  );
  const groups = Map.groupBy(rows, ({ embedding, dimensions }) => JSON.stringify([embedding, dimensions]));
  return [...groups.values()].map((group) => {
    const [{ embedding, dimensions, indexed }] = group as [(typeof rows)[number]];
    const ids = new Set(group.map(({ base }) => base));
    return { embedding, dimensions, indexed, bases: bases.filter(({ id }) => ids.has(id)) };
  });
}
