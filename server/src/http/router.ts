import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { bodyLimit } from "../kernel/body-bounds.ts";
import type { NewId } from "../kernel/ids.ts";
import type { Operation } from "../kernel/operation.ts";
import { describe } from "../kernel/operation-seal.ts";
import type { Tracer } from "../kernel/tracing.ts";
import type { Answer, Call, Credential } from "../pipeline/call.ts";
import type { Outcome, Pipeline } from "../pipeline/run.ts";
import { answerPreflight, isPreflight, ownPagesOnly, readableAnywhere, readableByPages } from "./cors.ts";
import { formType } from "./form-body.ts";
import { callOf, tooLarge, unreadable, unsupportedType } from "./incoming-call.ts";
import type { OpenCalls } from "./open-calls.ts";
import type { Portal } from "./portal/index.ts";
import { sendStream } from "./send-stream.ts";
import { inServerSpan } from "./server-span.ts";
import type { SessionCookie } from "./session-cookie.ts";
import type { Entrance } from "./sign-in.ts";
import { unmatchedMethod, unmatchedPath } from "./unmatched.ts";

/** Where a request came to: the operation, the template that matched (null: none), and on the wrong method those that the path takes. */
interface Route {
  readonly operation: Operation;
  readonly route: string | null;
  readonly allow?: string;
  /** Headers that browsers may send besides the usual ones. */
  readonly sendable?: readonly string[];
}

/** Stands in for a path that the router cannot read, which is kept under `sentUrl`. */
const unreadablePath = "/unreadable-path";
const sentUrl = Symbol("sentUrl");

/** Any other method is routed as TRACE, which no operation takes either: routing all 34 of Node costs a start 100 ms. */
const routedMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"];
/** The method of a request that is routed as TRACE. */
const sentMethod = Symbol("sentMethod");

type RoutedMessage = IncomingMessage & { [sentUrl]?: string; [sentMethod]?: string };

const notFoundRoute: Route = { operation: unmatchedPath, route: null };

/** A route that is answered elsewhere; other methods on its path are refused here. */
interface OtherRoute {
  readonly method: string;
  readonly url: string;
  readonly sendable: readonly string[];
}

/** Routes of all operations: one loop over the registry, every request into the pipeline. */
export function routeOperations(
  server: FastifyInstance,
  operations: readonly Operation[],
  dependencies: RouterDependencies,
  others: readonly OtherRoute[] = [],
): void {
  const methods = new Map<string, string[]>();
  const add = (method: string | string[], matched: Route & { route: string }, routes = server): void => {
    const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      if (matched.allow !== undefined && isPreflight(request))
        return answerPreflight(reply, matched.allow, matched.sendable);
      await answer(dependencies, request, reply, matched, dependencies.newId("req"));
    };
    routes.route({
      method,
      url: matched.route,
      bodyLimit: describe(matched.operation).largestBody ?? bodyLimit,
      config: { matched },
      exposeHeadRoute: method === "GET",
      handler,
    });
  };
  for (const operation of operations) {
    const { door, method, path, receives } = describe(operation);
    if (door !== "http" || !method || !path) continue;
    const route = path.replaceAll(/\{(\w+)\}/g, ":$1");
    methods.set(route, [...(methods.get(route) ?? []), method]);
    if (receives) server.register(async (forms) => add(method, { operation, route }, takingForms(forms)));
    else add(method, { operation, route });
  }
  const sendable = new Map(others.map((other) => [other.url, other.sendable]));
  for (const { method, url } of others) methods.set(url, [...(methods.get(url) ?? []), method]);
  for (const [route, declared] of methods) {
    const taken = declared.includes("GET")
      ? ["GET", "HEAD", ...declared.filter((method) => method !== "GET")]
      : declared;
    const refused = routedMethods.filter((method) => !taken.includes(method));
    const allow = taken.join(", ");
    add(refused, { operation: unmatchedMethod, route, allow, sendable: sendable.get(route) ?? [] });
  }
  server.setNotFoundHandler((request, reply) =>
    dependencies.portal?.takes(request)
      ? dependencies.portal.unknown(request, reply)
      : answer(dependencies, request, reply, notFoundRoute, dependencies.newId("req")),
  );
}

/** Leaves bodies with a file to the pipeline, which reads them once it knows the caller. */
function takingForms(routes: FastifyInstance): FastifyInstance {
  routes.addContentTypeParser(formType, (_request, body, done) => done(null, body));
  return routes;
}

/** What answering a request needs. */
export interface RouterDependencies {
  readonly pipeline: Pipeline;
  readonly newId: NewId;
  readonly open: OpenCalls;
  readonly portal: Portal | null;
  readonly cookie: SessionCookie;
  /** What is particular to the operations of the sign-in. */
  readonly entrances: ReadonlyMap<Operation, Entrance>;
  readonly report: (error: unknown, requestId: string) => void;
  /** How long a reader of a stream may take nothing (milliseconds). */
  readonly readerPatience: number;
  /** Null: nothing is traced. */
  readonly tracer: Tracer | null;
}

/** Takes a request through the pipeline and sends what it came to. */
function answer(
  dependencies: RouterDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  matched: Route,
  requestId: string,
  readBody?: () => never,
): Promise<void> {
  const raw = request.raw as RoutedMessage;
  raw.method = raw[sentMethod] ?? raw.method;
  const carry = (): Promise<void> => handleRequest(dependencies, request, reply, matched, requestId, readBody);
  return dependencies.tracer === null
    ? carry()
    : inServerSpan(dependencies.tracer, { request, reply, route: matched.route }, carry);
}

