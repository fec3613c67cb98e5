import { all, first, insert, newestFirst, type Row, remove, select } from "../../db/scoped.ts";
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

export function listMemories(
  ctx: ReadContext,
  { user, conversation }: MemoryFilter,
  page: PageRequest,
): Promise<MemoryRow[]> {
  let query = select(ctx, "chat_memories", "m").selectAll("m");
  if (user !== undefined) query = query.where("m.end_user", "=", user);
  if (conversation !== undefined) query = query.where("m.conversation", "=", conversation);
  return all(ctx, newestFirst(query, "m.id", page));
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
