import type {
  Asked,
  ConnectionHeaders,
  ConnectionPort,
  OpenConnection,
  Probe,
  Written,
} from "../features/admin/ports.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Scope } from "../kernel/principal.ts";
import type { ModelProvider } from "../kernel/provider-addresses.ts";
import type { Tracer } from "../kernel/tracing.ts";
import { createOutbound, type Outbound, OutboundError } from "../outbound/index.ts";
import { costOf, loadProviderModels, ProviderFailure } from "./models/providers/index.ts";

export interface ConnectionPortParts {
  readonly credentialKey: Buffer;
  /** What a connection adds to a request. */
  readonly headersOf: (connection: OpenConnection) => ConnectionHeaders;
  readonly clock: Clock;
  /** What the operator opened besides public addresses. */
  readonly outboundAllow: readonly string[];
  /** Whether an agent is live in production: then development reaches no loopback. Default: none is. */
  readonly servesProduction?: (() => boolean) | undefined;
  /** Default: nothing is traced. */
  readonly tracer?: Tracer | null;
}

/** Tries at a time in one process: each holds a connection to the database while it waits for others. */
const mostAtATime = 3;
/** How long one may take, in milliseconds. */
const probeMs = 15_000;
const writeMs = 90_000;
const mostWritten = 8_000;

/** Joins connections with the way out and with the models of providers. */
export function createConnectionPort({
  credentialKey,
  headersOf,
  clock,
  outboundAllow,
  servesProduction,
  tracer = null,
}: ConnectionPortParts): ConnectionPort {
  let running = 0;
  const call = async <T>(
    { environment }: Scope,
    connection: OpenConnection,
    use: (outbound: Outbound) => Promise<T>,
  ): Promise<T | Probe | null> => {
    if (running >= mostAtATime) return null;
    running++;
    const outbound = createOutbound({ environment, allow: outboundAllow, servesProduction, tracer });
    try {
      return await use(outbound);
    } catch (error) {
      return failed(error, connection);
    } finally {
      running--;
      await outbound.close();
    }
  };
  return {
    credentialKey,
    probe: (scope, connection, model, signal) =>
      call(scope, connection, async (outbound) => {
        const { kind } = connection;
        const called = { ...connection, headers: headersOf(connection).headers };
        if (kind === "http") return fetchAddress(outbound, called, signal);
        return model === null
          ? listModels(outbound, called, signal)
          : askModel({ ...connection, kind }, model, { outbound, clock, signal });
      }),
    ask: (scope, connection, asked, signal) =>
      call(scope, connection, async (outbound) => {
        const { kind } = connection;
        if (kind === "http")
          return { code: "no_provider", detail: `${connection.name} is of kind http, which has no models.` };
        return written({ ...connection, kind }, asked, { outbound, clock, signal });
      }),
  };
}

