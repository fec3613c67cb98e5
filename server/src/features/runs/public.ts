/** What other slices may ask of runs. */

export { conversationTurns, type OpenTurn, type TurnParts } from "./conversation-turns.ts";
export type { Work } from "./model.ts";
export type { LeaseKey } from "./step-store.ts";
