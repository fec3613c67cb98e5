import type { FastifyRequest } from "fastify";
import type { Proofs, signInOperations } from "../features/index.ts";
import { Refusal, refuse } from "../kernel/errors.ts";
import type { KeyFacts } from "../kernel/key-facts.ts";
import type { Operation } from "../kernel/operation.ts";
import { crossSiteRequest, invalidBody } from "../kernel/problems.ts";
import { drawSecret, hashOfSecret } from "../kernel/sessions.ts";
import { LARGE_BODY } from "../kernel/threads.ts";
import type { Call, Credential } from "../pipeline/call.ts";
import { tooLarge } from "./incoming-call.ts";
import type { SessionCookie } from "./session-cookie.ts";
import { isEnvironment } from "./sign-in-flow.ts";

export type SignInOperations = typeof signInOperations;

/** A call of the sign-in on its way in, and the cookie that its answer sets. */
export interface Entering {
  readonly call: Call;
  /** By what the call came to; null: the cookie stays as it is. */
  readonly cookie: (status: number, output: unknown) => string | null;
}

export type Entrance = (call: Call, request: FastifyRequest) => Entering;

/**
 * What is particular to the HTTP interface of the sign-in: the credential comes in the body, and what opens the session leaves in a cookie. Its secret is drawn here, and
 * the pipeline is given its hash only. OpenID Connect, which comes back by a redirect, has addresses of its own (`sign-in-oidc.ts`).
 */
export function entrances(
  operations: SignInOperations,
  cookie: SessionCookie,
  proofs: Proofs,
): ReadonlyMap<Operation, Entrance> {
  const opening =
    (credentialOf: (call: Call) => Credential): Entrance =>
    (call, request) => {
      const credential = cookie.fromElsewhere(request) ? refused(elsewhere()) : credentialOf(call);
      const { params, secret } = opened(cookie, request);
      return {
        call: { ...call, credential, params, idempotencyKey: null },
        cookie: (_status, output) => (isSession(output) ? cookie.set(secret) : null),
      };
    };
  const ending = (gone: readonly number[]): Entrance => {
    return (call) => ({ call, cookie: (status) => (gone.includes(status) ? cookie.clear() : null) });
  };
  return new Map<Operation, Entrance>([
    [operations.signInWithKey, opening((call) => credentialIn(call, "key", "key"))],
    [operations.signInWithLink, opening((call) => credentialIn(call, "link", "token"))],
    [operations.signInWithPasskey, opening((call) => ({ kind: "proof", prove: () => passkeyIn(call, proofs) }))],
    [operations.openInvitation, opening((call) => invitationIn(call, proofs))],
    [operations.acceptInvitation, opening((call) => invitationIn(call, proofs))],
    [operations.readSession, ending([401])],
    [operations.signOut, ending([200, 401])],
  ]);
}

/** Browsers name themselves at length; what tells them apart comes first. */
const longestName = 300;

/** Draws the secret of a new session's cookie, and says of it what the operation that opens the session is given. */
export function opened(
  cookie: SessionCookie,
  request: FastifyRequest,
): { readonly secret: string; readonly params: Record<string, string> } {
  const secret = drawSecret();
  const before = cookie.read(request);
  const agent = request.headers["user-agent"]?.slice(0, longestName);
  const params = {
    secret_hash: hashOfSecret(secret),
    ...(before ? { replaces: hashOfSecret(before.secret) } : {}),
    ...(agent ? { user_agent: agent } : {}),
  };
  return { secret, params };
}

/** Nobody is known yet, and nothing that signs in is large. */
function smallBody(call: Call): unknown {
  if (call.bodyLength > LARGE_BODY) throw tooLarge(LARGE_BODY);
  return call.readBody();
}

/** What the body gives to sign in by. Who cannot be known is refused for what is wrong with the body. */
function credentialIn(call: Call, by: "key" | "link", member: string): Credential {
  try {
    const body = smallBody(call);
    const secret = typeof body === "object" && body !== null ? (body as Record<string, unknown>)[member] : undefined;
    if (typeof secret === "string") return { kind: "sign_in", by, secret };
    const detail = `is missing or no string; send {"${member}": "…"}`;
    return refused(
      refuse(invalidBody, `/${member}: ${detail}.`, { errors: [{ pointer: `/${member}`, code: "required", detail }] }),
    );
  } catch (error) {
    if (error instanceof Refusal) return refused(error);
    throw error;
  }
}

function invitationIn(call: Call, proofs: Proofs): Credential {
  const read = credentialIn(call, "link", "token");
  return read.kind === "sign_in" ? { kind: "proof", prove: () => proofs.ofInvitation(read.secret) } : read;
}

function passkeyIn(call: Call, proofs: Proofs): Promise<KeyFacts> {
  const body = smallBody(call) as {
    readonly environment?: unknown;
    readonly response?: { readonly id?: unknown };
  } | null;
  const { environment, response } = body ?? {};
  if (
    !isEnvironment(environment) ||
    typeof response !== "object" ||
    response === null ||
    typeof response.id !== "string"
  ) {
    const detail = 'needs an environment and the response of a passkey; send {"environment": "…", "response": {…}}';
    throw refuse(invalidBody, `The body ${detail}.`, { errors: [{ pointer: "", code: "required", detail }] });
  }
  return proofs.ofPasskey(response as Parameters<Proofs["ofPasskey"]>[0], environment);
}

/** Not so the answer to a dry run, or a problem. */
const isSession = (output: unknown): boolean => typeof output === "object" && output !== null && "csrf" in output;

const refused = (refusal: Refusal): Credential => ({ kind: "refused", refusal });
const elsewhere = (): Refusal =>
  refuse(crossSiteRequest, "The request comes from a page of another origin; only the portal's own page signs in.", {
    stage: "permissions",
  });
