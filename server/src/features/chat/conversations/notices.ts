import { first } from "../../../db/scoped.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { Conversation } from "../schemas.ts";
import { appendEvents } from "./event-store.ts";
import { addMessage, type MessageRow, messageView, type NewMessage } from "./message-store.ts";
import { type ConversationRow, selectConversations } from "./store.ts";
import { shownConversation } from "./view.ts";
import type { Writers } from "./writers.ts";

// What happens in a conversation besides turns, with the event by which those who follow it hear of it.

export async function publishConversation(ctx: WriteContext, id: string): Promise<Conversation> {
  const read = async () =>
    shownConversation(ctx, (await first(ctx, selectConversations(ctx).where("c.id", "=", id))) as ConversationRow);
  const conversation = await read();
  const data = { conversation: { ...conversation, sequence: conversation.sequence + 1 } };
  const sequence = await appendEvents(ctx, id, [{ type: "chat.conversation.changed", data }]);
  return { ...conversation, sequence };
}

export async function postMessage(ctx: WriteContext, conversation: string, message: NewMessage): Promise<MessageRow> {
  const row = await addMessage(ctx, conversation, message);
  await appendEvents(ctx, conversation, [{ type: "chat.message.created", data: { message: messageView(row) } }]);
  return row;
}

/** A message of the service, such as who answers from now on. */
export const addNotice = (
  ctx: WriteContext,
  conversation: string,
  { code, text, writers }: { readonly code: string; readonly text: string; readonly writers: Writers },
): Promise<MessageRow> =>
  postMessage(ctx, conversation, {
    id: ctx.newId("msg"),
    role: "system",
    author: null,
    author_name: null,
    status: "complete",
    parts: [{ type: "notice", code, text }],
    writers,
  });
