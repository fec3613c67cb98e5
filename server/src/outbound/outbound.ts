import { Readable } from "node:stream";
import { Agent, type Dispatcher, errors } from "undici";
import type { Tracer } from "../kernel/tracing.ts";
import { decoded, readWhole } from "./body.ts";
import { codeOf, createConnector } from "./connector.ts";
import { OutboundError } from "./errors.ts";
import { createGuard, type Guard } from "./guard.ts";
import { systemNames } from "./names.ts";
import { checkedHeaders, checkedMethod } from "./request.ts";
import { tracedExchange } from "./traced.ts";
import type { Outbound, OutboundAnswer, OutboundOptions, OutboundRequest } from "./types.ts";

/** Where `send` stops by itself, unless a request says otherwise: milliseconds, and bytes. */
export const OUTBOUND_DEFAULTS = { timeoutMs: 30_000, maxResponseBytes: 1_048_576, connectMs: 10_000 } as const;
/** Bytes of headers that an answer may have; Node's own limit. */
const HEADER_BYTES = 16_384;
/** Connections to one origin at a time, by default. */
const MOST_CONNECTIONS = 256;

/** One exchange with one address, ready to be sent. */
interface Exchange {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
  readonly signal: AbortSignal | undefined;
}

/** Its answer, as soon as that begins; `progress.sent`: something of the request may have reached the target. */
interface Answering {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable;
}

interface Progress {
  sent: boolean;
  status: number | null;
}

/**
 * Outbound HTTP of an environment (decision 0015): https only (http to loopback in development), addresses checked at each
 * connection and pinned, nothing that is not public, no redirect that is not checked. Throws a TypeError for an entry of `allow` that is none.
 */
export function openOutbound(options: OutboundOptions): Outbound {
  const guard = createGuard(options.environment, options.allow ?? [], options.servesProduction);
  const {
    resolve = systemNames,
    connectMs = OUTBOUND_DEFAULTS.connectMs,
    connections = MOST_CONNECTIONS,
    ca,
  } = options;
  const connect = createConnector({ guard, resolve, connectMs, ca });
  const common = {
    connect,
    allowH2: false,
    maxHeaderSize: HEADER_BYTES,
    connections,
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const agents: Agents = {
    tracer: options.tracer ?? null,
    kept: new Agent({ ...common, pipelining: 1 }),
    // A connection of its own each: one that was kept may be closing just as the request goes out, and nobody could say what became of a write.
    single: new Agent({ ...common, pipelining: 0 }),
  };
  return {
    environment: options.environment,
    send: (request) => sendWhole(guard, agents, request),
    fetch: (input, init) => fetchThrough(guard, agents, input, init),
    close: async () => {
      await Promise.all([agents.kept.destroy(), agents.single.destroy()]);
    },
  };
}

interface Agents {
  readonly tracer: Tracer | null;
  readonly kept: Agent;
  readonly single: Agent;
}

const isSafe = (method: string): boolean => method === "GET" || method === "HEAD";

async function sendWhole(guard: Guard, agents: Agents, request: OutboundRequest): Promise<OutboundAnswer> {
  const { timeoutMs = OUTBOUND_DEFAULTS.timeoutMs, redirects = 0, signal: given } = request;
  const deadline = AbortSignal.timeout(timeoutMs);
  const signal = given === undefined ? deadline : AbortSignal.any([given, deadline]);
  const method = checkedMethod(request.method ?? "GET");
  const secret = checkedHeaders(request.secretHeaders ?? {});
  let headers = { "accept-encoding": "identity", ...checkedHeaders(request.headers ?? {}), ...secret };
  let url = guard.checkUrl(request.url);
  for (let hop = 0; ; hop += 1) {
    const answer = await exchange(agents, { url, method, headers, body: request.body ?? null, signal }, request);
    const next = isSafe(method) && hop < redirects ? redirectOf(guard, url, answer) : null;
    if (next === null) return answer;
    if (next.origin !== url.origin) headers = without(headers, [...Object.keys(secret), "authorization", "cookie"]);
    url = next;
  }
}

const without = <T extends Readonly<Record<string, string>>>(headers: T, names: readonly string[]): T =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name))) as T;

