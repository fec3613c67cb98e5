import type { QueryContext } from "../../../../kernel/db.ts";
import type { PortReader } from "../../../../kernel/port.ts";
import { type RerankModel, reranker } from "../../../../kernel/reranker.ts";
import { outgoing, textOf } from "./query-vectors.ts";

/** What a reranker reads of a search: the best passages. */
const most = 30;

export interface Rerankable {
  readonly place: number;
  readonly score: number;
}

export interface Reranked<P extends Rerankable> {
  readonly places: readonly P[];
  /** Null: not all bases name the same reranker. False: it did not answer in time, and the order is the plain one. */
  readonly reranked: boolean | null;
}

/**
 * The best places in the order of the reranker that all bases name; their scores are given out again in it, highest
 * first. Personal data leaves as placeholders.
 */
export async function reranked<P extends Rerankable>(
  ctx: QueryContext & Partial<PortReader>,
  bases: readonly { readonly reranker: RerankModel | null }[],
  query: string,
  places: readonly P[],
): Promise<Reranked<P>> {
  const models = new Set(bases.map((base) => JSON.stringify(base.reranker)));
  const model = bases[0]?.reranker ?? null;
  if (model === null || models.size > 1 || ctx.port === undefined) return { places, reranked: null };
  const best = places.slice(0, most);
  if (best.length < 2) return { places, reranked: true };
  const texts = await textsOf(ctx, best);
  const asked = ctx.port(reranker).rerank(ctx.scope, model, outgoing(query), texts);
  const scores = await asked.catch(() => null);
  if (scores === null) return { places, reranked: false };
  const order = [...best.keys()].sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
  const given = best.map(({ score }) => score).sort((a, b) => b - a);
  const first = order.map((at, rank) => ({ ...(best[at] as P), score: given[rank] as number }));
  return { places: [...first, ...places.slice(most)], reranked: true };
}

async function textsOf({ scope, db }: QueryContext, places: readonly Rerankable[]): Promise<string[]> {
  const rows = await db.query<{ place: number; title: string; headings: string[]; text: string }>(
    `select place::float8 as place, title, headings, text from chunks
     where organization = $1 and environment = $2 and place = any($3::bigint[])`,
    [scope.organization, scope.environment, places.map(({ place }) => place)],
  );
  const byPlace = new Map(rows.map((row) => [row.place, textOf(row)]));
  return places.map(({ place }) => byPlace.get(place) ?? "");
}
