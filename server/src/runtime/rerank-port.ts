import { type Meter, noMeter } from "../kernel/metrics.ts";
import { environments, type Scope } from "../kernel/principal.ts";
import type { Reranker, RerankModel } from "../kernel/reranker.ts";
import { parseJson } from "../kernel/stored-json.ts";
import { createOutbound, type Outbound } from "../outbound/index.ts";
import type { EmbeddingPortParts } from "./embedding-port.ts";
import { ProviderFailure } from "./models/providers/index.ts";

/** How long a search waits for the order, and leaves a provider alone that failed (milliseconds). */
const [longest, afterFailure] = [2_000, 15_000] as const;

/** Joins reranking models with connections and the way out. `close` ends its connections to others. */
export function createRerankPort(
  parts: EmbeddingPortParts & { readonly meter?: Meter },
): Reranker & { close(): Promise<void> } {
  const { findConnection, clock, outboundAllow, servesProduction, tracer = null } = parts;
  const outbounds = new Map<string, Outbound>(
    environments.map((environment) => [
      environment,
      createOutbound({ environment, allow: outboundAllow, servesProduction, tracer }),
    ]),
  );
  const pausedUntil = new Map<string, number>();
  const failures = new Map<string, string>();
  const calls = (parts.meter ?? noMeter).counter({
    name: "aos_reranks_total",
    labels: ["outcome"],
    help: "Calls of rerankers, by what came of them: `ok`, or the code of the failure.",
  });
  return {
    failureOf: (scope, model) => failures.get(keyOf(scope, model)) ?? null,
    async rerank(scope, model, query, texts) {
      const key = keyOf(scope, model);
      if ((pausedUntil.get(key) ?? 0) > clock.now())
        throw new ProviderFailure("provider_unavailable", `The reranker ${model.model} just failed: it is left alone.`);
      try {
        const connection = await findConnection(scope, model.connection);
        if (connection?.kind !== "openai-compatible")
          throw new ProviderFailure(
            "provider_not_configured",
            `The base's reranker names ${model.connection}, which is no connection of kind openai-compatible: add it with POST /v1/admin/connections.`,
          );
        const { body, status } = await (outbounds.get(scope.environment) as Outbound).send({
          url: `${connection.baseUrl.replace(/\/+$/, "")}/rerank`,
          method: "POST",
          headers: { "content-type": "application/json" },
          ...(connection.secret !== null && { secretHeaders: { authorization: `Bearer ${connection.secret}` } }),
          body: JSON.stringify(requestOf(model, query, texts)),
          timeoutMs: longest,
        });
        const scores = status === 200 ? scoresIn(Buffer.from(body).toString(), texts.length) : null;
        if (scores === null)
          throw new ProviderFailure("provider_answer_unreadable", `The reranker ${model.model} answered ${status}.`);
        pausedUntil.delete(key);
        failures.delete(key);
        calls.add(["ok"]);
        return scores;
      } catch (error) {
        pausedUntil.set(key, clock.now() + afterFailure);
        const known = error instanceof ProviderFailure;
        failures.set(key, known ? error.message : `The reranker ${model.model} could not be reached in time.`);
        calls.add([known ? error.code : "provider_unreachable"]);
        throw error;
      }
    },
    close: async () => void (await Promise.all([...outbounds.values()].map((one) => one.close()))),
  };
}

const keyOf = ({ organization, environment }: Scope, model: RerankModel): string =>
  JSON.stringify([organization, environment, model]);

const requestOf = ({ model, interface: kind = "cohere" }: RerankModel, query: string, texts: readonly string[]) =>
  kind === "tei" ? { query, texts, truncate: true } : { model, query, documents: texts, top_n: texts.length };

/**
 * Both kinds answer with the numbers of the texts, best first: `results` with `relevance_score`, or a list with
 * `score`. Null: something else.
 */
export function scoresIn(text: string, count: number): number[] | null {
  const answer = parsed(text);
  const results = Array.isArray(answer) ? answer : membersOf(answer).results;
  if (!Array.isArray(results)) return null;
  const scores = new Array<number>(count).fill(Number.NEGATIVE_INFINITY);
  for (const one of results) {
    const { index, relevance_score: score = membersOf(one).score } = membersOf(one);
    if (typeof index !== "number" || typeof score !== "number" || scores[index] === undefined) return null;
    scores[index] = score;
  }
  return results.length > 0 ? scores : null;
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
