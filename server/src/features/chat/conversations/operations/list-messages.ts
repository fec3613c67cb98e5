import { defineList } from "../../../../kernel/listing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { exampleConversation, exampleMessage } from "../../example.ts";
import { Message } from "../../schemas.ts";
import { messageView } from "../message-store.ts";
import {
  aboutConversation,
  ConversationParams,
  conversationRead,
  listMessageRows,
  messageFilters,
} from "../operation-parts.ts";
import { findConversation } from "../store.ts";
import { seenBy } from "../view.ts";

export const listMessages = defineList({
  id: "chat.listMessages",
  path: "/v1/chat/conversations/{conversation}/messages",
  listed: true,
  summary: "List the messages of a conversation",
  description:
    "With citations, tool calls, trust score and audit reference. Newest first, or `order=oldest`. A reply that is still being written has `status: streaming` and the parts so far.",
  params: ConversationParams,
  filters: messageFilters,
  item: Message,
  example: { params: { conversation: exampleConversation.conversation_id }, item: exampleMessage },
  permission: "chat:read",
  load: (ctx, { conversation }) => findConversation(ctx, conversation),
  compliance: governs("chat.read", conversationRead),
  audit: aboutConversation,
  sort: "number",
  read: (ctx, filter, page, { id }) => listMessageRows(ctx, id, filter, page),
  position: ({ number, id }) => ({ keys: [number], id }),
  view: (row, { principal }) => seenBy(principal, messageView(row)),
});
