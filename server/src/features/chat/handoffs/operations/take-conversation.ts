import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { conflict, insufficientScope } from "../../../../kernel/problems.ts";
import { taskCancelled } from "../../../tasks/public.ts";
import { publishConversation } from "../../conversations/notices.ts";
import { aboutConversation, ConversationParams, conversationRead } from "../../conversations/operation-parts.ts";
import { findConversation } from "../../conversations/store.ts";
import { conversationIsClosed } from "../../errors.ts";
import { handoffTaken, messageCompleted } from "../../events.ts";
import { exampleConversation } from "../../example.ts";
import { Conversation, TakeBody } from "../../schemas.ts";
import { lockOpenConversation } from "../../turns/control.ts";
import { takeOver } from "../effects.ts";

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
  decides: exempt("gives no text; what is written then counts as a message"),
  compliance: governs("chat.handoff", conversationRead),
  audit: aboutConversation,
  emits: [handoffTaken, messageCompleted, taskCancelled],
  errors: [conversationIsClosed, conflict, insufficientScope],
  async handle(ctx, { loaded, body }) {
    await takeOver(ctx, await lockOpenConversation(ctx, loaded.id), body.running);
    return publishConversation(ctx, loaded.id);
  },
});
