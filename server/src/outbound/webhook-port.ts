import type { WebhookPort } from "../features/webhooks/ports.ts";
import type { Fault } from "../kernel/errors.ts";
import type { Environment } from "../kernel/principal.ts";
import { createGuard, isLiteral, plainHost } from "./guard.ts";
import { OutboundError } from "./index.ts";
import { systemNames } from "./names.ts";
import type { Resolve } from "./types.ts";

export interface WebhookPortParts {
  readonly credentialKey: Buffer;
  /** What the operator opened besides public addresses. */
  readonly outboundAllow: readonly string[];
  /** Whether an agent is live in production: then development reaches no loopback. Default: none is. */
  readonly servesProduction?: (() => boolean) | undefined;
  /** Default: the system's resolver. */
  readonly resolve?: Resolve;
}

/** How long a look-up may take (milliseconds): a call waits for it. */
const lookUpMs = 2_000;
/** Calls of one process that wait for a look-up at a time: each holds a connection to the database meanwhile. */
const mostAtATime = 3;

/** Joins endpoints with the guard of the way out, and with the machine that delivers in this process. */
export function createWebhookPort({
  credentialKey,
  outboundAllow,
  servesProduction,
  resolve = systemNames,
}: WebhookPortParts): WebhookPort {
  const waiting = new Set<() => void>();
  let looking = 0;
  const addressesNow = async (url: string): Promise<string[]> => {
    if (looking >= mostAtATime) return []; // each connection is checked anyway
    looking++;
    try {
      return await addressesOf(url, resolve);
    } finally {
      looking--;
    }
  };
  const checked = (environment: Environment, text: string, addresses: readonly string[]): Fault | null => {
    try {
      const guard = createGuard(environment, outboundAllow, servesProduction);
      const { protocol, hostname, port } = guard.checkUrl(text);
      const host = plainHost(hostname);
      const known = isLiteral(host) ? [host] : addresses;
      if (known.length > 0) guard.checkAddresses({ protocol, hostname: host, port }, known);
      return null;
    } catch (error) {
      if (error instanceof OutboundError) return { pointer: "/url", code: error.code, detail: error.message };
      throw error;
    }
  };
  return {
    credentialKey,
    checkUrl: (environment, url) => checked(environment, url, []),
    checkTarget: async (environment, url) => checked(environment, url, await addressesNow(url)),
    onDue(callback) {
      waiting.add(callback);
      return () => void waiting.delete(callback);
    },
    due: () => waiting.forEach((callback) => void callback()),
  };
}

/** Where a name leads at this moment; nothing where nobody knows in time: what counts is the check at each connection. */
async function addressesOf(text: string, resolve: Resolve): Promise<string[]> {
  const host = plainHost(URL.parse(text)?.hostname ?? "");
  if (host === "" || isLiteral(host)) return [];
  const { promise: late, resolve: giveUp } = Promise.withResolvers<string[]>();
  const timer = setTimeout(giveUp, lookUpMs, []);
  const found = resolve(host).then(
    (all) => all.map(({ address }) => address),
    () => [],
  );
  const addresses = await Promise.race([found, late]);
  clearTimeout(timer);
  return addresses;
}
