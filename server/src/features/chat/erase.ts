import { all, update } from "../../db/scoped.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { settingsOf } from "../admin/public.ts";
import { destroySalt } from "../audit/public.ts";
import {
  deleteConversation,
  eraseBesideRecords,
  eraseTasks,
  listMemoriesOf,
  listMessageIds,
  listTurnTasks,
} from "./erase-store.ts";
import { conversationClosed } from "./events.ts";
import { tellConversation } from "./told.ts";
import { type ConversationLocked, stopTurns } from "./turn-control.ts";
import { listOpenTurns } from "./turn-store.ts";

const dayMs = 86_400_000;
/** When a conversation that is closed now is erased; null: never by itself. */
export function eraseAt(ctx: WriteContext): Date | null {
  const { retention_days: days } = settingsOf(ctx).chat;
  return days === null ? null : new Date(ctx.now + days * dayMs);
}

/** Closes a conversation whose row the caller has locked: no turn begins or goes on afterwards. */
export async function closeConversation(
  ctx: WriteContext,
  row: ConversationLocked,
  erase_at: Date | null,
): Promise<void> {
  await stopTurns(ctx, row, await listOpenTurns(ctx, row.id), "The conversation was closed.");
  const at = new Date(ctx.now);
  const closed = row.state === "open" ? { state: "closed" as const, closed_at: at } : {};
  const query = update(ctx, "chat_conversations").set({ ...closed, erase_at, updated_at: at });
  await all(ctx, query.where("id", "=", row.id));
  if (row.state === "closed") return;
  await tellConversation(ctx, row.id);
  ctx.emit(conversationClosed, { conversation_id: row.id, agent: row.agent, channel: row.channel });
}

/** Erases a closed conversation whose row the caller has locked: what is left are its records and the skeletons of its tasks, without contents. */
export async function erase(ctx: WriteContext, id: string): Promise<void> {
  const tasks = await listTurnTasks(ctx, id);
  const messages = await listMessageIds(ctx, id);
  const memories = await listMemoriesOf(ctx, id);
  const named = [...messages.map((one) => `message:${one.id}`), ...memories.map((one) => `memory:${one.id}`)];
  await eraseTasks(ctx, tasks);
  await deleteConversation(
    ctx,
    id,
    memories.map((memory) => memory.id),
  );
  const records = [...messages, ...memories].map(({ audit_ref }) => audit_ref);
  await eraseBesideRecords(ctx, { objects: [`conversation:${id}`, ...named], tasks, records });
  await destroySalt(ctx, id);
}
