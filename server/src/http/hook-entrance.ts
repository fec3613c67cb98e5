import type { FastifyRequest } from "fastify";
import type { ProveHook } from "../features/index.ts";
import type { Operation } from "../kernel/operation.ts";
import type { Credential } from "../pipeline/call.ts";
import { tooLarge } from "./incoming-call.ts";
import type { Entrance } from "./sign-in.ts";

/** The operation that takes calls of inbound hooks, and what finds out by their signatures whose they are. */
export interface HookParts {
  readonly operation: Operation;
  readonly prove: ProveHook;
}

/** The largest body of a hook. */
export const hookLimit = 256 * 1024;

/** The credential of a call of a hook is its signature over the bytes of its body; a key that came with it does not count. */
export function hookEntrance({ operation, prove }: HookParts): ReadonlyMap<Operation, Entrance> {
  const entrance: Entrance = (call, request) => {
    const id = headerOf(request, "webhook-id");
    const signed = {
      hook: call.params.hook ?? "",
      id,
      timestamp: headerOf(request, "webhook-timestamp"),
      signature: headerOf(request, "webhook-signature"),
      body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    };
    const credential: Credential =
      call.bodyLength > hookLimit
        ? { kind: "refused", refusal: tooLarge(hookLimit) }
        : { kind: "signature", prove: () => prove(signed) };
    const params = { ...call.params, webhook_id: id ?? "" };
    return { call: { ...call, credential, idempotencyKey: null, params }, cookie: () => null };
  };
  return new Map([[operation, entrance]]);
}

export function headerOf({ headers }: FastifyRequest, name: string): string | null {
  const value = headers[name];
  return typeof value === "string" ? value : null;
}
