import { hash } from "node:crypto";
import { BlockList, isIP } from "node:net";
import { refuse } from "../kernel/errors.ts";
import { isWellFormedKey } from "../kernel/key-format.ts";
import type { Principal, Scope } from "../kernel/principal.ts";
import { addressNotAllowed, overloaded, rateLimited, unauthenticated } from "../kernel/problems.ts";
import type { Attempt } from "./attempt.ts";
import type { Call } from "./call.ts";
import { permit } from "./permissions.ts";
import type { KeyFacts, Machine } from "./ports.ts";

/** Who calls, in which scope, and by which key; machines inside have none. */
export interface Identity {
  readonly principal: Principal;
  readonly scope: Scope;
  readonly key: KeyFacts | null;
}

/** How long a call waits for facts that a busy process has not confirmed in time (milliseconds). */
const confirmWithin = 1_000;

const challenge = { "WWW-Authenticate": "Bearer" };
const badToken = { "WWW-Authenticate": 'Bearer error="invalid_token"' };

/**
 * Who calls, decided from memory. A key that this process does not know but whose checksum is right is looked up once, since another
 * process may have issued it a moment ago. Nothing is decided from facts that could not be confirmed within their bound.
 */
export async function authenticate(machine: Machine, call: Call, now: number): Promise<Identity> {
  if (!machine.facts.fresh() && !(await machine.facts.freshWithin(confirmWithin))) {
    throw refuse(overloaded, "This process has lost touch with the facts it decides from; try again in a second.", {
      headers: { "Retry-After": "1" },
    });
  }
  const { credential } = call;
  if (credential.kind === "inside") return { principal: credential.principal, scope: credential.scope, key: null };
  if (credential.kind === "none") throw refuse(unauthenticated, "Send a key as `Authorization: Bearer <key>`.", { headers: challenge });
  if (!isWellFormedKey(credential.secret)) throw rejected("The key is mistyped: its checksum does not fit.");
  const secretHash = hash("sha256", credential.secret, "hex");
  const key = machine.ports.keyByHash(secretHash) ?? (await lookUpOnce(machine, secretHash, call.address, now));
  if (!key) throw rejected("The key is not known.");
  if (hasEnded(key.revokedAt, now)) throw rejected("The key was revoked.");
  if (hasEnded(key.expiresAt, now)) throw rejected("The key has expired.");
  return { principal: key.principal, scope: key.scope, key };
}

/**
 * Whether who called may still do what the call does, for one that goes on for long. Decided anew from memory; false too while the facts in
 * memory are older than their bound, since nothing is decided from such.
 */
export function stillAllowed({ machine, call, spec, compiled }: Attempt): boolean {
  const { credential } = call;
  if (credential.kind === "inside") return true;
  if (credential.kind === "none" || !machine.facts.fresh()) return false;
  const now = machine.clock.now();
  const key = machine.ports.keyByHash(hash("sha256", credential.secret, "hex"));
  if (!key || hasEnded(key.revokedAt, now) || hasEnded(key.expiresAt, now)) return false;
  const { role } = key.principal;
  try {
    permit(key.principal, spec.permission, role !== null && compiled.roles.allows(role, compiled.index));
    return true;
  } catch {
    return false;
  }
}

/** How long a read may take until it is asked again who reads (milliseconds): revocation holds within a second. */
const asksAgainAfter = 1_000;

/** Refuses who may no longer read what a call that waited has found. A call that did not wait is not asked again. */
export async function askAgain({ machine, call, spec, compiled, progress }: Attempt): Promise<void> {
  const now = machine.clock.now();
  if (now - progress.now < asksAgainAfter) return;
  const { principal } = await authenticate(machine, call, now);
  permit(principal, spec.permission, principal.role !== null && compiled.roles.allows(principal.role, compiled.index));
}

const hasEnded = (at: number | null, now: number): boolean => at !== null && at <= now;

/** After authentication: the address the key may come from, and its rate. Apart, so that these refusals know whose they are. Answers the rate's headers. */
export function admit(machine: Machine, { key, principal }: Identity, address: string | null, now: number): Record<string, string> {
  if (key === null || principal.keyId === null) return {};
  if (key.addresses && !allowedFrom(key, address)) {
    throw refuse(addressNotAllowed, `The key may not be used from ${address ?? "this address"}.`, { stage: "permissions" });
  }
  machine.ports.keyUsed(principal.keyId, key.scope, now);
  const rate = machine.rateLimit.take(principal.keyId, key.ratePerSecond, now);
  if (rate.allowed) return rate.headers;
  throw refuse(rateLimited, `The key's rate is used up; wait ${rate.headers["Retry-After"]} s.`, { headers: rate.headers });
}

/**
 * Looks up a key that this process does not know. Whoever tries keys shares one allowance per address with the others there, so that
 * guesses cost no more database reads than calls of one key may.
 */
async function lookUpOnce(machine: Machine, secretHash: string, address: string | null, now: number): Promise<KeyFacts | undefined> {
  const rate = machine.rateLimit.take(`unknown keys from ${address}`, null, now);
  if (!rate.allowed) throw refuse(rateLimited, "Too many unknown keys from this address; wait a moment.", { headers: rate.headers });
  return machine.ports.lookUpKey(secretHash);
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
