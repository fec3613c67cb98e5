import { erasedWith, ownTables, untilRemoved } from "../../../resources/tables.ts";

export const owned = ownTables({
  chat_files: {
    keeps: untilRemoved("Deleted with their conversation, or when the message that brought them is retracted."),
    personal: { columns: ["name", "content", "text", "author"], erased: erasedWith("chat_conversations") },
  },
});
