import { refuse } from "../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { conflict, notFound } from "../../../kernel/problems.ts";
import { externalKeyInUse } from "../conversation-errors.ts";
import { findByKey } from "../conversation-start.ts";
import { findConversation, lockConversation } from "../conversation-store.ts";
import { conversationStarted } from "../events.ts";
import { exampleConversation, exampleMessage } from "../example.ts";
import { forkFrom } from "../fork.ts";
import { shownConversation } from "../held-by.ts";
import { aboutConversation, ConversationParams, conversationRead } from "../list-store.ts";
import { findMessage, lastMessage } from "../message-store.ts";
import { Conversation, ForkConversationBody } from "../schemas.ts";

export const forkConversation = defineOperation({
  id: "chat.forkConversation",
  method: "POST",
  path: "/v1/chat/conversations/{conversation}/fork",
  status: 201,
  summary: "Fork a conversation",
  description:
    "Starts another conversation with the same agent and user that goes on from a message, by default the latest. Messages and files up to it are copied under ids of their own and marked as imported; what was retracted, replaced or not finished is left out. The original stays as it is.",
  params: ConversationParams,
  body: ForkConversationBody,
  output: Conversation,
  location: ({ conversation_id }) => `/v1/chat/conversations/${conversation_id}`,
  revision: ({ revision }) => revision,
  revisionOfPart: true,
  example: {
    params: { conversation: exampleConversation.conversation_id },
    body: { message_id: exampleMessage.message_id },
    output: {
      ...exampleConversation,
      conversation_id: "cnv_01jd8x0000000000000000000f",
      forked_from: { conversation_id: exampleConversation.conversation_id, message_id: exampleMessage.message_id },
    },
  },
  permission: "chat:write",
  load: (ctx, { conversation }) => findConversation(ctx, conversation),
  gate: exempt("starts no work; a message does"),
  decides: "message",
  compliance: governs("chat.create", conversationRead),
  audit: aboutConversation,
  emits: [conversationStarted],
  errors: [conflict, externalKeyInUse],
  async handle(ctx, { loaded, body }) {
    const locked = await lockConversation(ctx, loaded.id);
    if (!locked) throw refuse(notFound, "The conversation was just erased.");
    const { message_id: id, external_key: key } = body;
    const message = id === undefined ? await lastMessage(ctx, loaded.id) : await findMessage(ctx, id);
    if (message?.conversation !== loaded.id)
      throw refuse(
        conflict,
        id === undefined ? "The conversation has no message to go on from." : `The conversation has no message ${id}.`,
      );
    if (key !== undefined && (await findByKey(ctx, "api", key)))
      throw refuse(externalKeyInUse, `A conversation with the external key ${JSON.stringify(key)} exists.`);
    return shownConversation(ctx, await forkFrom(ctx, { ...loaded, deciders: locked.deciders }, message, body));
  },
});
