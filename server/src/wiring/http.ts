import type { FastifyInstance } from "fastify";
import { logDetail } from "../audit-log/log-detail.ts";
import { allowsPasskeys } from "../config/sign-in.ts";
import {
  createChannelProof,
  createHookProof,
  createProofs,
  registry,
  signedOperations,
  signInOperations,
} from "../features/index.ts";
import { createPortal } from "../http/portal/index.ts";
import { PortalSite } from "../http/portal/site.ts";
import { routePublic } from "../http/public.ts";
import { createServer, type SignInParts } from "../http/server.ts";
import { defaultOrganization } from "../kernel/principal.ts";
import type { Inside } from "../pipeline/inside.ts";
import type { Pipeline } from "../pipeline/run.ts";
import { serveMetrics } from "../telemetry/index.ts";
import type { Machines } from "./machines.ts";
import type { AppOptions } from "./options.ts";

interface HttpParts
  extends Pick<Machines, "reader" | "facts" | "auditLog" | "newId" | "report" | "credentialKey" | "parts"> {
  readonly pipeline: Pipeline;
  readonly inside: Inside;
}

/** The server with the routes of all operations, the sign-in, the portal and the public addresses; null in a process that serves no API. */
export async function createHttp(options: AppOptions, parts: HttpParts) {
  const { database, metrics, role, telemetry, portal: site = new PortalSite() } = options;
  const { facts, auditLog, report } = parts;
  if (role === "worker") return { server: null, site };
  const portal = createPortal(site, report);
  const signIn = wireSignIn(options, parts);
  const hooks = { operation: signedOperations.receiveHook, prove: createHookProof({ ...options, ...parts }) };
  const channelEvents = {
    operation: signedOperations.receiveChannelEvent,
    prove: createChannelProof({ ...options, ...parts }),
  };
  const { operations } = registry;
  const served = { ...options, ...parts, operations, signIn, hooks, channelEvents, portal, tracer: telemetry.tracer };
  const server: FastifyInstance = createServer(served);
  await routePublic(server, {
    operations,
    appUrl: options.appUrl,
    portal,
    ready: () => facts.fresh(),
    logs: () => logDetail(database, auditLog.alarm),
    metrics: metrics && ((authorization) => serveMetrics(metrics, authorization, telemetry.expose)),
  });
  return { server, site };
}

function wireSignIn(
  { appUrl, clock, provider, personalSignIn }: AppOptions,
  { reader, inside, parts: { signIn: port } }: HttpParts,
): SignInParts {
  const proofs = createProofs({
    reader,
    organization: defaultOrganization,
    appUrl,
    clock,
    port,
    inside: (operation, scope, input) => inside(operation, "sign-in", scope, input),
  });
  return { operations: signInOperations, proofs, provider, passkeys: personalSignIn && allowsPasskeys(appUrl) };
}
