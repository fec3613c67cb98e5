export { OutboundError, type OutboundErrorCode } from "./errors.ts";
export { createOutbound, OUTBOUND_DEFAULTS } from "./outbound.ts";
export type { Outbound, OutboundAnswer, OutboundOptions, OutboundRequest, Resolve } from "./types.ts";
