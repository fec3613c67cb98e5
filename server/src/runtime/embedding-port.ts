import type { OpenConnection } from "../features/admin/ports.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Embedder, EmbeddingModel, OpenEmbedding } from "../kernel/embedder.ts";
import { environments, type Scope } from "../kernel/principal.ts";
import type { Tracer } from "../kernel/tracing.ts";
import { createOutbound, type Outbound } from "../outbound/index.ts";
import { type Cost, costOf, ownPrice, ProviderFailure } from "./models/providers/index.ts";
import { estimateTokens } from "./models/providers/usage.ts";

export interface EmbeddingPortParts {
  readonly findConnection: (scope: Scope, name: string) => Promise<OpenConnection | undefined>;
  readonly clock: Clock;
  /** What the operator opened besides public addresses. */
  readonly outboundAllow: readonly string[];
  /** Whether an agent is live in production: then development reaches no loopback. Default: none is. */
  readonly servesProduction?: (() => boolean) | undefined;
  /** Default: nothing is traced. */
  readonly tracer?: Tracer | null;
}

/** How long one attempt may take (milliseconds): of a job, and of a search that somebody waits for. */
const timesMs = { patient: 60_000, impatient: 3_000 } as const;

/** Joins embedding models with connections and the way out. `close` ends its connections to others. */
export function createEmbeddingPort(parts: EmbeddingPortParts): Embedder & { close(): Promise<void> } {
  const { findConnection, clock, outboundAllow, servesProduction, tracer = null } = parts;
  const outbounds = new Map<string, Outbound>(
    environments.map((environment) => [
      environment,
      createOutbound({ environment, allow: outboundAllow, servesProduction, tracer }),
    ]),
  );
  return {
    async open(scope, model) {
      const connection = providerOf(await findConnection(scope, model.connection), model);
      const { createProviderEmbedding } = await import("./models/providers/provider-embedding.ts");
      const { fetch } = outbounds.get(scope.environment) as Outbound;
      const definition = {
        provider: connection.kind,
        name: model.model,
        settings: { base_url: connection.baseUrl },
      };
      const given = { secret: connection.secret, fetch, clock };
      const patient = createProviderEmbedding(definition, given);
      const impatient = createProviderEmbedding(definition, { ...given, retries: { attempts: 1 } });
      const dimensions = model.dimensions === undefined ? {} : { dimensions: model.dimensions };
      return {
        costOf: (tokens) => priceOf(model, connection.kind, tokens)?.usd ?? null,
        price: priceOf(model, connection.kind, 0)?.source ?? null,
        estimate: (texts) => texts.reduce((sum, text) => sum + estimateTokens(text), 0),
        embed: (texts, { patient: waits, signal }) =>
          (waits ? patient : impatient)(texts, {
            ...dimensions,
            ...(signal ? { signal } : {}),
            timeMs: waits ? timesMs.patient : timesMs.impatient,
          }),
      } satisfies OpenEmbedding;
    },
    close: async () => void (await Promise.all([...outbounds.values()].map((one) => one.close()))),
  };
}

type ProviderConnection = OpenConnection & { readonly kind: "openai" | "openai-compatible" };

function providerOf(connection: OpenConnection | undefined, { connection: name }: EmbeddingModel): ProviderConnection {
  if (connection?.kind === "openai" || connection?.kind === "openai-compatible")
    return connection as ProviderConnection;
  const detail = connection
    ? `The connection ${name} is of kind ${connection.kind}, which makes no vectors: name one of kind openai or openai-compatible in the base's embedding.`
    : `The base's embedding names the connection ${name}, which does not exist in this environment: add it with POST /v1/admin/connections.`;
  throw new ProviderFailure("provider_not_configured", detail);
}

function priceOf({ model, price }: EmbeddingModel, kind: string, tokens: number): Cost | null {
  if (price !== undefined) return { usd: (tokens * price) / 1e6, source: ownPrice };
  return costOf(kind, model, { input: tokens, cached: 0, cacheWrite: 0, output: 0 });
}
