import { erasedWith, ownTables, untilRemoved } from "../../../resources/tables.ts";

export const owned = ownTables({
  chat_turns: {
    keeps: untilRemoved("Deleted with their conversation."),
    personal: { columns: ["principal", "actor", "failure", "options"], erased: erasedWith("chat_conversations") },
  },
});
