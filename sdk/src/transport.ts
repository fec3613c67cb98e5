import { type AosError, ConnectionError, TimeoutError } from "./errors.ts";
import { isPassing, pause, pauseBefore, type RetryRules } from "./retry.ts";

/** Headers, or a function that answers them before each attempt: for a token that changes. It receives what is sent. */
export type HeaderSource =
  | Readonly<Record<string, string>>
  | ((call: {
      readonly method: string;
      readonly path: string;
    }) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);

/** How calls are sent. */
export interface TransportOptions {
  readonly fetch: typeof fetch;
  readonly headers: readonly HeaderSource[];
  readonly retry: RetryRules;
  /** Milliseconds that an attempt may take, besides what it asks the service to wait. */
  readonly timeoutMs: number;
}

/** What one call changes of that. */
export interface Sending {
  readonly retries?: number | undefined;
  readonly timeoutMs?: number | undefined;
}

/**
 * A `fetch` for the service: sends again what failed for a passing reason, gives each POST and PATCH an Idempotency-Key that it keeps over its attempts, and ends an
 * attempt that takes too long. Answers that are not streamed have arrived whole when it resolves, so that a connection that breaks in the middle is tried again too.
 * Throws `ConnectionError`, `TimeoutError`, or the reason of the caller's signal.
 */
export async function send(request: Request, options: TransportOptions, sending: Sending = {}): Promise<Response> {
  const retry = { ...options.retry, ...(sending.retries === undefined ? {} : { retries: sending.retries }) };
  const timeoutMs = (sending.timeoutMs ?? options.timeoutMs) + 1000 * waited(request);
  if (/^(POST|PATCH)$/.test(request.method) && !request.headers.has("idempotency-key"))
    request.headers.set("idempotency-key", crypto.randomUUID());
  for (let attempt = 1; ; attempt++) {
    const result = await attemptOf(request, options, timeoutMs);
    if (result instanceof Response && !(await isPassing(result))) return result;
    const failed = !(result instanceof Response);
    if (failed && request.signal.aborted) throw request.signal.reason;
    const wait = pauseBefore(attempt, retry, failed ? null : result.headers.get("retry-after"));
    if (wait === null) {
      if (failed) throw result;
      return result;
    }
    await pause(wait, request.signal);
  }
}

/** One attempt: an answer, or why there is none. Throws what the functions of its headers throw. */
async function attemptOf(request: Request, options: TransportOptions, timeoutMs: number): Promise<Response | AosError> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeoutMs);
  const signal = AbortSignal.any([request.signal, late.signal]);
  const { pathname } = new URL(request.url);
  const call = `${request.method} ${pathname}`;
  let given: [string, string][] | null = null;
  try {
    given = await headersOf(options.headers, { method: request.method, path: pathname });
    const headers = new Headers(request.headers);
    for (const [name, value] of given) if (!headers.has(name)) headers.set(name, value);
    return await whole(await options.fetch(new Request(request.clone(), { headers, signal })));
  } catch (cause) {
    if (given === null) throw cause;
    if (late.signal.aborted)
      return new TimeoutError(`${call} was not answered within ${timeoutMs / 1000} seconds`, { cause });
    return new ConnectionError(`${call} got no answer from ${new URL(request.url).origin}: ${reasonOf(cause)}`, {
      cause,
    });
  } finally {
    clearTimeout(timer);
  }
}

async function headersOf(
  sources: readonly HeaderSource[],
  call: { method: string; path: string },
): Promise<[string, string][]> {
  const all = await Promise.all(sources.map((source) => (typeof source === "function" ? source(call) : source)));
  return all.flatMap((headers) => Object.entries(headers));
}

/** Long answers are handed on as they come. */
const streamed = /^(text\/event-stream|application\/x-ndjson|text\/csv)\b/;

async function whole(response: Response): Promise<Response> {
  if (response.body === null || streamed.test(response.headers.get("content-type") ?? "")) return response;
  const { status, statusText, headers } = response;
  const bytes = await response.arrayBuffer();
  return new Response(status === 204 || status === 205 || status === 304 ? null : bytes, {
    status,
    statusText,
    headers,
  });
}

/** Seconds that a call asks the service to wait before it answers. */
function waited(request: Request): number {
  const preferred = /(?:^|[,\s])wait=(\d+)/.exec(request.headers.get("prefer") ?? "")?.[1];
  const asked = preferred ?? new URL(request.url).searchParams.get("wait") ?? "0";
  return Math.min(60, Number(asked) || 0);
}

/** What went wrong in words: `fetch failed` says nothing, its cause does. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: string; message?: string }; message?: string };
  return cause?.code ?? cause?.message ?? message ?? String(error);
}
