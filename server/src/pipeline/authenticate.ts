import { hash, timingSafeEqual } from "node:crypto";
import { BlockList, isIP } from "node:net";
import { isDeepStrictEqual } from "node:util";
import { type ChatToken, openChatToken, readChatToken } from "../kernel/chat-token.ts";
import { type Refusal, refuse } from "../kernel/errors.ts";
import { isWellFormedKey } from "../kernel/key-format.ts";
import { callerOf } from "../kernel/principal.ts";
import {
  addressNotAllowed,
  crossSiteRequest,
  originNotAllowed,
  overloaded,
  rateLimited,
  unauthenticated,
} from "../kernel/problems.ts";
import { hashOfSecret } from "../kernel/sessions.ts";
import type { ChatTokenCredential, Credential, SessionCredential } from "./call.ts";
import { permit } from "./permissions.ts";
import { type KeyFacts, type Machine, type SessionFacts, stagePort } from "./ports.ts";
import type { Admitted, Authenticated, Received } from "./stages.ts";

type Identity = Pick<Authenticated, "principal" | "scope" | "key" | "session">;

/** How long a call waits for facts that a busy process has not confirmed in time (milliseconds). */
const confirmWithin = 1_000;

const challenge = { "WWW-Authenticate": "Bearer" };
const badToken = { "WWW-Authenticate": 'Bearer error="invalid_token"' };

/**
 * Who calls, decided from memory. A key that this process does not know but whose checksum is right is looked up once, since another
 * process may have issued it a moment ago. Nothing is decided from facts that could not be confirmed within their bound.
 */
export async function identify({ machine, call, now }: Pick<Received, "machine" | "call" | "now">): Promise<Identity> {
  if (!machine.facts.fresh() && !(await machine.facts.freshWithin(confirmWithin))) {
    throw refuse(overloaded, "This process has lost touch with the facts it decides from; try again in a second.", {
      headers: { "Retry-After": "1" },
    });
  }
  const { credential, address } = call;
  switch (credential.kind) {
    case "bearer":
      return heldBy(await keyOf(machine, credential.secret, address, now));
    case "chat_token":
      return heldBy(await tokenHolder(machine, credential.secret, address, now));
    case "session":
      return ofSession(await sessionOf(machine, credential.secret, address, now));
    case "inside":
      return { principal: credential.principal, scope: credential.scope, key: null, session: null };
    case "sign_in":
      return heldBy(await enter(machine, credential, address, now));
    case "proof":
      takeAttempt(machine, address, now);
      return heldBy(await credential.prove());
    case "signature":
      return heldBy(await signedBy(machine, credential.prove, address, now));
    case "refused":
      throw credential.refusal;
    case "none":
      throw refuse(unauthenticated, "Send a key as `Authorization: Bearer <key>`, or sign in to the portal.", {
        headers: challenge,
      });
  }
}

export function withIdentity(received: Received, { principal, scope, key, session }: Identity): Authenticated {
  return { ...received, principal, scope, key, session, params: received.call.params };
}

/** Whose a signature is. Who tries signatures shares one allowance per address with the others there. */
async function signedBy(
  machine: Machine,
  prove: () => Promise<KeyFacts>,
  address: string | null,
  now: number,
): Promise<KeyFacts> {
  try {
    return await prove();
  } catch (error) {
    takeGuess(machine, `unknown signatures from ${address}`, "signatures", now);
    throw error;
  }
}

const heldBy = (key: KeyFacts): Identity => ({ principal: key.principal, scope: key.scope, key, session: null });
const ofSession = (session: SessionFacts): Identity => ({ ...heldBy(session.holder), session });

async function keyOf(machine: Machine, secret: string, address: string | null, now: number): Promise<KeyFacts> {
  if (!isWellFormedKey(secret)) throw rejected("The key is mistyped: its checksum does not fit.");
  const secretHash = hash("sha256", secret, "hex");
  const key = machine.port(stagePort).keyByHash(secretHash) ?? (await lookUpOnce(machine, secretHash, address, now));
  if (!key) throw rejected("The key is not known.");
  if (hasEnded(key.revokedAt, now)) throw rejected("The key was revoked.");
  if (hasEnded(key.expiresAt, now)) throw rejected("The key has expired.");
  return key;
}

/** Whoever holds a chat token, as far as the key that issued it still stands. A key that another process issued a moment ago is looked for once. */
async function tokenHolder(machine: Machine, secret: string, address: string | null, now: number): Promise<KeyFacts> {
  const token = openChatToken(machine.seals, secret);
  if (!token) throw rejected("The chat token was not issued here.");
  if (machine.port(stagePort).keyById(token.keyId) === undefined) {
    takeGuess(machine, `unknown keys from ${address}`, "keys", now);
    await machine.facts.refresh();
  }
  const holder = holderOf(machine, token, now);
  if (!holder) throw rejected("The chat token has expired, or its key was revoked; ask the page's server for another.");
  return holder;
}

