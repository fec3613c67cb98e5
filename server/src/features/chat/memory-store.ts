import { all, first, insert, newestFirst, type Row, remove, select, sql } from "../../db/scoped.ts";
import type { ReadContext, WriteContext } from "../../kernel/context.ts";
import { isId } from "../../kernel/ids.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import type { Memory } from "./schemas.ts";

export type MemoryRow = Row<"chat_memories">;
type Looking = { readonly scope: Scope; readonly db: Statements };

export interface MemoryFilter {
  readonly user?: string;
  readonly conversation?: string;
}

export const listMemories = (ctx: ReadContext, filter: MemoryFilter, page: PageRequest): Promise<MemoryRow[]> =>
  all(ctx, newestFirst(filtered(ctx, filter), "m.id", page));

function filtered(ctx: ReadContext, { user, conversation }: MemoryFilter) {
  let query = select(ctx, "chat_memories", "m").selectAll("m");
  if (user !== undefined) query = query.where("m.end_user", "=", user);
  if (conversation !== undefined) query = query.where("m.conversation", "=", conversation);
  return query;
}

/**
 * What an agent reads: memories of its conversations and, unless the key is narrowed to agents, those of the users who write to it that came from no conversation.
 */
const readBy = ({ principal }: ReadContext, agent: string) => {
  const own = sql<boolean>`exists (select from chat_conversations c where c.organization = m.organization and c.environment = m.environment
    and c.id = m.conversation and c.agent = ${agent})`;
  if (principal.agents !== null) return own;
  return sql<boolean>`(${own} or (m.conversation is null and exists (select from chat_conversations c where c.organization = m.organization
    and c.environment = m.environment and c.end_user = m.end_user and c.agent = ${agent})))`;
};

export function listMemoriesOf(
  ctx: ReadContext,
  agent: string,
  filter: MemoryFilter,
  page: PageRequest,
): Promise<MemoryRow[]> {
  return all(ctx, newestFirst(filtered(ctx, filter).where(readBy(ctx, agent)), "m.id", page));
}

/** A memory that an agent reads. */
export async function findMemoryOf(ctx: ReadContext, agent: string, id: string): Promise<MemoryRow | undefined> {
  if (!isId(id, "mem")) return undefined;
  return first(ctx, filtered(ctx, {}).where("m.id", "=", id).where(readBy(ctx, agent)));
}

export async function findMemory(ctx: Looking, id: string): Promise<MemoryRow | undefined> {
  if (!isId(id, "mem")) return undefined;
  return first(ctx, select(ctx, "chat_memories", "m").selectAll("m").where("m.id", "=", id));
}

/** Stores what is to be remembered, in the caller's name. */
export async function addMemory(
  ctx: WriteContext,
  memory: Pick<MemoryRow, "end_user" | "conversation" | "text" | "source_message" | "generated">,
): Promise<MemoryRow> {
  const row = { ...memory, id: ctx.newId("mem"), author: ctx.principal.id, audit_ref: ctx.auditRef };
  const query = insert(ctx, "chat_memories", { ...row, created_at: new Date(ctx.now) }).returningAll();
  return (await first(ctx, query)) as MemoryRow;
}

export const deleteMemory = (ctx: WriteContext, id: string) =>
  all(ctx, remove(ctx, "chat_memories").where("id", "=", id));

export const memoryView = (row: MemoryRow): Memory => ({
  ...{ memory_id: row.id, user: row.end_user, conversation_id: row.conversation, text: row.text },
  ...{ source_message_id: row.source_message, generated: row.generated, author: row.author },
  ...{ audit_ref: row.audit_ref, created_at: row.created_at.toISOString() },
});
