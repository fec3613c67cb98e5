/** What is joined with slices above, and what machines use. */
export { standingChannel } from "./channel-actor.ts";
export { listConversationTexts, listHistory } from "./conversation-texts.ts";
export { dependentChannels } from "./dependents.ts";
export { waitingHandoffs } from "./inbox.ts";
export { openTurn } from "./live-turns.ts";
