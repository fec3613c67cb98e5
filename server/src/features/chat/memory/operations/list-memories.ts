import { Type } from "typebox";
import { ConversationId, EndUser } from "../../schemas.ts";
import { memories } from "../resource.ts";
import { filtered } from "../store.ts";

export const listMemories = memories.listOperation({
  id: "chat.listMemories",
  summary: "List memories",
  description:
    "What agents remember of users and within conversations, each with the message that it was taken from. Newest first.",
  filters: { user: Type.Optional(EndUser), conversation: Type.Optional(ConversationId) },
  narrow: (query, { filter }) => filtered(query, filter),
});
