import { createGuard } from "./guard.ts";
import type { Outbound, OutboundOptions } from "./types.ts";

/**
 * The way out of an environment, as `outbound.ts` has it. What makes requests is loaded with the first of them: a service that calls nobody starts sooner and
 * is smaller. Throws a TypeError for an entry of `allow` that is none.
 */
export function createOutbound(options: OutboundOptions): Outbound {
  createGuard(options.environment, options.allow ?? []);
  let opened: Promise<Outbound> | undefined;
  const open = (): Promise<Outbound> => {
    opened ??= import("./outbound.ts").then(({ openOutbound }) => openOutbound(options));
    return opened;
  };
  return {
    environment: options.environment,
    send: async (request) => (await open()).send(request),
    fetch: async (input, init) => (await open()).fetch(input, init),
    close: async () => {
      await (await opened)?.close();
      opened ??= Promise.reject(new Error("the way out is closed"));
      opened.catch(() => undefined);
    },
  };
}
