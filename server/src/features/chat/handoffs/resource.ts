import { erasedBy, erasedWith, evidence, ownTables, untilRemoved } from "../../../resources/tables.ts";

export const owned = ownTables({
  chat_handovers: {
    keeps: evidence(
      "Service levels are counted over them; once their conversation is erased, they name no conversation and no person.",
    ),
    personal: { columns: ["conversation", "member"], erased: erasedBy("chat.deleteConversation") },
  },
  chat_notes: {
    keeps: untilRemoved("Deleted with their conversation."),
    personal: { columns: ["author", "text"], erased: erasedWith("chat_conversations") },
  },
});
