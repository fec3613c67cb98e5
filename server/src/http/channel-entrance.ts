import type { ProveEvent } from "../features/index.ts";
import type { Operation } from "../kernel/operation.ts";
import type { Credential } from "../pipeline/call.ts";
import { headerOf, hookLimit } from "./hook-entrance.ts";
import { tooLarge } from "./incoming-call.ts";
import type { Entrance } from "./sign-in.ts";

/** The operation that takes events of channels, and what finds out by their signatures whose they are. */
export interface ChannelEventParts {
  readonly operation: Operation;
  readonly prove: ProveEvent;
}

/** The credential of an event is its signature over the bytes of its body; a key that came with it does not count. */
export function channelEntrance({ operation, prove }: ChannelEventParts): ReadonlyMap<Operation, Entrance> {
  const entrance: Entrance = (call, request) => {
    const signed = {
      channel: call.params.channel ?? "",
      timestamp: headerOf(request, "x-slack-request-timestamp"),
      signature: headerOf(request, "x-slack-signature"),
      body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    };
    const credential: Credential =
      call.bodyLength > hookLimit
        ? { kind: "refused", refusal: tooLarge(hookLimit) }
        : { kind: "signature", prove: () => prove(signed) };
    return { call: { ...call, credential, idempotencyKey: null }, cookie: () => null };
  };
  return new Map([[operation, entrance]]);
}
