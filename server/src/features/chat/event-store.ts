import { all, insert, select, sql, update } from "../../db/scoped.ts";
import type { WriteContext } from "../../kernel/context.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import type { ChatEvent, ChatEventData, ChatEventType } from "./schemas.ts";

/** An event that is to be told to those who follow a conversation. */
export type NewChatEvent = {
  [T in ChatEventType]: { readonly type: T; readonly data: ChatEventData[T] };
}[ChatEventType];

/**
 * Stores events behind those that the conversation has, in the caller's transaction. The conversation's row is locked by it, so sequences have no gap and are committed
 * in their order. Returns the sequence of the last one.
 */
export async function appendEvents(
  ctx: Pick<WriteContext, "scope" | "db">,
  conversation: string,
  events: readonly NewChatEvent[],
): Promise<number> {
  const [row] = await all(
    ctx,
    update(ctx, "chat_conversations")
      .set({ sequence: sql<number>`sequence + ${events.length}` })
      .where("id", "=", conversation)
      .returning("sequence"),
  );
  if (!row) throw new TypeError("events belong to a conversation that exists");
  const first = row.sequence - events.length + 1;
  const rows = events.map(({ type, data }, at) => ({
    conversation,
    sequence: first + at,
    type,
    data: JSON.stringify(data),
  }));
  if (rows.length > 0) await all(ctx, insert(ctx, "chat_events", rows));
  return row.sequence;
}

/** Events of a conversation whose sequence is above `after`, oldest first. */
export async function listEvents(
  ctx: { readonly scope: Scope; readonly db: Statements },
  conversation: string,
  after: number,
  take: number,
): Promise<ChatEvent[]> {
  const query = select(ctx, "chat_events", "e")
    .select(["e.sequence", "e.type", "e.data", "e.created_at"])
    .where("e.conversation", "=", conversation)
    .where("e.sequence", ">", after)
    .orderBy("e.sequence")
    .limit(take);
  return (await all(ctx, query)).map(({ sequence, type, data, created_at }) => ({
    sequence,
    type: type as ChatEventType,
    time: created_at.toISOString(),
    data: JSON.parse(data) as Record<string, unknown>,
  }));
}
