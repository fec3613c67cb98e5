export { receiveChannelEvent } from "./channels/operations/receive-channel-event.ts";
export { createChannelProof, type ProveEvent } from "./channels/slack/proof.ts";
