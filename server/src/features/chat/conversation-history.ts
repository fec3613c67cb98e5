import { all, insert, sql, update } from "../../db/scoped.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { uniteWriters, type Writers } from "./conversation-writers.ts";
import { appendEvents } from "./event-store.ts";
import { type MessageRow, messageView, textOf } from "./message-store.ts";
import type { Part } from "./schemas.ts";

/** A message that was written elsewhere, or in another conversation. */
export interface ImportedMessage
  extends Pick<MessageRow, "role" | "author" | "author_name">,
    Partial<Pick<MessageRow, "generated" | "created_at">> {
  readonly parts: readonly Part[];
}

/** Stores messages that were not written here, marked as such, behind those of a conversation, and tells those who follow it. */
export async function importMessages(
  ctx: WriteContext,
  conversation: string,
  messages: readonly ImportedMessage[],
  writers: Writers,
): Promise<void> {
  if (messages.length === 0) return;
  const at = new Date(ctx.now);
  const [counted] = await all(
    ctx,
    update(ctx, "chat_conversations")
      .set({ messages: sql<number>`messages + ${messages.length}`, last_message_at: at, updated_at: at })
      .where("id", "=", conversation)
      .returning(["messages", "deciders"]),
  );
  if (!counted) throw new TypeError("messages belong to a conversation that exists");
  await uniteWriters(ctx, conversation, counted.deciders, writers);
  const first = counted.messages - messages.length + 1;
  const rows = messages.map(({ parts, created_at = at, ...message }, index) => ({
    ...message,
    ...{ conversation, id: ctx.newId("msg"), number: first + index, status: "complete" as const, imported: true },
    ...{ parts: JSON.stringify(parts), body: textOf(parts), audit_ref: ctx.auditRef },
    ...{ created_at, completed_at: created_at },
  }));
  const stored = (await all(ctx, insert(ctx, "chat_messages", rows).returningAll())) as MessageRow[];
  stored.sort((one, other) => one.number - other.number);
  await appendEvents(
    ctx,
    conversation,
    stored.map((row) => ({ type: "chat.message.completed", data: { message: messageView(row) } }) as const),
  );
}
