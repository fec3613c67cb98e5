import type { ReadContext } from "../../../kernel/context.ts";
import type { EmbeddingModel } from "../../../kernel/embedder.ts";
import type { Ranked } from "./fuse.ts";
import { nearestChunks, type SearchedBase } from "./nearest.ts";
import { queryVector } from "./query-vectors.ts";

/** Queries of fewer characters than these say too little for a vector. */
const shortest = 2;

/** A chunk at its rank, from 1, with how like its meaning is: a cosine, comparable for one model only. */
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
 * The chunks of bases that mean most nearly what the query says, best first, of all documents: who may read them and filters are the caller's to check. Empty
 * where no base names a model, none is embedded yet, or the provider cannot be asked now. Bases with different models are ranked each by itself.
 */
export async function vectorCandidates(
  ctx: Pick<ReadContext, "scope" | "db" | "facts">,
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
