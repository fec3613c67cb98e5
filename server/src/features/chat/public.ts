export { standingChannel } from "./channels/actor.ts";
export { dependentChannels } from "./channels/store.ts";
export { listConversationTexts, listHistory } from "./conversations/texts.ts";
export { handOverByAgent } from "./handoffs/request.ts";
export { waitingHandoffs } from "./handoffs/rules.ts";
export { usesOfTeam } from "./handoffs/team-uses.ts";
export { openTurn } from "./turns/open.ts";
