import { defineRead, governs } from "../../../../kernel/operation.ts";
import { exampleConversation } from "../../example.ts";
import { Conversation } from "../../schemas.ts";
import { aboutConversation, ConversationParams, conversationRead } from "../operation-parts.ts";
import { type ConversationRow, findConversation } from "../store.ts";
import { seenBy, shownConversation } from "../view.ts";

export const readConversation = defineRead({
  id: "chat.readConversation",
  path: "/v1/chat/conversations/{conversation}",
  listed: true,
  summary: "Read a conversation",
  description:
    "Its state, who answers, the pinned version, and how far its messages and events go. The ETag is that of what PATCH changes.",
  params: ConversationParams,
  output: Conversation,
  example: { params: { conversation: exampleConversation.conversation_id }, output: exampleConversation },
  revision: ({ revision }) => revision,
  revisionOfPart: true,
  permission: "chat:read",
  load: (ctx, { conversation }) => findConversation(ctx, conversation),
  compliance: governs("chat.read", conversationRead),
  audit: aboutConversation,
  handle: async (ctx, { loaded }: { loaded: ConversationRow }) =>
    seenBy(ctx.principal, await shownConversation(ctx, loaded)),
});
