import { hash } from "node:crypto";
import { refuse } from "../kernel/errors.ts";
import { keptFor } from "../kernel/idempotency.ts";
import { lowestId } from "../kernel/ids.ts";
import { endUserOf, type Principal, type Scope } from "../kernel/principal.ts";
import { idempotencyKeyReused, invalidHeader, twinRunning } from "../kernel/problems.ts";
import type { Call } from "./call.ts";
import type { StoredAnswer, Transaction } from "./ports.ts";
import type { Authenticated } from "./stages.ts";

const longestKey = 255;

/**
 * What a caller's Idempotency-Key stands for: bound to the scope, the credential, method and path. The credential is the key or the session itself, not its
 * member, whose other keys may be allowed more. Base64url, 128 bits.
 */
export function idempotencyHash({ call, spec, scope, principal }: Authenticated): string | null {
  const key = call.idempotencyKey;
  if (key === null || !takesKey(spec)) return null;
  if (key.length === 0 || key.length > longestKey || !/^[\x20-\x7e]+$/.test(key)) {
    throw refuse(invalidHeader, `Idempotency-Key takes 1 to ${longestKey} printable ASCII characters.`, {
      errors: [
        { header: "Idempotency-Key", code: "invalid_value", detail: `1 to ${longestKey} printable ASCII characters` },
      ],
    });
  }
  return hashOf(scope, credentialOf(principal), call.target, key);
}

const takesKey = ({ method }: Authenticated["spec"]): boolean => method === "POST" || method === "PATCH";

function hashOf({ organization, environment }: Scope, caller: string, target: string, key: string): string {
  const text = JSON.stringify([organization, environment, caller, target, key]);
  return hash("sha256", text, "base64url").slice(0, 22);
}

/** A key as a release before the migration 0023 stored it, and the API key that has to have made that call. */
export interface FormerKey {
  readonly hash: string;
  readonly keyId: string;
}

/**
 * The call's Idempotency-Key in the form of releases that bound it to the member instead of the credential; null unless the database may still hold answers of
 * such a release. The hash cannot be converted, because the key itself is not stored.
 */
export function formerKey({ call, spec, scope, principal, machine, now }: Authenticated): FormerKey | null {
  const { idempotencyKey: key, target } = call;
  if (now >= machine.formerKeysUntil || key === null || !takesKey(spec)) return null;
  if (principal.keyId === null || principal.chat) return null; // those releases had no end users
  return { hash: hashOf(scope, principal.id, target, key), keyId: principal.keyId };
}

/** A session is bounded by the key that opened it, but is a credential of its own. An end user is the same with every token. Machines of the service have none. */
const credentialOf = (principal: Principal): string =>
  endUserOf(principal) ?? principal.sessionId ?? principal.keyId ?? principal.id;

/** The digest by which two bodies are held to be the same. */
export function digestOfBody(call: Call): string {
  return call.bodyDigest() ?? "-";
}

/** Refuses a key that was used for another body. */
export function sameBody(storedDigest: string, call: Call): void {
  if (storedDigest === digestOfBody(call)) return;
  throw refuse(
    idempotencyKeyReused,
    "This Idempotency-Key was used for another body within the last 24 hours; use a new key for a new request.",
    {
      errors: [{ header: "Idempotency-Key", code: "reused", detail: "was sent with another body" }],
    },
  );
}

/** The transaction of a call's own, begun when it is first needed. */
export class CallTransaction {
  readonly #call: Authenticated;
  #open: Transaction | undefined;

  constructor(call: Authenticated) {
    this.#call = call;
  }

  async begin(): Promise<Transaction> {
    const { machine, scope, spec } = this.#call;
    this.#open ??= await machine.begin(scope, spec);
    return this.#open;
  }

  async rollback(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.rollback();
  }
}

/** In a call's own transaction: keeps twins apart and finds the answer of an earlier call. */
export async function claimOrReplay(
  transaction: Transaction,
  hash: string,
  authenticated: Authenticated,
): Promise<StoredAnswer | undefined> {
  const { call, now } = authenticated;
  if (!(await transaction.claim(hash))) {
    throw refuse(twinRunning, "A call with this Idempotency-Key is still running.", {
      headers: { "Retry-After": "1" },
    });
  }
  const since = lowestId("aud", now - keptFor);
  const former = formerKey(authenticated);
  const stored =
    (await transaction.findAnswer(hash, since)) ??
    (former ? await transaction.findAnswer(former.hash, since, former.keyId) : undefined);
  if (stored) sameBody(stored.bodyDigest, call);
  return stored;
}
