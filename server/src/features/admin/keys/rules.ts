import { randomBytes } from "node:crypto";
import { BlockList, isIP } from "node:net";
import { nearestName } from "@aos/text";
import type { Fault } from "../../../kernel/errors.ts";
import { generateKey, hashKey, startAndLastFour } from "../../../kernel/key-format.ts";
import type { Environment, Principal, Role } from "../../../kernel/principal.ts";
import { roleGrants, roleIncludes } from "../../../kernel/role-permissions.ts";
import type { IssueKeyBody, KeyState } from "../schemas.ts";
import { EXPIRY_DAYS } from "../schemas.ts";
import type { KeyRow } from "./store.ts";

const DAY = 86_400_000;

/** The state of a key at a time (milliseconds since the epoch). Revocation takes precedence over expiry. */
export function keyState(key: { dead_since: Date | null; expires_at: Date | null }, now: number): KeyState {
  if (key.dead_since !== null && key.dead_since.getTime() <= now) return "revoked";
  return key.expires_at !== null && key.expires_at.getTime() <= now ? "expired" : "active";
}

export function drawKey(environment: Environment) {
  const secret = generateKey(environment, randomBytes);
  const { start, last_four } = startAndLastFour(secret);
  return { secret, stored: { secret_hash: hashKey(secret), secret_start: start, secret_last_four: last_four } };
}

/** The limits of the key that issues a key, which bound the new one. */
export interface Creator extends Pick<Principal, "role" | "scopes" | "agents"> {
  readonly addresses: readonly string[] | null;
  readonly ratePerSecond: number | null;
  /** When it expires or its overlap ends, whichever is sooner (milliseconds since the epoch); null: never. */
  readonly endsAt: number | null;
}

type Bounds = Pick<KeyRow, "addresses" | "rate_per_second" | "expires_at" | "dead_since">;

/** The limits of a principal and its key; null for the service itself, which has none. */
export function creatorOf({ kind, role, scopes, agents }: Principal, key: Bounds | undefined): Creator | null {
  if (kind === "system") return null;
  const ends = [key?.expires_at, key?.dead_since].flatMap((at) => (at ? [at.getTime()] : []));
  return {
    role,
    scopes,
    agents,
    addresses: key?.addresses ?? null,
    ratePerSecond: key?.rate_per_second ?? null,
    endsAt: ends.length === 0 ? null : Math.min(...ends),
  };
}

/** When a new key ends: by default after 90 days, or with its creator if that ends sooner. */
export function expiryOf(body: IssueKeyBody, creator: Creator | null, now: number): Date | null {
  if (body.expires_in_days === null) return null;
  if (body.expires_in_days !== undefined) return new Date(now + body.expires_in_days * DAY);
  return new Date(Math.min(now + EXPIRY_DAYS.standard * DAY, creator?.endsAt ?? Number.POSITIVE_INFINITY));
}

export function excessOf(body: IssueKeyBody, expiresAt: Date | null, creator: Creator): Fault[] {
  const faults: Fault[] = [];
  const tooMuch = (pointer: string, detail: string): void =>
    void faults.push({ pointer, code: "exceeds_creator", detail });
  if (creator.role === null || !roleIncludes(creator.role, body.role)) {
    tooMuch("/role", `is ${body.role}, which may do more than the issuing key's role, ${creator.role ?? "none"}`);
  }
  listExcess("scopes", body.scopes, creator.scopes, tooMuch);
  listExcess("agents", body.agents, creator.agents, tooMuch);
  const { addresses, ratePerSecond, endsAt } = creator;
  if (addresses !== null) {
    if (body.addresses === undefined)
      tooMuch("/addresses", `must be given: the issuing key is limited to ${addresses.join(", ")}`);
    body.addresses?.forEach((text, i) => {
      if (!addresses.some((outer) => lies(text, outer)))
        tooMuch(`/addresses/${i}`, `is outside of ${addresses.join(", ")}, which the issuing key is limited to`);
    });
  }
  if (ratePerSecond !== null && (body.rate_per_second === undefined || body.rate_per_second > ratePerSecond)) {
    tooMuch("/rate_per_second", `must be given and at most ${ratePerSecond}, the issuing key's own rate`);
  }
  if (endsAt !== null && (expiresAt === null || expiresAt.getTime() > endsAt)) {
    tooMuch(
      "/expires_in_days",
      `must end the key by ${new Date(endsAt).toISOString()}, when the issuing key ends; leave it out to end with it`,
    );
  }
  return faults;
}

function listExcess(
  name: "scopes" | "agents",
  asked: readonly string[] | undefined,
  had: readonly string[] | null,
  tooMuch: (pointer: string, detail: string) => void,
): void {
  if (had === null) return;
  if (asked === undefined) tooMuch(`/${name}`, `must be given: the issuing key is limited to ${had.join(", ")}`);
  asked?.forEach((one, i) => {
    if (!had.includes(one)) tooMuch(`/${name}/${i}`, `is ${one}; the issuing key is limited to ${had.join(", ")}`);
  });
}

/**
 * Faults of a body that its schema cannot express: unknown scopes, scopes that the role does not have, invalid addresses. The body may violate its schema.
 * `permissions`: all that operations ask for.
 */
export function bodyFaults(
  body: Partial<Record<keyof IssueKeyBody, unknown>>,
  isRole: (text: unknown) => text is Role,
  permissions: readonly string[],
): Fault[] {
  const texts = (list: unknown): [number, string][] =>
    Array.isArray(list)
      ? list.flatMap((text, i): [number, string][] => (typeof text === "string" ? [[i, text]] : []))
      : [];
  const faults: Fault[] = [];
  const { role } = body;
  for (const [i, scope] of texts(body.scopes)) {
    if (!permissions.includes(scope)) {
      const nearest = nearestName(scope, permissions);
      const remedy = nearest === null ? `known are ${permissions.join(", ")}` : `did you mean ${nearest}?`;
      faults.push({ pointer: `/scopes/${i}`, code: "unknown_scope", detail: `is not a scope; ${remedy}` });
    } else if (isRole(role) && !roleGrants(role, scope)) {
      faults.push({
        pointer: `/scopes/${i}`,
        code: "scope_not_in_role",
        detail: `is not among the permissions of the role ${role}; choose another role or leave it out`,
      });
    }
  }
  for (const [i, text] of texts(body.addresses)) {
    if (isNetwork(text)) continue;
    faults.push({
      pointer: `/addresses/${i}`,
      code: "invalid_address",
      detail: "must be an IP address or a CIDR block, such as 192.0.2.7 or 2001:db8::/32",
    });
  }
  return faults;
}

/** Whether a text is an IP address or a CIDR block (RFC 4632, RFC 4291). IPv6 zones are refused: they are local to one machine. */
export function isNetwork(text: string): boolean {
  const [host = "", bits, ...rest] = text.split("/");
  const family = isIP(host);
  if (family === 0 || host.includes("%") || rest.length > 0) return false;
  return bits === undefined || (/^(0|[1-9]\d{0,2})$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

/** Whether every address of one network lies in another. */
export function lies(inner: string, outer: string): boolean {
  const network = (text: string) => {
    const [host = "", bits] = text.split("/");
    const family = isIP(host) === 6 ? ("ipv6" as const) : ("ipv4" as const);
    return { host, family, bits: bits === undefined ? (family === "ipv6" ? 128 : 32) : Number(bits) };
  };
  const a = network(inner);
  const b = network(outer);
  if (a.family !== b.family || a.bits < b.bits) return false;
  const list = new BlockList();
  list.addSubnet(b.host, b.bits, b.family);
  return list.check(a.host, a.family);
}
