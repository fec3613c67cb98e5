import { type Static, Type } from "typebox";
import type { ReadContext } from "../../../kernel/context.ts";
import { defineRead, governs } from "../../../kernel/operation.ts";
import { type ConversationRow, findConversation } from "../conversation-store.ts";
import { exampleMessage } from "../example.ts";
import { ConversationParams, conversationRead } from "../list-store.ts";
import { findMessage, type MessageRow, messageView } from "../message-store.ts";
import { Message, MessageId } from "../schemas.ts";
import { seenBy } from "../token-view.ts";

const params = Type.Object({ ...ConversationParams.properties, message: MessageId });

export const readMessage = defineRead({
  id: "chat.readMessage",
  path: "/v1/chat/conversations/{conversation}/messages/{message}",
  summary: "Read a message",
  params,
  output: Message,
  example: {
    params: { conversation: exampleMessage.conversation_id, message: exampleMessage.message_id },
    output: exampleMessage,
  },
  permission: "chat:read",
  load: loadMessage,
  compliance: governs("chat.read", (ctx, given: { loaded: FoundMessage }) => conversationRead(ctx, given)),
  audit: ({ params, loaded }) => ({
    object: `message:${params.message}`,
    ...(loaded ? { subject: loaded.id, task: loaded.message.task } : {}),
  }),
  handle: ({ principal }, { loaded }) => seenBy(principal, messageView(loaded.message)),
});

type FoundMessage = ConversationRow & { readonly message: MessageRow };

async function loadMessage(
  ctx: ReadContext,
  { conversation, message: id }: Static<typeof params>,
): Promise<FoundMessage | undefined> {
  const row = await findConversation(ctx, conversation);
  const message = row && (await findMessage(ctx, id));
  return row && message?.conversation === conversation ? { ...row, message } : undefined;
}
