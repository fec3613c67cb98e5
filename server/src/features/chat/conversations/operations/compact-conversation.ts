import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { conflict, notFound } from "../../../../kernel/problems.ts";
import { exampleConversation, exampleMessage } from "../../example.ts";
import { CompactConversationBody, Message } from "../../schemas.ts";
import { compact } from "../compaction.ts";
import { messageView } from "../message-store.ts";
import { aboutConversation, ConversationParams, conversationRead } from "../operation-parts.ts";
import { findConversation, lockConversation } from "../store.ts";

export const compactConversation = defineOperation({
  id: "chat.compactConversation",
  method: "POST",
  path: "/v1/chat/conversations/{conversation}/compact",
  status: 201,
  summary: "Summarise the older messages of a conversation",
  description:
    "Adds a summary that the agent reads from now on in place of older messages, which all stay. At first it quotes them; where a provider's model runs the agent, that model " +
    "then writes it (`generated` is true). Conversations that become too long for a model are compacted by themselves.",
  params: ConversationParams,
  body: CompactConversationBody,
  output: Message,
  location: ({ conversation_id, message_id }) => `/v1/chat/conversations/${conversation_id}/messages/${message_id}`,
  example: {
    params: { conversation: exampleConversation.conversation_id },
    body: { keep: 2 },
    output: {
      ...exampleMessage,
      role: "system",
      author: { kind: "service", id: null, name: "Summary" },
      covers: { from: 1, to: 8 },
      parts: [{ type: "text", text: "User: Where is order 4711?" }],
      generated: false,
      number: 11,
      turn_id: null,
      task_id: null,
      trust_score: null,
    },
  },
  permission: "chat:answer",
  load: (ctx, { conversation }) => findConversation(ctx, conversation),
  gate: exempt("makes no agent act"),
  decides: exempt("gives no text; the summary says what others wrote"),
  compliance: governs("chat.change", conversationRead),
  audit: aboutConversation,
  errors: [conflict],
  async handle(ctx, { loaded, body }) {
    const row = await lockConversation(ctx, loaded.id);
    if (!row) throw refuse(notFound, "The conversation was just erased.");
    const summary = await compact(ctx, row, body.keep ?? 4);
    if (!summary)
      throw refuse(
        conflict,
        "There is nothing to summarise: fewer than two finished messages stand before those that are kept.",
      );
    return messageView(summary);
  },
});
