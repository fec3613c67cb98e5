import { all, select, update } from "../../db/scoped.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { settingsOf } from "../admin/public.ts";
import { lockApprovalBeforeTask } from "../approvals/requests/public.ts";
import { cancelOpenTask, findTask } from "../tasks/public.ts";
import { tellConversation } from "./conversation-change.ts";
import type { ConversationRow } from "./conversation-store.ts";
import {
  deleteConversation,
  destroySalt,
  eraseBesideRecords,
  eraseTasks,
  listMemoriesOf,
  listMessageIds,
  listTurnTasks,
} from "./erase-store.ts";
import { conversationClosed } from "./events.ts";

const dayMs = 86_400_000;
const openStates = ["queued", "running", "awaiting_approval", "input_required"] as const;

/** Ends what goes on in a conversation whose row the caller has locked: no turn begins or goes on afterwards. */
async function endTurns(ctx: WriteContext, conversation: string): Promise<void> {
  const open = select(ctx, "chat_turns", "t").select(["t.id", "t.task"]).where("t.conversation", "=", conversation);
  for (const { task } of await all(ctx, open.where("t.state", "in", openStates)))
    if (task !== null) await cancelTask(ctx, task);
  const ended = { state: "stopped" as const, finished_at: new Date(ctx.now) };
  const turns = update(ctx, "chat_turns").set(ended).where("conversation", "=", conversation);
  await all(ctx, turns.where("state", "in", openStates));
  const messages = update(ctx, "chat_messages").set({ status: "stopped", completed_at: new Date(ctx.now) });
  await all(
    ctx,
    messages.where("conversation", "=", conversation).where("status", "in", ["queued", "streaming", "waiting"]),
  );
}

async function cancelTask(ctx: WriteContext, id: string): Promise<void> {
  const approval = (await findTask(ctx, id))?.approval_id;
  if (approval) await lockApprovalBeforeTask(ctx, approval);
  await cancelOpenTask(ctx, id, "The conversation was closed.");
}

/** When a conversation that is closed now is erased; null: never by itself. */
export function eraseAt(ctx: WriteContext): Date | null {
  const { retention_days: days } = settingsOf(ctx).chat;
  return days === null ? null : new Date(ctx.now + days * dayMs);
}

/** Closes a conversation whose row the caller has locked. */
export async function closeConversation(
  ctx: WriteContext,
  row: Pick<ConversationRow, "id" | "agent" | "channel" | "state">,
  erase_at: Date | null,
): Promise<void> {
  await endTurns(ctx, row.id);
  const at = new Date(ctx.now);
  const closed = row.state === "open" ? { state: "closed" as const, closed_at: at } : {};
  await all(
    ctx,
    update(ctx, "chat_conversations")
      .set({ ...closed, erase_at, updated_at: at })
      .where("id", "=", row.id),
  );
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