/** Where an answer leads on; null: nowhere. Throws OutboundError where it may not lead: what began by https does not go on by http. */
function redirectOf(guard: Guard, from: URL, { status, headers }: OutboundAnswer): URL | null {
  if (![301, 302, 303, 307, 308].includes(status) || headers.location === undefined) return null;
  const refuse = (why: string, cause?: unknown): never => {
    throw new OutboundError(
      "redirect_refused",
      `\`${from.hostname}\` redirects to an address that may not be called: ${why}`,
      {
        sent: true,
        status,
        cause,
      },
    );
  };
  const to = URL.parse(headers.location, from);
  if (from.protocol === "https:" && to?.protocol === "http:") return refuse("it is called by https, and leads to http");
  try {
    return guard.checkUrl(to?.href ?? headers.location);
  } catch (cause) {
    return refuse((cause as Error).message, cause);
  }
}

/** One exchange, its answer read whole. A repeatable one on a kept connection that was just closing is made once more. */
async function exchange(
  agents: Agents,
  exchange: Exchange,
  { maxResponseBytes, timeoutMs, cut, repeatable }: OutboundRequest,
): Promise<OutboundAnswer> {
  const most = maxResponseBytes ?? OUTBOUND_DEFAULTS.maxResponseBytes;
  const send = async (agent: Agent, exchange: Exchange): Promise<OutboundAnswer> => {
    const progress: Progress = { sent: false, status: null };
    try {
      const { status, headers, body } = await begin(agent, exchange, progress);
      const whole = await readWhole(decoded(body, headers["content-encoding"], status), most, status, cut);
      return { status, headers, body: whole, url: exchange.url.href };
    } catch (error) {
      throw asOutboundError(error, exchange, progress, timeoutMs ?? OUTBOUND_DEFAULTS.timeoutMs);
    }
  };
  const attempt = (agent: Agent): Promise<OutboundAnswer> =>
    tracedExchange(agents.tracer, exchange, (traced) => send(agent, traced));
  if (!(repeatable ?? isSafe(exchange.method))) return attempt(agents.single);
  try {
    return await attempt(agents.kept);
  } catch (error) {
    const wasClosing =
      error instanceof OutboundError && error.code === "connection_lost" && error.sent && error.status === null;
    if (!wasClosing) throw error;
    return attempt(agents.single);
  }
}

/** Sends and answers as soon as an answer begins. Rejects at once when the signal is aborted, wherever the exchange is then. */
async function begin(
  agent: Agent,
  { url, method, headers, body, signal }: Exchange,
  progress: Progress,
): Promise<Answering> {
  signal?.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal?.reason as Error);
  signal?.addEventListener("abort", abort, { once: true });
  const watched = agent.compose((dispatch) => (options, handler) => dispatch(options, watching(handler, progress)));
  const answered = watched.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: method as Dispatcher.HttpMethod,
    headers: { ...headers },
    body,
    ...(signal === undefined ? {} : { signal }),
  });
  try {
    const { statusCode, statusText, headers: fields, body: stream } = await Promise.race([answered, aborted.promise]);
    progress.status = statusCode;
    return { status: statusCode, statusText, headers: joined(fields), body: stream };
  } finally {
    signal?.removeEventListener("abort", abort);
    // An answer that begins although nobody waits any more.
    if (signal?.aborted)
      answered.then(
        ({ body: late }) => late.on("error", () => undefined).destroy(),
        () => undefined,
      );
  }
}

/** Notes the moment from which on something may have reached the target: the connection stands, and writing begins. */
function watching(handler: Dispatcher.DispatchHandler, progress: Progress): Dispatcher.DispatchHandler {
  return new Proxy(handler, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (name === "onRequestStart") {
        return (controller: Dispatcher.DispatchController, context: unknown) => {
          target.onRequestStart?.(controller, context);
          if (!controller.aborted) progress.sent = true;
        };
      }
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

const joined = (fields: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(", ") : value]],
    ),
  );

