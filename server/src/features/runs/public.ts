/** What other slices may ask of runs. */

export {
  type ConversationText,
  conversationTexts,
  conversationTurns,
  type OpenTurn,
  type TurnParts,
} from "./conversation-turns.ts";
export { findData } from "./find-data.ts";
export type { Work } from "./model.ts";
export { redactForTask } from "./redact-task.ts";
export type { LeaseKey } from "./step-store.ts";
