import { auditLeafRows, auditRecordRows } from "../../../audit-log/shared-rows.ts";
import { all, remove, select, sql, update } from "../../../db/scoped.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { lowestId } from "../../../kernel/ids.ts";
import { settingsOf } from "../../admin/public.ts";
import { destroySalt } from "../../audit/public.ts";
import { eraseWork } from "../../tasks/public.ts";
import { taskRows } from "../../tasks/shared-rows.ts";
import { conversationClosed } from "../events.ts";
import { endHandovers, forgetHandovers } from "../handoffs/store.ts";
import { type ConversationLocked, stopTurns } from "../turns/control.ts";
import { listOpenTurns } from "../turns/store.ts";
import { publishConversation } from "./notices.ts";
import { forgetSearches } from "./search-store.ts";

const dayMs = 86_400_000;
/** Null: never. */
export function eraseAt(ctx: WriteContext): Date | null {
  const { retention_days: days } = settingsOf(ctx).chat;
  return days === null ? null : new Date(ctx.now + days * dayMs);
}

/** The caller has locked the row. */
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
  await endHandovers(ctx, row.id);
  if (row.state === "closed") return;
  await publishConversation(ctx, row.id);
  ctx.emit(conversationClosed, { conversation_id: row.id, agent: row.agent, channel: row.channel });
}

/** The caller has locked the row. Records and emptied tasks remain. */
export async function erase(ctx: WriteContext, id: string): Promise<void> {
  const tasks = await listTurnTasks(ctx, id);
  const messages = await listMessageIds(ctx, id);
  const memories = await listMemoriesOf(ctx, id);
  const named = [...messages.map((one) => `message:${one.id}`), ...memories.map((one) => `memory:${one.id}`)];
  await eraseWork(ctx, tasks);
  await deleteConversation(
    ctx,
    id,
    memories.map((memory) => memory.id),
  );
  const records = [...messages, ...memories].map(({ audit_ref }) => audit_ref);
  await eraseBesideRecords(ctx, { objects: [`conversation:${id}`, ...named], tasks, records });
  await destroySalt(ctx, id);
}

async function listTurnTasks(ctx: WriteContext, conversation: string): Promise<string[]> {
  const rows = await all(ctx, select(ctx, taskRows, "t").select("t.id").where("t.conversation", "=", conversation));
  return rows.map(({ id }) => id);
}

const listMessageIds = (ctx: WriteContext, conversation: string): Promise<{ id: string; audit_ref: string }[]> =>
  all(
    ctx,
    select(ctx, "chat_messages", "m").select(["m.id", "m.audit_ref"]).where("m.conversation", "=", conversation),
  );

export async function listForks(ctx: WriteContext, conversation: string): Promise<string[]> {
  const forks = select(ctx, "chat_conversations", "c").select("c.id").orderBy("c.id").limit(100);
  const rows = await all(ctx, forks.where(sql<boolean>`c.forked_from ->> 'conversation_id' = ${conversation}`));
  return rows.map(({ id }) => id);
}

export interface Recorded {
  /** Such as `conversation:cnv_…`. */
  readonly objects: readonly string[];
  readonly tasks: readonly string[];
  readonly records?: readonly string[];
}

/** How long after its call a record may stand outside of the index by object, in milliseconds. */
const unsequencedMs = 60_000;

/**
 * Erases what policies saw of calls, and their answers for repetitions; the records hold only digests. Records of the
 * last minute may not be sequenced yet and are searched.
 */
export async function eraseBesideRecords(ctx: WriteContext, { objects, tasks, records = [] }: Recorded): Promise<void> {
  const { organization, environment } = ctx.scope;
  const values = [organization, environment, objects, tasks, records, lowestId("aud", ctx.now - unsequencedMs)];
  const rows = await ctx.db.query<{ id: string }>(
    `select record_id as id from ${auditLeafRows} audit_leaves where organization = $1 and environment = $2 and object = any($3::text[])
     union select record_id from ${auditLeafRows} audit_leaves where organization = $1 and environment = $2 and task_id = any($4::text[])
     union select unnest($5::text[])
     union select id from ${auditRecordRows} r where r.organization = $1 and r.environment = $2 and r.id >= $6
       and exists (select from unnest($3::text[] || $4::text[]) as named(id) where position('"' || named.id || '"' in r.body) > 0)`,
    values,
  );
  await forgetSearches(ctx);
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return;
  await all(ctx, remove(ctx, "idempotency_keys").where("id", "in", ids));
  await all(
    ctx,
    update(ctx, "audit_records").set({ context: null }).where("id", "in", ids).where("context", "is not", null),
  );
}

export function listMemoriesOf(ctx: WriteContext, conversation: string): Promise<{ id: string; audit_ref: string }[]> {
  const { organization, environment } = ctx.scope;
  const messages = sql<string>`(select m.id from chat_messages m
    where m.organization = ${organization} and m.environment = ${environment} and m.conversation = ${conversation})`;
  return all(
    ctx,
    select(ctx, "chat_memories", "r")
      .select(["r.id", "r.audit_ref"])
      .where((is) => is.or([is("r.conversation", "=", conversation), is("r.source_message", "in", messages)])),
  );
}

export async function deleteConversation(ctx: WriteContext, id: string, memories: readonly string[]): Promise<void> {
  if (memories.length > 0) await all(ctx, remove(ctx, "chat_memories").where("id", "in", memories));
  await forgetHandovers(ctx, id);
  await all(ctx, remove(ctx, "chat_conversations").where("id", "=", id));
}
