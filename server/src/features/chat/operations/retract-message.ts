import { refuse } from "../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { conflict, insufficientScope, notFound } from "../../../kernel/problems.ts";
import { type FoundMessage, loadMessage, MessageParams } from "../conversation-messages.ts";
import { lockConversation } from "../conversation-store.ts";
import { exampleMessage } from "../example.ts";
import { conversationRead } from "../list-store.ts";
import { findMessage, type MessageRow, messageView } from "../message-store.ts";
import { isAtWork, mayRetract, retract } from "../retract.ts";
import { Message } from "../schemas.ts";

export const retractMessage = defineOperation({
  id: "chat.retractMessage",
  method: "DELETE",
  path: "/v1/chat/conversations/{conversation}/messages/{message}",
  summary: "Retract a message",
  description:
    "Takes back what a message says, with its files, summaries of it and what was remembered from it. Its place in the conversation stays, and the agent reads it no more. Who wrote it may do so; others need `chat:manage`, also for what the agent wrote. What other messages quote of it stays.",
  params: MessageParams,
  output: Message,
  example: {
    params: { conversation: exampleMessage.conversation_id, message: exampleMessage.message_id },
    output: { ...exampleMessage, status: "retracted", parts: [] },
  },
  permission: "chat:write",
  load: loadMessage,
  gate: exempt("makes no agent act"),
  decides: exempt("takes a message away, adds none"),
  compliance: governs("chat.change", (ctx, given: { loaded: FoundMessage }) => conversationRead(ctx, given)),
  audit: ({ params }) => `message:${params.message}`,
  errors: [conflict],
  async handle(ctx, { loaded }) {
    if (!mayRetract(ctx.principal, loaded))
      throw refuse(
        insufficientScope,
        "Somebody else wrote the message: taking it back needs the permission chat:manage.",
        {
          stage: "permissions",
          members: { missing_scope: "chat:manage" },
        },
      );
    if (!(await lockConversation(ctx, loaded.id))) throw refuse(notFound, "The conversation was just erased.");
    const message = (await findMessage(ctx, loaded.message.id)) as MessageRow;
    if (message.status === "retracted") return messageView(message);
    if (await isAtWork(ctx, message))
      throw refuse(
        conflict,
        "Its turn goes on: stop it by POST /v1/chat/conversations/{conversation}/stop, then take it back.",
      );
    return messageView(await retract(ctx, { ...loaded, message }));
  },
});
