import { createHmac, timingSafeEqual } from "node:crypto";
import { idsOf } from "../../../kernel/actor.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { type Refusal, refuse } from "../../../kernel/errors.ts";
import type { FactsReader } from "../../../kernel/facts.ts";
import type { KeyFacts } from "../../../kernel/key-facts.ts";
import { host } from "../../../kernel/principal.ts";
import { unauthenticated } from "../../../kernel/problems.ts";
import { hookFacts, type KnownHook, knowingOf, secretsOf } from "./facts.ts";

/** A call of a hook, with the headers of Standard Webhooks. */
export interface HookCall {
  readonly hook: string;
  readonly id: string | null;
  readonly timestamp: string | null;
  readonly signature: string | null;
  readonly body: Uint8Array;
}

interface HookProofParts {
  readonly facts: FactsReader;
  readonly credentialKey: Buffer;
  readonly clock: Clock;
}

/** How far the time of a signature may be from now (milliseconds). */
const tolerance = 300_000;
const longestId = 200;

/** Finds the environment whose hook signed the call. Throws a Refusal if no secret matches. */
export type ProveHook = (call: HookCall) => Promise<KeyFacts>;

export function createHookProof({ facts, credentialKey, clock }: HookProofParts): ProveHook {
  return async (call) => {
    const now = clock.now();
    const { hook, id, timestamp, signature } = call;
    if (!id || id.length > longestId || !timestamp || !signature)
      throw refused(
        "A call of a hook carries webhook-id, webhook-timestamp and webhook-signature (Standard Webhooks).",
      );
    const seconds = /^[0-9]{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
    if (!(Math.abs(now - seconds * 1000) <= tolerance))
      throw refused("webhook-timestamp is more than five minutes from the time here: check the sender's clock.");
    for (const known of facts.get(hookFacts).get(hook) ?? [])
      for (const secret of secretsOf(known, hook, credentialKey, now))
        if (isSigned(call, secret)) return hookPrincipal(hook, known, now);
    throw refused("There is no hook of this name, or webhook-signature was not made with its secret.");
  };
}

/** Whether one of the signatures is by this secret. Compares in constant time. */
function isSigned({ id, timestamp, signature, body }: HookCall, secret: Buffer): boolean {
  const expected = createHmac("sha256", secret).update(`${id}.${timestamp}.`).update(body).digest();
  return (signature ?? "").split(" ").some((one) => {
    if (!one.startsWith("v1,")) return false;
    const given = Buffer.from(one.slice(3), "base64");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** Names everybody who was shown the secret that signed. For a hook older than that record only the host is known. */
function hookPrincipal(hook: string, known: KnownHook, now: number): KeyFacts {
  const persons = idsOf(knowingOf(known, now));
  return {
    principal: {
      kind: "system",
      id: `hook:${hook}`,
      role: null,
      keyId: null,
      scopes: null,
      agents: null,
      personal: false,
      issuers: persons.length === 0 ? [host] : persons,
    },
    scope: known.scope,
    expiresAt: null,
    revokedAt: null,
    addresses: null,
    ratePerSecond: null,
  };
}

const refused = (detail: string): Refusal =>
  refuse(unauthenticated, detail, { headers: { "WWW-Authenticate": "Webhook-Signature" } });
