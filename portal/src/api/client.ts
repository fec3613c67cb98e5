import { createRawClient, type paths } from "@aos/sdk";
import { noteConnection } from "./connection.ts";
import { Problem, problemOf, unreachable } from "./problem.ts";
import { csrfHeaders } from "./session-state.ts";

// The only client of the service: every call of the portal goes through `get`, `send` or `stream`, with a path of the interface's own description.

type Verb = "get" | "post" | "put" | "patch" | "delete";
type PathsWith<V extends Verb> = {
  [P in keyof paths]: paths[P] extends { [v in V]: { responses: unknown } } ? P : never;
}[keyof paths];
type OperationOf<P extends keyof paths, V extends Verb> = paths[P] extends { [v in V]: infer O } ? O : never;
type Parameters<O> = O extends { parameters: { path?: infer Path; query?: infer Query } }
  ? { path: Path; query: Query }
  : never;
/** A member that may be left out where nothing in it is required, and must be where the description knows none. */
type Part<Name extends string, T> = [T] extends [undefined]
  ? { [N in Name]?: never }
  : object extends T
    ? { [N in Name]?: T }
    : { [N in Name]: T };
type JsonOf<R> = R extends { content: { "application/json": infer Body } } ? Body : never;
type SuccessOf<O> = O extends { responses: infer R } ? JsonOf<R[keyof R & (200 | 201 | 202 | 207)]> : never;
type BodyOf<O> = O extends { requestBody: { content: { "application/json": infer B } } }
  ? { body: B }
  : O extends { requestBody?: { content: { "application/json": infer B } } }
    ? { body?: B }
    : { body?: never };

export type GetPath = PathsWith<"get">;
/** What a GET of this path takes: `path` and `query`, as the description names them. */
export type GetInput<P extends GetPath> = Part<"path", Parameters<OperationOf<P, "get">>["path"]> &
  Part<"query", Parameters<OperationOf<P, "get">>["query"]>;
/** The filters of a GET of this path. */
export type GetQuery<P extends GetPath> = NonNullable<Parameters<OperationOf<P, "get">>["query"]>;
/** What a GET of this path answers. */
export type Answer<P extends GetPath> = SuccessOf<OperationOf<P, "get">>;

type ChangeVerb = Exclude<Verb, "get">;
export type ChangeInput<V extends ChangeVerb, P extends PathsWith<V>> = Part<
  "path",
  Parameters<OperationOf<P, V>>["path"]
> &
  Part<"query", Parameters<OperationOf<P, V>>["query"]> &
  BodyOf<OperationOf<P, V>> & { headers?: Record<string, string> };
/** What a change answers; where it is asked with `dry_run`, name the type of that yourself. */
export type ChangeAnswer<V extends ChangeVerb, P extends PathsWith<V>> = Exclude<
  SuccessOf<OperationOf<P, V>>,
  { dry_run: true }
>;

/** What fails for a passing reason is tried once more, soon; then it is said. */
const client = createRawClient({
  baseUrl: location.origin,
  headers: ({ method }) => csrfHeaders(method),
  retry: { retries: 1, firstPauseMs: 300, longestPauseMs: 2000 },
  timeoutMs: 30_000,
  fetch: (request) => fetch(request, { cache: "no-store" }),
});

interface Outcome {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}
type AnyCall = (path: string, init: object) => Promise<Outcome>;

async function call(
  verb: Uppercase<Verb>,
  path: string,
  init: Record<string, unknown>,
  signal?: AbortSignal,
): Promise<Outcome> {
  const { path: inPath, query, body, headers, parseAs } = init;
  const ask = client[verb] as unknown as AnyCall;
  const parts = {
    params: { path: inPath ?? {}, query: query ?? {} },
    headers: headers ?? {},
    signal,
    ...(parseAs ? { parseAs } : {}),
  };
  let outcome: Outcome;
  try {
    outcome = await ask(path, body === undefined ? parts : { ...parts, body });
  } catch (error) {
    if (signal?.aborted || error instanceof Problem) throw error;
    noteConnection(false);
    throw unreachable(error);
  }
  noteConnection(true);
  if (!outcome.response.ok) throw problemOf(outcome.response, outcome.error);
  return outcome;
}

/** Reads: `get("/v1/tasks/{task}", { path: { task } })`. Throws a {@link Problem} for every answer but success. */
export async function get<P extends GetPath>(path: P, input: GetInput<P>, signal?: AbortSignal): Promise<Answer<P>> {
  return (await call("GET", path, input as Record<string, unknown>, signal)).data as Answer<P>;
}

/** The same, with the entity tag that a change of it has to send as `If-Match`. */
export async function getTagged<P extends GetPath>(
  path: P,
  input: GetInput<P>,
  signal?: AbortSignal,
): Promise<{ value: Answer<P>; etag: string }> {
  const { data, response } = await call("GET", path, input as Record<string, unknown>, signal);
  return { value: data as Answer<P>, etag: response.headers.get("ETag") ?? "" };
}

/**
 * Changes: `send("post", "/v1/approvals/{approval}/approve", { path, body })`. A POST or PATCH carries an idempotency key, so that it is tried again without doing
 * anything twice.
 */
export async function send<V extends ChangeVerb, P extends PathsWith<V>>(
  verb: V,
  path: P,
  input: ChangeInput<V, P>,
): Promise<ChangeAnswer<V, P>> {
  return (await call(verb.toUpperCase() as Uppercase<ChangeVerb>, path, input as unknown as Record<string, unknown>))
    .data as ChangeAnswer<V, P>;
}

/** Reads what is text and no JSON, such as a proof. */
export async function getText(
  path: GetPath,
  input: { readonly path: Readonly<Record<string, string>> },
  type = "text/plain",
): Promise<string> {
  return String((await call("GET", path, { ...input, parseAs: "text", headers: { Accept: type } })).data);
}