/** What went wrong, in words of ours. */
function asOutboundError(
  error: unknown,
  { url, signal }: Exchange,
  { sent, status }: Progress,
  timeoutMs: number,
): OutboundError {
  const facts = { sent, status, cause: error };
  const host = `\`${url.hostname}\``;
  if (signal?.aborted) {
    const late = (signal.reason as Error | undefined)?.name === "TimeoutError";
    if (late) return new OutboundError("timeout", `${host} did not answer within ${timeoutMs / 1000} s`, facts);
    return new OutboundError("aborted", `the request to ${host} was broken off`, facts);
  }
  if (error instanceof OutboundError) return error;
  if (error instanceof errors.HeadersOverflowError)
    return new OutboundError(
      "response_too_large",
      `${host} answers with headers of more than ${HEADER_BYTES} bytes`,
      facts,
    );
  if (error instanceof errors.InvalidArgumentError)
    return new OutboundError("request_invalid", `the request to ${host} is not valid`, facts);
  const code = codeOf(error);
  if (/^(HPE_|Z_|ERR__?ERROR|ERR_PADDING|ERR_BROTLI|UND_ERR_RES)/.test(code) || error instanceof errors.HTTPParserError)
    return new OutboundError("response_invalid", `${host} answers in a way that cannot be read`, facts);
  return new OutboundError(
    "connection_lost",
    `the connection to ${host} was lost${status === null ? " before an answer" : " amid its answer"}`,
    facts,
  );
}

/** `fetch` as client libraries call it. */
async function fetchThrough(
  guard: Guard,
  agents: Agents,
  input: RequestInfo | URL,
  init: RequestInit = {},
): Promise<Response> {
  const url = guard.checkUrl(input instanceof Request ? input.url : String(input));
  const signal = init.signal ?? (input instanceof Request ? input.signal : undefined);
  const read = readRequest(input, init);
  const method = checkedMethod(read.method);
  const headers = { "accept-encoding": "identity", ...checkedHeaders(Object.fromEntries(read.headers)) };
  const body = read.body === null ? null : new Uint8Array(await read.arrayBuffer());
  const exchange: Exchange = { url, method, headers, body, signal };
  const progress: Progress = { sent: false, status: null };
  try {
    const answer = await tracedExchange(agents.tracer, exchange, (traced) => begin(agents.kept, traced, progress));
    return asResponse(answer, method, (error) => fetchError(error, exchange, progress));
  } catch (error) {
    throw fetchError(error, exchange, progress);
  }
}

/** The platform reads what callers may give (forms, blobs, streams, headers of all kinds); only the sending is ours. */
function readRequest(
  input: RequestInfo | URL,
  { signal: _signal, redirect: _redirect, ...init }: RequestInit,
): Request {
  try {
    return new Request(input, { ...init, ...(init.body == null ? {} : { duplex: "half" }) } as RequestInit);
  } catch (cause) {
    throw new OutboundError("request_invalid", "the request cannot be read; see the method, the headers and the body", {
      sent: false,
      cause,
    });
  }
}

function fetchError(error: unknown, exchange: Exchange, progress: Progress): unknown {
  return exchange.signal?.aborted ? exchange.signal.reason : asOutboundError(error, exchange, progress, 0);
}

/** Statuses whose answers have no body, so that `Response` takes none (Fetch, section 2.2.3). */
const NO_BODY = new Set([101, 103, 204, 205, 304]);

function asResponse(
  { status, statusText, headers, body }: Answering,
  method: string,
  inOurWords: (error: unknown) => unknown,
): Response {
  const encoding = headers["content-encoding"];
  // What is unpacked here has neither the packing nor the length that the target gave.
  const fields = encoding === undefined ? headers : without(headers, ["content-encoding", "content-length"]);
  const about = { status, statusText, headers: { ...fields } };
  if (NO_BODY.has(status) || method === "HEAD") {
    body.on("error", () => undefined).resume();
    return new Response(null, about);
  }
  return new Response(Readable.toWeb(told(decoded(body, encoding, status), inOurWords)) as ReadableStream, about);
}

/** The same bytes; errors in words of ours. */
function told(body: Readable, inOurWords: (error: unknown) => unknown): Readable {
  return Readable.from(
    (async function* () {
      try {
        for await (const chunk of body) yield chunk as Uint8Array;
      } catch (error) {
        throw inOurWords(error);
      }
    })(),
    { objectMode: false },
  );
}
