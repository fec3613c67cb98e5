import { Type } from "typebox";
import { defineList } from "../../../kernel/listing.ts";
import { whole } from "../../../kernel/narrowing.ts";
import { governs } from "../../../kernel/operation.ts";
import { exampleMemory } from "../example.ts";
import { memoryView, listMemories as readPage } from "../memory-store.ts";
import { ConversationId, EndUser, Memory } from "../schemas.ts";

export const listMemories = defineList({
  id: "chat.listMemories",
  path: "/v1/chat/memories",
  summary: "List memories",
  description:
    "What agents remember of users and within conversations, each with the message that it was taken from. Newest first.",
  filters: { user: Type.Optional(EndUser), conversation: Type.Optional(ConversationId) },
  item: Memory,
  example: { item: exampleMemory },
  permission: "chat:read",
  narrowing: whole("what is remembered of a user serves all agents"),
  compliance: governs("chat.read"),
  audit: "memories",
  read: readPage,
  position: ({ id }) => id,
  view: memoryView,
});