async function handleRequest(
  dependencies: RouterDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  matched: Route,
  requestId: string,
  readBody?: () => never,
): Promise<void> {
  const raw = request.raw as RoutedMessage;
  raw.url = raw[sentUrl] ?? request.originalUrl;
  const arrival = {
    route: matched.route,
    response: reply.raw,
    cookie: dependencies.cookie,
    ...(readBody ? { readBody } : {}),
  };
  const incomingCall = callOf(request, requestId, arrival, dependencies.open);
  const { call, cookie } = dependencies.entrances.get(matched.operation)?.(incomingCall, request) ?? {
    call: incomingCall,
  };
  try {
    await passAndSend(dependencies, { request, reply, matched, requestId }, call, cookie);
  } finally {
    await call.end?.().catch((error: unknown) => dependencies.report(error, requestId));
  }
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly matched: Route;
  readonly requestId: string;
}

async function passAndSend(
  dependencies: RouterDependencies,
  { reply, matched, requestId }: Exchange,
  call: Call,
  cookie: ReturnType<Entrance>["cookie"] | undefined,
): Promise<void> {
  const { answer: answered, output } = await runPipeline(dependencies.pipeline, call, matched);
  const set = cookie?.(answered.status, output) ?? null;
  if (set !== null) answered.headers["Set-Cookie"] = set;
  // One that is kept alive would keep the server from closing, for as long as its client likes.
  if (dependencies.open.draining) reply.raw.setHeader("Connection", "close");
  // What a session sees is kept by no cache, and read by no page but the portal's own.
  Object.assign(answered.headers, cookie ? ownPagesOnly : readersOf(call.credential));
  await sendAnswer(dependencies, reply, answered, call.signal, requestId);
}

/** Sends an answer, whole or as a stream. */
export async function sendAnswer(
  { report, readerPatience: patience }: Pick<RouterDependencies, "report" | "readerPatience">,
  reply: FastifyReply,
  answer: Answer,
  signal: () => AbortSignal,
  requestId: string,
): Promise<void> {
  if (!answer.stream) return send(reply, answer);
  // The signal is made when it is asked for, which costs a call that needs none a tenth of its time.
  const sending = { signal: signal(), patience, report: (error: unknown) => report(error, requestId) };
  await sendStream(reply, answer, answer.stream, sending);
}

/** Headers that say which pages may read an answer. */
export function readersOf(credential: Credential): Readonly<Record<string, string>> {
  if (credential.kind === "chat_token") return readableByPages(credential);
  return credential.kind === "session" ? ownPagesOnly : readableAnywhere;
}

/** Where no operation is reached, the query has nobody to judge it. */
async function runPipeline(pipeline: Pipeline, call: Call, { operation, allow }: Route): Promise<Outcome> {
  if (allow !== undefined) return pipeline.run(operation, { ...call, params: { allow }, query: "" });
  return pipeline.run(operation, operation === unmatchedPath ? { ...call, query: "" } : call);
}

/** Sends an answer as it is: its bytes are what the record holds the digest of. */
export function send(reply: FastifyReply, answer: Answer): void {
  reply.hijack();
  const headers: Record<string, string | number> = { ...answer.headers };
  if (answer.status !== 304) {
    headers["Content-Type"] = answer.contentType;
    headers["Content-Length"] = Buffer.byteLength(answer.body);
  }
  reply.raw.writeHead(answer.status, headers);
  reply.raw.end(reply.request.method === "HEAD" ? undefined : answer.body);
}

/**
 * A path that the router could not read (broken percent-encoding, a segment over the limit) is one that no operation has. It is looked up
 * again by a name that surely nothing has, so that such a request is routed like any other; the call keeps the path as it was sent.
 */
export function retryRouting(server: FastifyInstance, { raw }: FastifyRequest, reply: FastifyReply): void {
  Object.assign(raw, { [sentUrl]: raw.url, url: unreadablePath });
  server.routing(raw, reply.raw);
}

const controlCharacter = /^[^?]*%(?:[01][0-9a-f]|7f)/i;

/**
 * Sets the method to route by and returns the path to route by. A path with a percent-encoded control character names nothing. It is not decoded, so that no record,
 * log line or export carries one.
 */
export function routedPath(request: IncomingMessage): string {
  const { url = "/", method = "" } = request;
  if (!routedMethods.includes(method)) Object.assign(request, { [sentMethod]: method, method: "TRACE" });
  if (!controlCharacter.test(url)) return url;
  Object.assign(request, { [sentUrl]: url });
  return unreadablePath;
}

/** A request that Fastify itself refused passes the whole pipeline, and is refused where bodies are read. Only what is no caller's fault is reported. */
export function handleRequestFaults(server: FastifyInstance, dependencies: RouterDependencies): void {
  server.setErrorHandler(async (error: { statusCode?: number }, request, reply) => {
    const matched = (request.routeOptions.config as { matched?: Route }).matched ?? notFoundRoute;
    const requestId = dependencies.newId("req");
    const fault = clientErrorOf(error.statusCode, matched) ?? error;
    if (fault === error) dependencies.report(error, requestId);
    const readBody = (): never => {
      throw fault;
    };
    // A body that was not read to its end would be taken for the next request.
    reply.raw.setHeader("Connection", "close");
    await answer(dependencies, request, reply, matched, requestId, readBody);
  });
}

export function clientErrorOf(status: number | undefined, { operation }: Route): Error | null {
  if (status === 413) return tooLarge(describe(operation).largestBody ?? bodyLimit);
  if (status === 415)
    return unsupportedType("the Content-Type that was sent is no media type", [
      ...describe(operation).reads,
      ...(describe(operation).receives ? [formType] : []),
    ]);
  return status !== undefined && status >= 400 && status < 500 ? unreadable() : null;
}
