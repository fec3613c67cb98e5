import { all, insert, select, sql, update } from "../../../db/scoped.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { storedJson } from "../../../kernel/stored-json.ts";
import type { ChatEvent, ChatEventData, ChatEventType } from "../schemas.ts";

export type NewChatEvent = {
  [T in ChatEventType]: { readonly type: T; readonly data: ChatEventData[T] };
}[ChatEventType];

export const eventJson = storedJson<{ data: Record<string, unknown> }>();

/** Locks the conversation's row, so that sequences have no gaps and commit in order. Returns the last one. */
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

export async function listEvents(
  ctx: QueryContext,
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
    data: eventJson({ data }, "data"),
  }));
}
