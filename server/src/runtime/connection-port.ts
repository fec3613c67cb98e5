import type { ConnectionHeaders, ConnectionPort, OpenConnection, Probe } from "../features/admin/ports.ts";
import type { Clock } from "../kernel/clock.ts";
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
  return {
    credentialKey,
    async probe({ environment }, connection, model, signal) {
      if (running >= mostAtATime) return null;
      running++;
      const outbound = createOutbound({ environment, allow: outboundAllow, servesProduction, tracer });
      try {
        const { kind } = connection;
        const called = { ...connection, headers: headersOf(connection).headers };
        if (kind === "http") return await fetchAddress(outbound, called, signal);
        return model === null
          ? await listModels(outbound, called, signal)
          : await askModel({ ...connection, kind }, model, { outbound, clock, signal });
      } catch (error) {
        return failed(error, connection);
      } finally {
        running--;
        await outbound.close();
      }
    },
  };
}

interface Asking {
  readonly outbound: Outbound;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

async function askModel(
  { kind, baseUrl, secret }: OpenConnection & { kind: ModelProvider },
  name: string,
  { outbound, clock, signal }: Asking,
): Promise<Probe> {
  const parts = { secret, fetch: outbound.fetch, clock, times: { answerMs: probeMs }, retries: { attempts: 1 } };
  const { createProviderModel } = await loadProviderModels();
  const model = createProviderModel({ provider: kind, name, settings: { base_url: baseUrl } }, parts);
  const { usage } = await model.doGenerate({
    prompt: [{ role: "user", content: [{ type: "text", text: "Answer with the word yes." }] }],
    maxOutputTokens: 16,
    abortSignal: signal,
  });
  const { inputTokens, outputTokens } = usage;
  const used = {
    input: inputTokens.total ?? 0,
    cached: inputTokens.cacheRead ?? 0,
    cacheWrite: inputTokens.cacheWrite ?? 0,
    output: outputTokens.total ?? 0,
  };
  const cost = costOf(kind, name, used);
  const price =
    cost === null
      ? "no price of it is known, so that only tokens are counted"
      : `at list price $${Number(cost.usd.toFixed(8))}`;
  return { code: null, detail: `${name} answered; that took ${used.input + used.output} tokens; ${price}.` };
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
