import { redact } from "@aos/data-classes";
import { ByteCache } from "../../../../kernel/byte-cache.ts";
import type { ReadContext } from "../../../../kernel/context.ts";
import { type EmbeddingModel, embedder } from "../../../../kernel/embedder.ts";
import { normalized } from "./rules.ts";

/** How long vectors are kept, and a failed provider is left alone (milliseconds). */
const keptMs = { vector: 60_000, prepared: 120_000, failure: 15_000 } as const;
const mostBytes = 16 * 1024 * 1024;
/** Estimate for a vector to come: 1,536 dimensions. */
const vectorBytes = 12 * 1024;
const batchSize = 64;

interface Kept {
  readonly until: number;
  readonly vector: Promise<readonly number[] | null>;
}

type Asking = Pick<ReadContext, "facts" | "port" | "scope">;

const kept = new WeakMap<object, ByteCache<Kept>>();

/** Null: the provider cannot make it now. Concurrent queries share a call. */
export function queryVector(ctx: Asking, model: EmbeddingModel, query: string): Promise<readonly number[] | null> {
  const known = keptOf(ctx);
  const now = performance.now();
  const failed = modelKey(ctx, model);
  const key = `${failed} ${query}`;
  for (const one of [key, failed]) {
    const found = known.get(one);
    if (found && found.until > now) return found.vector;
  }
  const vector = embed(ctx, model, query).catch(() => {
    known.delete(key);
    const none = { until: performance.now() + keptMs.failure, vector: Promise.resolve(null) };
    known.set(failed, none, failed.length * 2);
    return null;
  });
  known.set(key, { until: now + keptMs.vector, vector }, key.length * 2 + vectorBytes);
  return vector;
}

/** What fails here is made when it is asked for. */
export async function prepareQueries(ctx: Asking, model: EmbeddingModel, queries: readonly string[]): Promise<void> {
  const known = keptOf(ctx);
  try {
    const open = await ctx.port(embedder).open(ctx.scope, model);
    for (let at = 0; at < queries.length; at += batchSize) {
      const batch = queries.slice(at, at + batchSize);
      const { vectors } = await open.embed(batch.map(outgoing), { patient: false });
      for (const [i, query] of batch.entries()) {
        const vector = normalized(vectors[i] as readonly number[]);
        const key = `${modelKey(ctx, model)} ${query}`;
        const prepared = { until: performance.now() + keptMs.prepared, vector: Promise.resolve(vector) };
        known.set(key, prepared, key.length * 2 + vector.length * 8);
      }
    }
  } catch {
    // the search goes on without, and says so by its figures
  }
}

function keptOf({ facts }: Asking): ByteCache<Kept> {
  const known = kept.get(facts) ?? new ByteCache<Kept>(mostBytes);
  kept.set(facts, known);
  return known;
}

const modelKey = ({ scope }: Asking, model: EmbeddingModel): string =>
  `${scope.organization} ${scope.environment} ${JSON.stringify(model)}`;

async function embed(ctx: Asking, model: EmbeddingModel, query: string): Promise<readonly number[]> {
  const open = await ctx.port(embedder).open(ctx.scope, model);
  const { vectors } = await open.embed([outgoing(query)], { patient: false });
  return normalized(vectors[0] as readonly number[]);
}

/** About what models take (characters). */
const longest = 8_000;

/** Detected personal data, numbers and secrets become placeholders, whatever policies say. */
export function outgoing(text: string): string {
  return String(redact(text).value).slice(0, longest);
}

/** Titles give the text context. */
export function textOf({
  title,
  headings,
  text,
}: {
  title: string;
  headings: readonly string[];
  text: string;
}): string {
  return outgoing([title, ...headings, text].filter((part) => part !== "").join("\n"));
}
