import type { WriteContext } from "../../kernel/context.ts";
import { type ConversationRow, conversationView, findConversation } from "./conversation-store.ts";
import { appendEvents } from "./event-store.ts";

/** The conversation as it is now, after telling those who follow it that it changed. */
export async function tellConversation(ctx: WriteContext, id: string): Promise<ConversationRow> {
  const row = (await findConversation(ctx, id)) as ConversationRow;
  const conversation = { ...conversationView(row), sequence: row.sequence + 1 };
  const sequence = await appendEvents(ctx, id, [{ type: "chat.conversation.changed", data: { conversation } }]);
  return { ...row, sequence };
}