/** The facts of a token's holder, from memory; undefined where it has ended. Networks bound the issuing server, not its users. */
function holderOf(machine: Machine, token: ChatToken, now: number): KeyFacts | undefined {
  const key = machine.port(stagePort).keyById(token.keyId);
  if (!key || token.expiresAt <= now || hasEnded(key.revokedAt, now) || hasEnded(key.expiresAt, now)) return undefined;
  const { scope, keyId: _, origins: _origins, expiresAt, ...chat } = token;
  const agents = chat.conversation === null ? [chat.agent] : null;
  const principal = { ...key.principal, scopes: endUserScopes, agents, personal: false, chat };
  return { ...key, scope, principal, expiresAt, addresses: null, ratePerSecond: endUserRate };
}

const endUserScopes = ["chat:read", "chat:write"];
/** Calls a second that one end user may make. */
const endUserRate = 10;

/** The session of a cookie. One that this process does not know may have been opened, or prolonged, by another one a moment ago: it asks once. */
async function sessionOf(machine: Machine, secret: string, address: string | null, now: number): Promise<SessionFacts> {
  const hashed = hashOfSecret(secret);
  let session = machine.port(stagePort).sessionByHash(hashed);
  if (!session || session.expiresAt <= now) {
    takeGuess(machine, `unknown sessions from ${address}`, "sessions", now);
    await machine.facts.refresh();
    session = machine.port(stagePort).sessionByHash(hashed);
  }
  if (!session || !lasts(session, now))
    throw refuse(unauthenticated, "The session has ended: sign in again.", { headers: challenge });
  return session;
}

const lasts = ({ expiresAt, holder }: SessionFacts, now: number): boolean =>
  expiresAt > now && !hasEnded(holder.revokedAt, now) && !hasEnded(holder.expiresAt, now);

/** Who signs in, by a key or by a one-time link. An address has few attempts: it would need one a person and day. */
async function enter(
  machine: Machine,
  { by, secret }: Extract<Credential, { kind: "sign_in" }>,
  address: string | null,
  now: number,
): Promise<KeyFacts> {
  takeAttempt(machine, address, now);
  if (by === "key") return keyOf(machine, secret, address, now);
  const guest = await machine.port(stagePort).lookUpLink(hashOfSecret(secret));
  if (!guest || hasEnded(guest.expiresAt, now)) {
    const why = "The link is unknown, was used or has expired: a link works once, for 15 minutes.";
    throw refuse(unauthenticated, `${why} \`aos link\` on the host prints a new one.`, { headers: challenge });
  }
  return guest;
}

function takeAttempt(machine: Machine, address: string | null, now: number): void {
  const rate = machine.rateLimit.attempt(address, now);
  if (rate.allowed) return;
  throw refuse(rateLimited, `Too many attempts to sign in from this address; wait ${rate.headers["Retry-After"]} s.`, {
    headers: rate.headers,
  });
}

/**
 * Whether who called may still do what the call does, for one that goes on for long. Decided again from memory; false too while the facts in
 * memory are older than their bound, since nothing is decided from such, and where the role is another one by now, since what the call shows was chosen for the one
 * before.
 */
export function stillAllowed({ machine, call, spec, compiled, principal }: Authenticated): boolean {
  const { credential } = call;
  if (credential.kind === "inside") return true;
  if (!machine.facts.fresh()) return false;
  const key = stillHeld(machine, credential, machine.clock.now());
  if (key?.principal.role !== principal.role) return false;
  if (!isDeepStrictEqual(key.principal.teams ?? [], principal.teams ?? [])) return false;
  const { role } = key.principal;
  try {
    permit(key.principal, spec.permission, role !== null && compiled.roles.allows(role, compiled.index));
    return true;
  } catch {
    return false;
  }
}

/** What a key or a session may do now, from memory; undefined where it has ended. */
function stillHeld(machine: Machine, credential: Credential, now: number): KeyFacts | undefined {
  if (credential.kind === "session") {
    const session = machine.port(stagePort).sessionByHash(hashOfSecret(credential.secret));
    return session && lasts(session, now) ? session.holder : undefined;
  }
  if (credential.kind === "chat_token") {
    const token = openChatToken(machine.seals, credential.secret);
    return token ? holderOf(machine, token, now) : undefined;
  }
  if (credential.kind !== "bearer") return undefined;
  const key = machine.port(stagePort).keyByHash(hash("sha256", credential.secret, "hex"));
  return !key || hasEnded(key.revokedAt, now) || hasEnded(key.expiresAt, now) ? undefined : key;
}

/** How long a read may take until it is asked again who reads (milliseconds): revocation holds within a second. */
const asksAgainAfter = 1_000;

