export { createOutbound } from "./door.ts";
export { OutboundError, type OutboundErrorCode } from "./errors.ts";
export type { Outbound, OutboundAnswer, OutboundOptions, OutboundRequest, Resolve } from "./types.ts";
