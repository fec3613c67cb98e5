import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { ApiProblem, ConnectionError, createClient, createRawClient, TimeoutError } from "@aos/sdk";
import type { OperationEntry } from "@aos/sdk/operations";
import { type Access, type AccessOptions, findAccess, signInHint } from "./access.ts";
import type { Given } from "./command.ts";
import { configFolder } from "./credentials.ts";
import { CommandError, NotSignedIn, type Terminal } from "./terminal.ts";

export interface Reply {
  readonly status: number;
  readonly etag: string | null;
  /** The body as JSON; undefined where it is none. */
  readonly body: unknown;
  readonly text: string;
  readonly headers: Headers;
}

export interface Sending {
  readonly json?: unknown;
  /** A body of the type application/yaml. */
  readonly yaml?: string;
  /** A body of the type application/json, sent as it is. */
  readonly raw?: string;
  /** A body of the type multipart/form-data, with files that are read as they are sent. */
  readonly form?: FormData;
  readonly ifMatch?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The accepted media type; default: JSON. */
  readonly accept?: string;
}

export interface StreamEvent {
  readonly id: string;
  readonly type: string;
  readonly data: unknown;
}

export interface Following {
  /** Begins after the event of this id. */
  readonly lastEventId?: string | undefined;
  /** Called when a lost connection is opened again. */
  readonly onReopen?: () => void;
  /** Ends it with its reason. */
  readonly signal?: AbortSignal;
}

/** The service as commands see it: the interface over HTTP and nothing else. */
export interface Service {
  readonly access: Access;
  /** Calls, through the client of the SDK: what fails for a passing reason is sent again, and done once. Answers refusals like any other answer. */
  call(method: string, path: string, sending?: Sending): Promise<Reply>;
  /** Fetches what is no JSON and may be large: `save` gets it as it comes. Answers a refusal; null where there was none. */
  fetch(path: string, type: string, save: (body: AsyncIterable<Uint8Array>) => Promise<void>): Promise<Reply | null>;
  /** The events of an operation that streams, over as many connections as it takes. `input` has the parameters of path and query. Throws StreamRefused. */
  follow(
    operation: OperationEntry,
    input: Readonly<Record<string, string>>,
    following?: Following,
  ): AsyncGenerator<StreamEvent, void>;
}

/** A stream that the service does not open. */
export class StreamRefused extends Error {
  readonly reply: Reply;
  constructor(reply: Reply) {
    super(`The stream was refused with status ${reply.status}.`);
    this.reply = reply;
  }
}

/**
 * The service of `findAccess`. The key goes into the Authorization header and nowhere else: no message has it, and redirections, which could carry it to another
 * host, are not followed. That the host's own admin key is used is said on standard error, once for each file. Throws NotSignedIn without a key, and a CommandError.
 */
export async function connect(
  terminal: Pick<Terminal, "env" | "stderr">,
  options: AccessOptions = {},
): Promise<Service> {
  const access = await findAccess(terminal.env, options);
  if (access.key === null) throw new NotSignedIn(signInHint(access));
  if (access.source === "host" && (await isNews(terminal.env, path.resolve(access.file ?? ""))))
    terminal.stderr.write(`Using the admin key of this host, ${access.file}.\n`);
  return serviceOf(access);
}

export function serviceOf(access: Access): Service {
  const { url, key } = access;
  return {
    access,
    call: (method, path, sending = {}) =>
      telling(url, (signal, fetch) =>
        callOf({ baseUrl: url, ...(key === null ? {} : { key }), fetch }, method, path, sending, signal),
      ),
    fetch: (path, type, save) =>
      telling(url, (signal, fetch) =>
        fetchOf({ baseUrl: url, ...(key === null ? {} : { key }), fetch }, path, { type, save, signal }),
      ),
    follow: (operation, input, following = {}) => followOf(access, operation, input, following),
  };
}

interface Connection {
  readonly baseUrl: string;
  readonly key?: string;
  readonly fetch: typeof fetch;
}

async function callOf(
  connection: Connection,
  method: string,
  path: string,
  sending: Sending,
  signal: AbortSignal,
): Promise<Reply> {
  const { error, response } = await send(connection, method, path, sending, signal);
  return replyOf(response, response.ok ? await response.text() : textOf(error));
}

const replyOf = (response: Response, text: string): Reply => {
  const { status, headers } = response;
  return { status, etag: headers.get("etag"), body: jsonOf(text), text, headers };
};

/** A file may take long on a slow line. */
const uploadTimeoutMs = 30 * 60_000;

interface Fetching {
  readonly type: string;
  readonly save: (body: AsyncIterable<Uint8Array>) => Promise<void>;
  readonly signal: AbortSignal;
}

async function fetchOf(connection: Connection, path: string, { type, save, signal }: Fetching): Promise<Reply | null> {
  const { error, response } = await send(connection, "GET", path, { accept: type }, signal);
  if (!response.ok) return replyOf(response, textOf(error));
  await save(response.body ?? Readable.from([]));
  return null;
}

