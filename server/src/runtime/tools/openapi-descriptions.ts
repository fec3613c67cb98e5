import { ByteCache } from "../../kernel/byte-cache.ts";
import type { Clock } from "../../kernel/clock.ts";
import { inThread } from "../../kernel/threads.ts";
import { type Outbound, type OutboundAnswer, OutboundError } from "../../outbound/index.ts";
import { isObject } from "./http-body.ts";
import type { OpenApiDescriptions } from "./http-types.ts";
import { OpenApiError } from "./openapi-error.ts";
import type { YamlDescription } from "./openapi-yaml.ts";

/**
 * Limits on descriptions. `keptBytes` bounds what is kept in memory, by the size of the texts;
 * what was read counts as fresh for `freshMs`, in milliseconds.
 */
export const DESCRIPTION_LIMITS = {
  jsonBytes: 16_777_216,
  keptBytes: 33_554_432,
  freshMs: 600_000,
} as const;

type Description = Readonly<Record<string, unknown>>;

interface Kept {
  readonly description: Description;
  readonly bytes: number;
  readonly readAt: number;
}

/**
 * Reads descriptions through the guarded way out, without credentials, and keeps them for a while: those that were not used for longest go first. One that cannot
 * be read again once it is old is used as it was, since a tool that works should not stop because its description's server does. Simultaneous readers share one request.
 */
export function createOpenApiDescriptions({ clock }: { readonly clock: Clock }): OpenApiDescriptions {
  const kept = new ByteCache<Kept>(DESCRIPTION_LIMITS.keptBytes);
  const underway = new Map<string, Promise<Kept>>();

  const keep = (key: string, one: Kept): Kept => {
    kept.set(key, one, one.bytes);
    return one;
  };

  const refresh = (key: string, url: string, outbound: Outbound): Promise<Kept> => {
    const running = underway.get(key);
    if (running !== undefined) return running;
    const reading = fetched(url, outbound)
      .then(({ description, bytes }) => keep(key, { description, bytes, readAt: clock.now() }))
      .finally(() => underway.delete(key));
    underway.set(key, reading);
    return reading;
  };

  return {
    async read(url, outbound, signal) {
      signal.throwIfAborted();
      const key = `${outbound.environment} ${url}`;
      const known = kept.get(key);
      if (known !== undefined && clock.now() - known.readAt < DESCRIPTION_LIMITS.freshMs) return known.description;
      const next = refresh(key, url, outbound);
      const usable = known === undefined ? next : next.catch(() => keep(key, { ...known, readAt: clock.now() }));
      return (await orAborted(usable, signal)).description;
    },
  };
}

async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason as Error);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
    work.catch(() => undefined); // it goes on for others
  }
}

async function fetched(
  url: string,
  outbound: Outbound,
): Promise<{ readonly description: Description; readonly bytes: number }> {
  const answer = await answerOf(url, outbound);
  if (answer.status !== 200) {
    const passing = answer.status === 429 || answer.status >= 500;
    throw new OpenApiError(
      "openapi_unavailable",
      `The OpenAPI description at ${url} answered ${answer.status}.`,
      passing,
    );
  }
  const description = await parsed(new TextDecoder().decode(answer.body), url);
  if (!isObject(description))
    throw new OpenApiError("openapi_invalid", `What ${url} answers is no OpenAPI description: it must be an object.`);
  if (typeof description.openapi !== "string" || !/^3\.[01]\./.test(description.openapi)) {
    throw new OpenApiError(
      "openapi_unsupported",
      `The description at ${url} must be OpenAPI 3.0 or 3.1; convert it, or write the tool as one \`request\`.`,
    );
  }
  return { description, bytes: answer.body.length };
}

async function answerOf(url: string, outbound: Outbound): Promise<OutboundAnswer> {
  try {
    const headers = {
      accept: "application/json, application/yaml;q=0.9, */*;q=0.5",
      "user-agent": "agent-operations-service",
    };
    return await outbound.send({ url, headers, maxResponseBytes: DESCRIPTION_LIMITS.jsonBytes, redirects: 5 });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const passing = !["address_invalid", "address_refused", "https_required", "response_too_large"].includes(
      error.code,
    );
    throw new OpenApiError(
      "openapi_unavailable",
      `The OpenAPI description at ${url} cannot be read: ${error.message}.`,
      passing,
    );
  }
}

async function parsed(text: string, url: string): Promise<unknown> {
  const broken = (why: string) => new OpenApiError("openapi_invalid", `The OpenAPI description at ${url} ${why}.`);
  if (/^\uFEFF?\s*\{/.test(text)) {
    try {
      return JSON.parse(text.replace(/^\uFEFF/, "")) as unknown;
    } catch {
      throw broken("begins like JSON and is none");
    }
  }
  const read = await inThread<YamlDescription>(
    new URL("./openapi-yaml.ts", import.meta.url),
    "readYamlDescription",
    text,
  );
  if ("broken" in read) throw broken(read.broken);
  return read.value;
}
