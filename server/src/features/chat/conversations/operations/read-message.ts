import { defineRead, governs } from "../../../../kernel/operation.ts";
import { exampleMessage } from "../../example.ts";
import { Message } from "../../schemas.ts";
import { messageView } from "../message-store.ts";
import { aboutMessage, conversationRead, type FoundMessage, loadMessage, MessageParams } from "../operation-parts.ts";
import { seenBy } from "../view.ts";

export const readMessage = defineRead({
  id: "chat.readMessage",
  path: "/v1/chat/conversations/{conversation}/messages/{message}",
  summary: "Read a message",
  params: MessageParams,
  output: Message,
  example: {
    params: { conversation: exampleMessage.conversation_id, message: exampleMessage.message_id },
    output: exampleMessage,
  },
  permission: "chat:read",
  load: loadMessage,
  compliance: governs("chat.read", (ctx, given: { loaded: FoundMessage }) => conversationRead(ctx, given)),
  audit: aboutMessage,
  handle: ({ principal }, { loaded }) => seenBy(principal, messageView(loaded.message)),
});
