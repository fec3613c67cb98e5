import type { ReadContext } from "../../../kernel/context.ts";
import { type EmbeddingModel, embedder } from "../../../kernel/embedder.ts";
import { normalized } from "./similarity.ts";
import { outgoing } from "./texts.ts";

/** How long a query's vector is kept (milliseconds), and how long a provider that failed is left alone: a search must not wait for it each time. */
const keptMs = { vector: 60_000, failure: 15_000 } as const;
const mostKept = 500;

interface Kept {
  readonly until: number;
  readonly vector: Promise<readonly number[] | null>;
}

type Asking = Pick<ReadContext, "facts" | "scope">;

/** By service: the vectors of queries, and the models that failed lately. */
const kept = new WeakMap<object, Map<string, Kept>>();

/** The vector of a query; null where the provider cannot make it now. Queries of one moment share a call. */
export function queryVector(ctx: Asking, model: EmbeddingModel, query: string): Promise<readonly number[] | null> {
  const known = kept.get(ctx.facts) ?? new Map<string, Kept>();
  kept.set(ctx.facts, known);
  const now = Date.now();
  const failed = `${ctx.scope.organization} ${ctx.scope.environment} ${JSON.stringify(model)}`;
  const key = `${failed} ${query}`;
  for (const one of [key, failed]) {
    const found = known.get(one);
    if (found && found.until > now) return found.vector;
  }
  const vector = embed(ctx, model, query).catch(() => {
    known.delete(key);
    known.set(failed, { until: Date.now() + keptMs.failure, vector: Promise.resolve(null) });
    return null;
  });
  if (known.size >= mostKept) known.clear();
  known.set(key, { until: now + keptMs.vector, vector });
  return vector;
}

async function embed(ctx: Asking, model: EmbeddingModel, query: string): Promise<readonly number[]> {
  const open = await embedder.of(ctx).open(ctx.scope, model);
  const { vectors } = await open.embed([outgoing(query)], { patient: false });
  return normalized(vectors[0] as readonly number[]);
}
