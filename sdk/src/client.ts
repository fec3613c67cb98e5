import createFetchClient, { type Client } from "openapi-fetch";
import { type Answered, answeredOf, Call } from "./answer.ts";
import { type AnyInput, type AnyOptions, dataOf, type Init, initOf, pathOf } from "./call.ts";
import { problemOf } from "./errors.ts";
import type { paths } from "./generated/api.ts";
import type { Operations } from "./generated/methods.ts";
import { routes } from "./generated/routes.ts";
import type { StreamOptions } from "./methods.ts";
import { type RetryRules, standardRetries } from "./retry.ts";
import type { Route } from "./route.ts";
import { type Followed, follow } from "./stream.ts";
import { type HeaderSource, type Sending, send, type TransportOptions } from "./transport.ts";

/** How a client reaches the service. */
export interface ClientOptions {
  /** Where the service is: an origin such as `http://127.0.0.1:4000`. In a browser, left out: where the page came from. */
  readonly baseUrl?: string | undefined;
  /** A secret key, or a function that answers it before each attempt. In a browser that is signed in by cookie: none. */
  readonly key?: string | (() => string | Promise<string>) | undefined;
  /** Headers of every call, or a function that answers them before each attempt, such as a token against forged calls. */
  readonly headers?: HeaderSource | undefined;
  /** Whether cookies are sent. By default: `omit` with a key, else `same-origin`. */
  readonly credentials?: RequestCredentials | undefined;
  /** Milliseconds that an attempt may take, besides what it asks the service to wait; 60,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** When and how often a call that failed for a passing reason is sent again. */
  readonly retry?: Partial<RetryRules> | undefined;
  readonly fetch?: typeof fetch | undefined;
}

type RawClient = Client<paths>;

/** A client of the service: every operation by group and name, and beside them calls by path (`GET`, `POST` …). */
export type AosClient = Operations & RawClient & { readonly raw: RawClient };

/**
 * A client of the service. `client.tasks.cancelTask({ task })` answers the task or throws; `client.GET("/v1/tasks/{task}", { params: { path: { task } } })` answers
 * `{ data, error, response }`. Both send again what fails for a passing reason.
 */
export function createClient(options: ClientOptions = {}): AosClient {
  const raw = createRawClient(options);
  const client: Record<string, Record<string, unknown>> = {};
  const transport = transportOf(options);
  for (const [id, route] of Object.entries(routes)) {
    const [group, name] = id.split(".") as [string, string];
    const methods = client[group] ?? {};
    client[group] = methods;
    methods[name] = methodOf(id, route, (path, init, sending) =>
      answerOf(raw, transport, route[0], path, init, sending),
    );
  }
  return Object.assign(client as unknown as Operations, raw, { raw });
}

/** Calls by path alone (openapi-fetch), which a bundle can have without the table of operations. */
export function createRawClient(options: ClientOptions = {}): RawClient {
  const { baseUrl = "", key, credentials = key === undefined ? "same-origin" : "omit" } = options;
  const transport = transportOf(options);
  return createFetchClient<paths>({
    baseUrl,
    credentials,
    redirect: "manual", // the service never redirects a call, and nobody else is to get what it carries
    fetch: (request) => send(request, transport),
    querySerializer: { array: { style: "form", explode: false } },
  });
}

function transportOf({ key, headers, retry, timeoutMs = 60_000, fetch: own }: ClientOptions): TransportOptions {
  const authorization: HeaderSource[] =
    key === undefined
      ? []
      : [async () => ({ authorization: `Bearer ${typeof key === "function" ? await key() : key}` })];
  return {
    fetch: own ?? ((request) => globalThis.fetch(request)),
    headers: [...authorization, ...(headers === undefined ? [] : [headers])],
    retry: { ...standardRetries, ...retry },
    timeoutMs,
  };
}

type Sender = (path: string, init: Init, sending: Sending) => Promise<Response>;

/** Sends a call and answers what came, unless it is a refusal: that is thrown. */
async function answerOf(
  raw: RawClient,
  transport: TransportOptions,
  method: string,
  path: string,
  init: Init,
  sending: Sending,
): Promise<Response> {
  const request = raw.request as unknown as (
    method: string,
    path: string,
    init: object,
  ) => Promise<{ error?: unknown; response: Response }>;
  const own = (one: Request): Promise<Response> => send(one, transport, sending);
  const { error, response } = await request(method.toLowerCase(), path, { ...init, parseAs: "stream", fetch: own });
  if (response.ok || response.status === 304) return response;
  throw problemOf({ status: response.status, headers: response.headers, body: error, call: `${method} ${path}` });
}

/** The function that calls an operation, with `stream` where it can be followed. */
function methodOf(id: string, route: Route, sender: Sender): unknown {
  const call = async (input: AnyInput, options: AnyOptions): Promise<Answered<unknown>> => {
    const response = await sender(pathOf(id, route, input), initOf(route, input, options), options);
    return answeredOf(await dataOf(response, id), response);
  };
  const method = (input: AnyInput = {}, options: AnyOptions = {}): Call<unknown> =>
    new Call({ whole: call(input, options), next: (cursor) => call({ ...input, cursor }, options) });
  return route[2]?.streams ? Object.assign(method, { stream: streamOf(id, route, sender) }) : method;
}

/** Attempts to open a connection, and milliseconds of silence, by default. */
const streaming = { retries: 10, silenceMs: 45_000 } as const;

function streamOf(id: string, route: Route, sender: Sender) {
  return (input: AnyInput, options: StreamOptions = {}): AsyncGenerator<Followed, void> => {
    const {
      lastEventId,
      signal = new AbortController().signal,
      silenceMs = streaming.silenceMs,
      retries = streaming.retries,
      idempotencyKey = crypto.randomUUID(),
    } = options;
    const key = route[0] === "GET" ? {} : { idempotencyKey }; // a connection that is opened again makes nothing again
    const open = (last: string | undefined, either: AbortSignal): Promise<Response> => {
      const headers = {
        ...options.headers,
        accept: "text/event-stream",
        ...(last === undefined ? {} : { "last-event-id": last }),
      };
      return sender(pathOf(id, route, input), initOf(route, input, { ...key, headers, signal: either }), { retries });
    };
    return follow({ open, lastEventId, signal, silenceMs });
  };
}
