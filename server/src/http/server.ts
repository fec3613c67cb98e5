import type { Socket } from "node:net";
import fastify, { type FastifyInstance } from "fastify";
import type { Proofs } from "../features/index.ts";
import type { IdentityProvider } from "../kernel/identity.ts";
import type { NewId } from "../kernel/ids.ts";
import type { Operation } from "../kernel/operation.ts";
import { headersTooLarge, malformedRequest } from "../kernel/problems.ts";
import type { Tracer } from "../kernel/tracing.ts";
import type { Pipeline } from "../pipeline/run.ts";
import { NosniffResponse, nosniffLine } from "./nosniff.ts";
import { OpenCalls } from "./open-calls.ts";
import type { Portal } from "./portal/index.ts";
import { handleRequestFaults, lookUpAgain, routeOperations, type Travels, withoutControlCharacters } from "./router.ts";
import { SessionCookie } from "./session-cookie.ts";
import { type Entrance, entrances, type SignInOperations } from "./sign-in.ts";
import { routeSignInMethods } from "./sign-in-methods.ts";
import { routeOidc } from "./sign-in-oidc.ts";

export interface SignInParts {
  readonly operations: SignInOperations;
  /** Finds out who signs in by the ways that need more than a key or a link. */
  readonly proofs: Proofs;
  /** The OpenID Connect provider that signs people in; null: there is none. */
  readonly provider: IdentityProvider | null;
  /** Whether people can sign in by passkeys. */
  readonly passkeys: boolean;
}

export interface ServerOptions {
  readonly operations: readonly Operation[];
  /** The portal's sign-in; null: it has none here, and calls carry keys. */
  readonly signIn: SignInParts | null;
  /** The portal; null: what no operation takes is no page either. */
  readonly portal: Portal | null;
  readonly pipeline: Pipeline;
  readonly newId: NewId;
  readonly appUrl: string;
  /** Addresses and networks whose Forwarded headers count; empty: nobody's. */
  readonly trustProxy: readonly string[];
  readonly report: (error: unknown, requestId: string) => void;
  /** How long a reader of a stream may take nothing before its connection is closed (milliseconds); default: a minute. */
  readonly readerPatience?: number;
  /** Default: nothing is traced. */
  readonly tracer?: Tracer | null;
}

const maxHeaderBytes = 16 * 1024;
const requestSeconds = 30;

/** The HTTP server: operations through the pipeline, and nothing else; what lies outside it is added by `routePublic`. */
export function createServer(options: ServerOptions): FastifyInstance {
  const server: FastifyInstance = fastify({
    logger: false,
    trustProxy: options.trustProxy.length > 0 ? [...options.trustProxy] : false,
    requestTimeout: requestSeconds * 1000,
    keepAliveTimeout: 72_000,
    forceCloseConnections: "idle",
    return503OnClosing: false,
    http: { maxHeaderSize: maxHeaderBytes, ServerResponse: NosniffResponse },
    clientErrorHandler: (error, socket) => refuseUnparsed(error as NodeJS.ErrnoException, socket, options),
    frameworkErrors: (_error, request, reply) => lookUpAgain(server, request, reply),
    rewriteUrl: withoutControlCharacters,
    routerOptions: { maxParamLength: 300, ignoreTrailingSlash: false },
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  const { operations, signIn, portal, pipeline, newId, report, readerPatience = 60_000, tracer = null } = options;
  const cookie = new SessionCookie(options.appUrl);
  const travels = {
    pipeline,
    newId,
    open: new OpenCalls(),
    portal,
    cookie,
    entrances: signIn ? entrances(signIn.operations, cookie, signIn.proofs) : new Map<Operation, Entrance>(),
    report,
    readerPatience,
    tracer,
  };
  // Calls that wait or stream would hold the drain up for ever; they end first, and those that only work go on to their end.
  server.addHook("preClose", async () => travels.open.drain());
  handleRequestFaults(server, travels);
  routeOperations(server, [...operations, ...Object.values<Operation>({ ...signIn?.operations })], travels);
  if (signIn) routeSignIn(server, signIn, travels, options.appUrl);
  return server;
}

function routeSignIn(server: FastifyInstance, signIn: SignInParts, travels: Travels, appUrl: string): void {
  const { operations, proofs, provider, passkeys } = signIn;
  routeSignInMethods(server, { provider: provider?.name ?? null, passkeys }, proofs);
  if (provider) routeOidc(server, travels, { provider, proofs, operation: operations.signInWithProvider, appUrl });
}

/** What is not HTTP, or has headers over the limit, never becomes a call; it is told so in the shape of every error. */
function refuseUnparsed(error: NodeJS.ErrnoException, socket: Socket, { appUrl, newId }: ServerOptions): void {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  const large = error.code === "HPE_HEADER_OVERFLOW";
  const type = large ? headersTooLarge : malformedRequest;
  const requestId = newId("req");
  const detail = large ? `The headers may have ${maxHeaderBytes} bytes together.` : whyUnparsed(error.code);
  const { status, title, code, retryable } = type;
  const body = JSON.stringify({ type: `${appUrl}/docs/problems/${code}`, title, status, code, detail, request_id: requestId, retryable });
  const head = `HTTP/1.1 ${status} ${title}\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${requestId}\r\n${nosniffLine}Connection: close\r\n\r\n`;
  socket.end(head + body);
}

/** What Node's parser says by its codes, in words. */
function whyUnparsed(code: string | undefined): string {
  if (code === "HPE_INVALID_METHOD") return "The request line begins with a method that HTTP does not know.";
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return `The request did not arrive whole within ${requestSeconds} seconds.`;
  return "The request line, a header or the framing of the body breaks the grammar of HTTP/1.1.";
}
