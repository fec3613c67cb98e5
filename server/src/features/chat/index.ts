export { createChannelProof, type ProveEvent } from "./slack-proof.ts";
