import { createHmac, timingSafeEqual } from "node:crypto";
import type { Clock } from "../../../../kernel/clock.ts";
import { type Refusal, refuse } from "../../../../kernel/errors.ts";
import type { FactsReader } from "../../../../kernel/facts.ts";
import type { KeyFacts } from "../../../../kernel/key-facts.ts";
import { host, type Scope } from "../../../../kernel/principal.ts";
import { unauthenticated } from "../../../../kernel/problems.ts";
import { channelFacts } from "../facts.ts";
import type { SlackChannelSecret } from "../schemas.ts";
import { openSecret } from "../store.ts";

export interface SignedEvent {
  readonly channel: string;
  /** `X-Slack-Request-Timestamp`, in seconds. */
  readonly timestamp: string | null;
  /** `X-Slack-Signature`. */
  readonly signature: string | null;
  readonly body: Uint8Array;
}

export interface ChannelProofParts {
  readonly facts: FactsReader;
  readonly credentialKey: Buffer;
  readonly clock: Clock;
}

/** Older events are refused: somebody could have recorded them (milliseconds). */
const tolerance = 300_000;

/** Finds the environment's channel by the event's signature. Throws a Refusal if there is none. */
export type ProveEvent = (event: SignedEvent) => Promise<KeyFacts>;

export function createChannelProof({ facts, credentialKey, clock }: ChannelProofParts): ProveEvent {
  return async (event) => {
    const { channel, timestamp, signature } = event;
    if (!timestamp || !signature)
      throw refused("An event of Slack carries X-Slack-Request-Timestamp and X-Slack-Signature.");
    const seconds = /^[0-9]{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
    if (!(Math.abs(clock.now() - seconds * 1000) <= tolerance))
      throw refused(
        "X-Slack-Request-Timestamp is more than five minutes from the time here: check the sender's clock.",
      );
    for (const { scope, sealed } of facts.get(channelFacts).get(channel) ?? []) {
      const { signing_secret } = openSecret<SlackChannelSecret>(credentialKey, scope, channel, sealed);
      if (isSigned(event, signing_secret)) return channelPrincipal(channel, scope);
    }
    throw refused("There is no enabled channel of this name, or X-Slack-Signature was not made with its secret.");
  };
}

/** In constant time. */
function isSigned({ timestamp, signature, body }: SignedEvent, secret: string): boolean {
  const expected = Buffer.from(
    `v0=${createHmac("sha256", secret).update(`v0:${timestamp}:`).update(body).digest("hex")}`,
  );
  const given = Buffer.from(signature ?? "");
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const channelPrincipal = (channel: string, scope: Scope): KeyFacts => ({
  principal: {
    kind: "system",
    id: `channel:${channel}`,
    role: null,
    keyId: null,
    scopes: null,
    agents: null,
    personal: false,
    issuers: [host],
  },
  scope,
  expiresAt: null,
  revokedAt: null,
  addresses: null,
  ratePerSecond: null,
});

const refused = (detail: string): Refusal =>
  refuse(unauthenticated, detail, { headers: { "WWW-Authenticate": "Slack-Signature" } });
