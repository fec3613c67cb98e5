import { erasedBy, erasedWith, keptFor, ownTables, untilRemoved } from "../../../resources/tables.ts";

export const owned = ownTables({
  chat_conversations: {
    keeps: keptFor("Once closed, for the environment's time; open ones stay.", "chat.erase", "chat.retention_days"),
    personal: {
      columns: [
        "end_user",
        "external_key",
        "title",
        "labels",
        "context",
        "handler",
        "handoff",
        "principal",
        "deciders",
      ],
      erased: erasedBy("chat.deleteConversation"),
    },
  },
  chat_messages: {
    keeps: untilRemoved("Deleted with their conversation. A retracted one keeps its place, without its text."),
    personal: { columns: ["author", "author_name", "parts", "body"], erased: erasedWith("chat_conversations") },
  },
  chat_events: {
    keeps: untilRemoved(
      "Deleted with their conversation. Those of a retracted message keep their sequence, without its text.",
    ),
    personal: { columns: ["data"], erased: erasedWith("chat_conversations") },
  },
});