/** Refuses who may no longer read what a call that waited has found. A call that did not wait is not asked again. */
export async function askAgain({ machine, call, spec, compiled, now: began }: Authenticated): Promise<void> {
  const now = machine.clock.now();
  if (now - began < asksAgainAfter) return;
  const { principal } = await identify({ machine, call, now });
  permit(principal, spec.permission, principal.role !== null && compiled.roles.allows(principal.role, compiled.index));
}

const hasEnded = (at: number | null, now: number): boolean => at !== null && at <= now;

/**
 * After authentication, so that its refusals name the caller: where a session's call comes from, the address the key may come from, and its rate. An item of a
 * batch was admitted with its batch.
 */
export function admit(authenticated: Authenticated): Admitted {
  const { batch, counted = false } = authenticated.call;
  return { ...authenticated, headers: batch === null && !counted ? rateHeaders(authenticated) : {} };
}

function rateHeaders({ machine, call, now, key, principal, session }: Authenticated): Record<string, string> {
  if (key === null) return {};
  if (session !== null && call.credential.kind === "session") refuseForgery(call.credential, session);
  if (call.credential.kind === "chat_token") refuseOrigin(call.credential);
  const whose =
    session === null ? "The key" : principal.keyId === null ? "The session" : "The key that opened the session";
  if (key.addresses && !allowedFrom(key, call.address)) {
    throw refuse(addressNotAllowed, `${whose} may not be used from ${call.address ?? "this address"}.`, {
      stage: "permissions",
    });
  }
  if (session !== null) machine.port(stagePort).sessionUsed(session, now);
  if (principal.keyId !== null) machine.port(stagePort).keyUsed(principal.keyId, key.scope, now);
  const rate = machine.rateLimit.take(callerOf(principal, key.scope), key.ratePerSecond, now);
  if (rate.allowed) return rate.headers;
  throw refuse(rateLimited, `${whose} has used up its rate; wait ${rate.headers["Retry-After"]} s.`, {
    headers: rate.headers,
  });
}

/** A browser sends the cookie whoever asks it to. So what comes from a page of another origin is refused, and a change has to carry the session's own token. */
function refuseForgery({ fromElsewhere, changes, csrf }: SessionCredential, session: SessionFacts): void {
  if (fromElsewhere)
    throw forged("The request comes from a page of another origin; a session serves the portal's own pages only.");
  if (!changes) return;
  if (csrf === null) throw forged("X-CSRF-Token is missing; send the `csrf` of GET /auth/session with every change.");
  if (!isSame(csrf, session.csrf))
    throw forged("X-CSRF-Token is not that of this session; read GET /auth/session again.");
}

/** A token works on the pages for which it was issued. */
function refuseOrigin({ secret, origin }: ChatTokenCredential): void {
  const origins = readChatToken(secret)?.origins ?? [];
  if (origin !== null && origins.includes(origin)) return;
  const from = origin === null ? "names no origin" : `comes from a page of ${origin}`;
  throw refuse(originNotAllowed, `The token is for pages of ${origins.join(", ")}; the request ${from}.`, {
    stage: "permissions",
  });
}

const forged = (detail: string): Refusal => refuse(crossSiteRequest, detail, { stage: "permissions" });

/** Takes as long whatever the texts have in common. */
function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(hash("sha256", given, "buffer"), hash("sha256", expected, "buffer"));
}

/**
 * Looks up a key that this process does not know. Whoever tries keys shares one allowance per address with the others there, so that
 * guesses cost no more database reads than calls of one key may.
 */
async function lookUpOnce(
  machine: Machine,
  secretHash: string,
  address: string | null,
  now: number,
): Promise<KeyFacts | undefined> {
  takeGuess(machine, `unknown keys from ${address}`, "keys", now);
  return machine.port(stagePort).lookUpKey(secretHash);
}

function takeGuess(machine: Machine, from: string, what: string, now: number): void {
  const rate = machine.rateLimit.take(from, null, now);
  if (!rate.allowed)
    throw refuse(rateLimited, `Too many unknown ${what} from this address; wait a moment.`, { headers: rate.headers });
}

const rejected = (detail: string) => refuse(unauthenticated, detail, { headers: badToken });

const lists = new WeakMap<KeyFacts, BlockList>();

function allowedFrom(key: KeyFacts, address: string | null): boolean {
  const family = address ? isIP(address) : 0;
  if (!address || family === 0) return false;
  let list = lists.get(key);
  if (!list) {
    list = networks(key.addresses ?? []);
    lists.set(key, list);
  }
  return list.check(address, family === 6 ? "ipv6" : "ipv4");
}

/** Networks given as addresses or CIDR blocks; what is neither was refused when the key was issued. */
export function networks(texts: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of texts) {
    const [host = "", bits] = text.split("/");
    const family = isIP(host) === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(host, family);
    else list.addSubnet(host, Number(bits), family);
  }
  return list;
}