interface Asking {
  readonly outbound: Outbound;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

type ProviderConnection = OpenConnection & { readonly kind: ModelProvider };

async function askModel(connection: ProviderConnection, name: string, asking: Asking): Promise<Probe> {
  const prompt = { model: name, system: null, user: "Answer with the word yes." };
  const { tokens, usd } = await answered(connection, prompt, asking, { tokens: 16, ms: probeMs });
  const price =
    usd === null
      ? "no price of it is known, so that only tokens are counted"
      : `at list price $${Number(usd.toFixed(8))}`;
  return { code: null, detail: `${name} answered; that took ${tokens} tokens; ${price}.` };
}

const written = (connection: ProviderConnection, asked: Asked, asking: Asking): Promise<Written> =>
  answered(connection, asked, asking, { tokens: mostWritten, ms: writeMs });

async function answered(
  { kind, baseUrl, secret }: ProviderConnection,
  { model: name, system, user }: Omit<Asked, "system"> & { readonly system: string | null },
  { outbound, clock, signal }: Asking,
  most: { readonly tokens: number; readonly ms: number },
): Promise<Written> {
  const parts = { secret, fetch: outbound.fetch, clock, times: { answerMs: most.ms }, retries: { attempts: 1 } };
  const { createProviderModel } = await loadProviderModels();
  const model = createProviderModel({ provider: kind, name, settings: { base_url: baseUrl } }, parts);
  const { content, usage } = await model.doGenerate({
    prompt: [
      ...(system === null ? [] : [{ role: "system" as const, content: system }]),
      { role: "user", content: [{ type: "text", text: user }] },
    ],
    maxOutputTokens: most.tokens,
    abortSignal: signal,
  });
  const { inputTokens, outputTokens } = usage;
  const used = {
    input: inputTokens.total ?? 0,
    cached: inputTokens.cacheRead ?? 0,
    cacheWrite: inputTokens.cacheWrite ?? 0,
    output: outputTokens.total ?? 0,
  };
  const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
  const cost = costOf(kind, name, used);
  return { text, tokens: used.input + used.output, usd: cost?.usd ?? null, price: cost?.source ?? null };
}

type CalledConnection = OpenConnection & Pick<ConnectionHeaders, "headers">;

async function listModels(outbound: Outbound, connection: CalledConnection, signal: AbortSignal): Promise<Probe> {
  const status = await statusOf(outbound, `${connection.baseUrl}/models`, connection, signal);
  const host = hostOf(connection);
  if (status >= 200 && status < 300)
    return { code: null, detail: `${host} took the credentials and listed its models.` };
  if (status === 404 || status === 405) {
    const detail = `${host} is there, but lists no models (${status}): check the base URL, or name a model to try one.`;
    return { code: "models_not_listed", detail };
  }
  return (
    refusedWith(status, host) ?? {
      code: "unexpected_answer",
      detail: `${host} answered with status ${status}: check the base URL.`,
    }
  );
}

async function fetchAddress(outbound: Outbound, connection: CalledConnection, signal: AbortSignal): Promise<Probe> {
  const status = await statusOf(outbound, connection.baseUrl, connection, signal);
  const host = hostOf(connection);
  return (
    refusedWith(status, host) ?? {
      code: null,
      detail: `${host} answered with status ${status} and did not refuse the credentials.`,
    }
  );
}

async function statusOf(
  outbound: Outbound,
  url: string,
  { headers: secretHeaders }: CalledConnection,
  signal: AbortSignal,
): Promise<number> {
  try {
    return (await outbound.send({ url, secretHeaders, signal, timeoutMs: probeMs })).status;
  } catch (error) {
    // An answer that is too long to read is one all the same.
    if (error instanceof OutboundError && error.status !== null) return error.status;
    throw error;
  }
}

/** What statuses mean that speak against a connection; undefined: this one does not. */
function refusedWith(status: number, host: string): Probe | undefined {
  if (status === 401)
    return { code: "unauthorized", detail: `${host} does not accept the credentials (401): replace the secret.` };
  if (status === 403)
    return {
      code: "forbidden",
      detail: `${host} knows the credentials and does not let them in (403): have the access granted.`,
    };
  if (status === 429)
    return { code: "rate_limited", detail: `${host} limits the rate of calls (429): test again later.` };
  if (status >= 500)
    return { code: "unavailable", detail: `${host} is not available at present (${status}): test again later.` };
  if (status >= 300 && status < 400) {
    return {
      code: "redirected",
      detail: `${host} answers with a redirect (${status}), which is not followed with credentials: use the address that it leads to.`,
    };
  }
  return undefined;
}

function failed(error: unknown, connection: OpenConnection): Probe {
  if (error instanceof ProviderFailure) return { code: error.code.replace(/^provider_/, ""), detail: error.message };
  if (error instanceof OutboundError)
    return { code: error.code, detail: `${hostOf(connection)} could not be called: ${error.message}.` };
  return { code: "not_tested", detail: `The test of ${connection.name} was broken off: test it again.` };
}

const hostOf = ({ baseUrl }: OpenConnection): string => new URL(baseUrl).host;
