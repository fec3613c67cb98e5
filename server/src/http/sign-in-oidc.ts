import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Proofs } from "../features/index.ts";
import { Refusal, refuse } from "../kernel/errors.ts";
import type { IdentityProvider } from "../kernel/identity.ts";
import type { KeyFacts } from "../kernel/key-facts.ts";
import type { Operation } from "../kernel/operation.ts";
import { unauthenticated } from "../kernel/problems.ts";
import type { Credential } from "../pipeline/call.ts";
import type { Outcome } from "../pipeline/run.ts";
import { ownPagesOnly } from "./cors.ts";
import { callOf } from "./incoming-call.ts";
import type { RouterDependencies } from "./router.ts";
import { send } from "./router.ts";
import { opened } from "./sign-in.ts";
import { type Flow, FlowCookie, isEnvironment, ownPage } from "./sign-in-flow.ts";

export interface OidcRoutes {
  readonly provider: IdentityProvider;
  readonly proofs: Proofs;
  readonly operation: Operation;
  readonly appUrl: string;
}

const startPath = "/auth/oidc/start";
const callbackPath = "/auth/oidc/callback";

/** The two addresses of a sign-in by OpenID Connect: the way to the provider, and the way back, which is a call of the pipeline. */
export function routeOidc(
  server: FastifyInstance,
  { newId, cookie, open, pipeline }: RouterDependencies,
  routes: OidcRoutes,
): void {
  const { provider, proofs, appUrl } = routes;
  const flows = new FlowCookie(appUrl);
  const redirectUri = appUrl + callbackPath;
  const query = (request: FastifyRequest): URLSearchParams => new URL(request.url, appUrl).searchParams;

  server.get(startPath, { exposeHeadRoute: false }, async (request, reply) => {
    const asked = query(request);
    if (cameElsewhere(request.host, asked, appUrl)) return redirect(reply, underAppUrl(asked, appUrl), []);
    const environment = asked.get("environment");
    const flow = {
      environment: isEnvironment(environment) ? environment : "production",
      next: ownPage(asked.get("return")),
    } as const;
    try {
      const { url, checks } = await provider.begin(redirectUri);
      return redirect(reply, url, [flows.set({ ...flow, ...checks })]);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return carry(request, reply, { kind: "refused", refusal: error }, flow.next);
    }
  });

  server.get(callbackPath, { exposeHeadRoute: false }, async (request, reply) => {
    const flow = flows.read(request);
    const returned = query(request);
    if (flow === null || returned.get("state") !== flow.state)
      return carry(request, reply, { kind: "refused", refusal: notBegunHere() });
    const callbackUrl = new URL(`${redirectUri}?${returned.toString()}`);
    const prove = async (): Promise<KeyFacts> =>
      proofs.ofAccount(await provider.complete(callbackUrl, flow), flow.environment);
    return carry(request, reply, { kind: "proof", prove }, flow.next);
  });

  const carry = async (
    request: FastifyRequest,
    reply: FastifyReply,
    credential: Credential,
    next: Flow["next"] = "/",
  ): Promise<void> => {
    const requestId = newId("req");
    const { params, secret } = opened(cookie, request);
    const incomingCall = callOf(request, requestId, { route: callbackPath, response: reply.raw }, open);
    const own = { credential, params, idempotencyKey: null };
    const outcome = await pipeline.run(routes.operation, { ...incomingCall, ...own });
    if (outcome.refusal) return sendRefusal(request, reply, outcome, outcome.refusal, next);
    return redirect(reply, next, [flows.clear(), cookie.set(secret)], outcome.answer.headers);
  };

  const sendRefusal = (
    request: FastifyRequest,
    reply: FastifyReply,
    { answer }: Outcome,
    refusal: Refusal,
    next: string,
  ): void => {
    if (!request.headers.accept?.includes("text/html")) {
      Object.assign(answer.headers, ownPagesOnly, { "Set-Cookie": flows.clear() });
      send(reply, answer);
      return;
    }
    const search = new URLSearchParams({ failed: refusal.type.code, ...(next === "/" ? {} : { next }) });
    redirect(reply, `/sign-in?${search.toString()}`, [flows.clear()], answer.headers);
  };
}

/** Marks a start that was led to AOS_APP_URL already: where a proxy puts another host name in the place of the browser's, it is not led there for ever. */
const led = "led";

/** Whether a sign-in is begun under another host name than the one to which the provider leads back: its cookie would not come along. */
const cameElsewhere = (host: string, asked: URLSearchParams, appUrl: string): boolean =>
  !asked.has(led) && host.toLowerCase() !== new URL(appUrl).host;

function underAppUrl(asked: URLSearchParams, appUrl: string): string {
  return `${appUrl}${startPath}?${new URLSearchParams([...asked, [led, "1"]]).toString()}`;
}

const notBegunHere = (): Refusal =>
  refuse(unauthenticated, "This sign-in was begun in another browser, or more than ten minutes ago. Begin again.");

function redirect(
  reply: FastifyReply,
  to: string,
  cookies: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): void {
  reply.hijack();
  const own = { "X-Request-Id": headers["X-Request-Id"], "Audit-Ref": headers["Audit-Ref"] };
  const known = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
  reply.raw.writeHead(303, {
    ...known,
    ...ownPagesOnly,
    "Referrer-Policy": "no-referrer",
    Location: to,
    "Set-Cookie": [...cookies],
    "Content-Length": 0,
  });
  reply.raw.end();
}
