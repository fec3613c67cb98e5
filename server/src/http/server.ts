import fastify, { type FastifyInstance } from "fastify";
import type { Proofs } from "../features/index.ts";
import type { IdentityProvider } from "../kernel/identity.ts";
import type { NewId } from "../kernel/ids.ts";
import type { Operation } from "../kernel/operation.ts";
import type { Tracer } from "../kernel/tracing.ts";
import type { Pipeline } from "../pipeline/run.ts";
import { type ChannelEventParts, channelEntrance } from "./channel-entrance.ts";
import { type HookParts, hookEntrance } from "./hook-entrance.ts";
import { endLastConnections, lastGrace } from "./last-connections.ts";
import { NosniffResponse } from "./nosniff.ts";
import { OpenCalls } from "./open-calls.ts";
import type { Portal } from "./portal/index.ts";
import { protocolRoutes, routeProtocols } from "./protocols/routes.ts";
import {
  clientErrorOf,
  handleRequestFaults,
  type RouterDependencies,
  readersOf,
  retryRouting,
  routedPath,
  routeOperations,
  sendAnswer,
} from "./router.ts";
import { inServerSpan } from "./server-span.ts";
import { SessionCookie } from "./session-cookie.ts";
import { type Entrance, entrances, type SignInOperations } from "./sign-in.ts";
import { routeSignInMethods } from "./sign-in-methods.ts";
import { routeOidc } from "./sign-in-oidc.ts";
import { maxHeaderBytes, refuseUnfit, refuseUnparsed } from "./unparsed.ts";

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
  /** Inbound hooks; default: none are taken. */
  readonly hooks?: HookParts;
  /** Events of channels; default: none are taken. */
  readonly channelEvents?: ChannelEventParts;
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
  /** How long a request may take to arrive (milliseconds); default: 30 seconds. */
  readonly requestPatience?: number;
  /** Default: nothing is traced. */
  readonly tracer?: Tracer | null;
}

/** How long a request may take to arrive, and how often that is looked at (milliseconds). */
const usualPatience = 30_000;
const looksEvery = 1_000;

/** The HTTP server: operations through the pipeline, and nothing else; what lies outside it is added by `routePublic`. */
export function createServer(options: ServerOptions): FastifyInstance {
  const { appUrl, newId, requestPatience: patience = usualPatience } = options;
  const unparsed = { appUrl, newId, patience };
  const server: FastifyInstance = fastify({
    logger: false,
    trustProxy: options.trustProxy.length > 0 ? [...options.trustProxy] : false,
    requestTimeout: patience,
    keepAliveTimeout: 72_000,
    forceCloseConnections: "idle",
    return503OnClosing: false,
    http: {
      maxHeaderSize: maxHeaderBytes,
      ServerResponse: NosniffResponse,
      headersTimeout: patience,
      connectionsCheckingInterval: Math.min(looksEvery, patience),
      requireHostHeader: false, // it is refused as a problem
    },
    clientErrorHandler: (error, socket) => refuseUnparsed(error as NodeJS.ErrnoException, socket, unparsed),
    frameworkErrors: (_error, request, reply) => retryRouting(server, request, reply),
    rewriteUrl: routedPath,
    routerOptions: { maxParamLength: 300, ignoreTrailingSlash: false },
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  const { operations, signIn, hooks, channelEvents } = options;
  const dependencies = routerDependencies(options);
  // Calls that wait or stream would hold the drain up for ever; they end first, and those that only work go on to their end.
  const endConnections = endLastConnections(server.server, Math.min(patience, lastGrace));
  server.addHook("preClose", async () => {
    dependencies.open.drain();
    endConnections();
  });
  refuseUnfit(server, unparsed);
  handleRequestFaults(server, dependencies);
  const signed = [hooks, channelEvents].flatMap((parts) => (parts ? [parts.operation] : []));
  const unlisted = [...Object.values<Operation>({ ...signIn?.operations }), ...signed];
  routeOperations(server, [...operations, ...unlisted], dependencies, protocolRoutes);
  routeClientProtocols(server, options, dependencies);
  if (signIn) routeSignIn(server, signIn, dependencies, appUrl);
  return server;
}

/** What answering requests needs. */
function routerDependencies(options: ServerOptions): RouterDependencies {
  const {
    signIn,
    hooks,
    channelEvents,
    portal,
    pipeline,
    newId,
    report,
    readerPatience = 60_000,
    tracer = null,
  } = options;
  const cookie = new SessionCookie(options.appUrl);
  const entered = new Map<Operation, Entrance>([
    ...(signIn ? entrances(signIn.operations, cookie, signIn.proofs) : []),
    ...(hooks ? hookEntrance(hooks) : []),
    ...(channelEvents ? channelEntrance(channelEvents) : []),
  ]);
  return { pipeline, newId, open: new OpenCalls(), portal, cookie, entrances: entered, report, readerPatience, tracer };
}

/** The protocols of other clients, translated to operations. */
function routeClientProtocols(
  server: FastifyInstance,
  { operations, pipeline, newId }: ServerOptions,
  dependencies: RouterDependencies,
): void {
  const { tracer } = dependencies;
  routeProtocols(server, {
    operations,
    pipeline,
    newId,
    open: dependencies.open,
    readers: readersOf,
    send: (reply, answer, signal, requestId) => sendAnswer(dependencies, reply, answer, signal, requestId),
    traced: (request, reply, route, work) =>
      tracer === null ? work() : inServerSpan(tracer, { request, reply, route }, work),
    clientFault: (error, operation) => clientErrorOf(error, { operation, route: null }),
  });
}

function routeSignIn(
  server: FastifyInstance,
  signIn: SignInParts,
  dependencies: RouterDependencies,
  appUrl: string,
): void {
  const { operations, proofs, provider, passkeys } = signIn;
  routeSignInMethods(server, { provider: provider?.name ?? null, passkeys }, proofs);
  if (provider) routeOidc(server, dependencies, { provider, proofs, operation: operations.signInWithProvider, appUrl });
}