async function send(connection: Connection, method: string, path: string, sending: Sending, signal: AbortSignal) {
  const { json, yaml, raw, form, ifMatch, accept = "application/json", headers: more } = sending;
  const type =
    yaml !== undefined ? "application/yaml" : json !== undefined || raw !== undefined ? "application/json" : undefined;
  const headers = {
    accept,
    ...more,
    ...(type ? { "content-type": type } : {}),
    ...(ifMatch === undefined ? {} : { "if-match": ifMatch }),
  };
  const body = form ?? yaml ?? raw ?? (json === undefined ? undefined : JSON.stringify(json));
  const patience = form === undefined ? {} : { timeoutMs: uploadTimeoutMs };
  const request = createRawClient({ ...connection, ...patience }).request as unknown as (
    method: string,
    path: string,
    init: object,
  ) => Promise<{ error?: unknown; response: Response }>;
  const init = {
    headers,
    signal,
    redirect: "manual",
    parseAs: "stream",
    ...(body === undefined ? {} : { body, bodySerializer: form === undefined ? String : () => form }),
  };
  return request(method.toLowerCase(), path, init);
}

const textOf = (body: unknown): string =>
  typeof body === "string" ? body : body === undefined ? "" : JSON.stringify(body);

async function* followOf(
  access: Access,
  operation: OperationEntry,
  input: Readonly<Record<string, string>>,
  following: Following,
): AsyncGenerator<StreamEvent, void> {
  const { url, key } = access;
  let opened = 0;
  const reopening: typeof fetch = (request, init) => {
    if (opened++ > 0) following.onReopen?.();
    return globalThis.fetch(request, init);
  };
  const client = createClient({
    baseUrl: url,
    ...(key === null ? {} : { key }),
    fetch: reopening,
  }) as unknown as Record<string, Record<string, Streaming>>;
  const { lastEventId, signal } = following;
  const stream = client[operation.group]?.[operation.name]?.stream(input, {
    ...(lastEventId === undefined ? {} : { lastEventId }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (stream === undefined) throw new CommandError(`${operation.id} has no event stream.`);
  try {
    yield* stream;
  } catch (error) {
    if (error instanceof ApiProblem)
      throw new StreamRefused({
        status: error.status,
        etag: null,
        body: error.problem,
        text: JSON.stringify(error.problem),
        headers: error.headers,
      });
    throw signal?.aborted ? signal.reason : inWords(url, error);
  }
}

interface Streaming {
  stream(input: object, options: object): AsyncGenerator<StreamEvent, void>;
}

/** Causes that last: the call is not retried. */
const lasting: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there; start the service with aos start, or set AOS_URL",
  ENOTFOUND: "unknown host; check AOS_URL or the profile",
};

/** Makes a network call; failures become a CommandError. */
async function telling<R>(base: string, send: (signal: AbortSignal, over: typeof fetch) => Promise<R>): Promise<R> {
  const given = new AbortController();
  const over: typeof fetch = async (request, init) => {
    try {
      return await globalThis.fetch(request, init);
    } catch (error) {
      if (codeOf(error) in lasting) given.abort(error);
      throw error;
    }
  };
  try {
    return await send(given.signal, over);
  } catch (error) {
    throw inWords(base, error);
  }
}

/** The code of the error of the network that is behind an error. */
function codeOf(error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return typeof code === "string" && code !== "" ? code : cause === undefined || cause === null ? "" : codeOf(cause);
}

function inWords(base: string, error: unknown): unknown {
  if (error instanceof TimeoutError) return new CommandError(`The service at ${base} did not respond in time.`);
  const code = codeOf(error);
  // A network error has its code in its cause; a system error without one comes from a file.
  if (
    !(error instanceof ConnectionError) &&
    (code === "" || typeof (error as NodeJS.ErrnoException).syscall === "string")
  )
    return error;
  return new CommandError(`The service at ${base} is unreachable: ${lasting[code] ?? (code || "no connection")}.`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The service of the profile and key that the options name. */
export const serviceFor = ({ options, terminal }: Given): Promise<Service> =>
  connect(terminal, { profile: options.profile, keyFile: options.keyFile });

/** Whether this file has not been mentioned to the user before; remembers it. If nothing can be stored, always true. */
async function isNews(env: Terminal["env"], file: string): Promise<boolean> {
  const list = path.join(configFolder(env), "told.json");
  const before = await readFile(list, "utf8")
    .then((text) => [JSON.parse(text) as unknown].flat())
    .catch((): readonly unknown[] => []);
  if (before.includes(file)) return false;
  await mkdir(path.dirname(list), { recursive: true, mode: 0o700 })
    .then(() => writeFile(list, `${JSON.stringify([...before, file].slice(-100))}\n`, { mode: 0o600 }))
    .catch(() => undefined);
  return true;
}
