import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { conflict, insufficientScope } from "../../../kernel/problems.ts";
import { findConversation } from "../conversation-store.ts";
import { handoffTaken } from "../events.ts";
import { exampleConversation } from "../example.ts";
import { aboutConversation, ConversationParams, lockOpen, takeOver } from "../handoff.ts";
import { Conversation, TakeBody } from "../schemas.ts";
import { tellConversation } from "../told.ts";

export const takeConversation = defineOperation({
  id: "chat.takeConversation",
  method: "POST",
  path: "/v1/chat/conversations/{conversation}/take",
  summary: "Take a conversation over",
  description:
    "You answer from now on, as the person you are: the agent does not, until `POST …/return`. Works without a hand-off as well. Of several who try, the first takes it.",
  params: ConversationParams,
  body: TakeBody,
  output: Conversation,
  example: {
    params: { conversation: exampleConversation.conversation_id },
    body: { running: "stop" },
    output: exampleConversation,
  },
  permission: "chat:answer",
  load: (ctx, { conversation }) => findConversation(ctx, conversation),
  gate: exempt("stops the agent, starts none"),
  compliance: governs("chat.handoff"),
  audit: aboutConversation,
  emits: [handoffTaken],
  errors: [conflict, insufficientScope],
  async handle(ctx, { loaded, body }) {
    await takeOver(ctx, await lockOpen(ctx, loaded), body.running);
    return tellConversation(ctx, loaded.id);
  },
});
