import { all, first, insert, rowsOf, select, sql } from "../../../db/scoped.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { memberRows } from "../../admin/shared-rows.ts";
import type { Note } from "../schemas.ts";

/** Notes of a conversation at most. */
export const mostNotes = 500;

export async function listNotes(ctx: ReadContext, conversation: string): Promise<Note[]> {
  const query = select(ctx, "chat_notes", "n")
    .leftJoin(rowsOf(ctx, memberRows, "m"), "m.id", "n.author")
    .select(["n.id", "n.author", "n.text", "n.audit_ref", "n.created_at", "m.name"])
    .where("n.conversation", "=", conversation)
    .orderBy("n.id")
    .limit(mostNotes);
  return (await all(ctx, query)).map(({ id, author, text, audit_ref, created_at, name }) => ({
    note_id: id,
    conversation_id: conversation,
    author: { id: author, name: name ?? author },
    text,
    audit_ref,
    created_at: created_at.toISOString(),
  }));
}

export async function countNotes(ctx: WriteContext, conversation: string): Promise<number> {
  const counted = select(ctx, "chat_notes", "n").select(sql<number>`count(*)::int`.as("count"));
  return (await first(ctx, counted.where("n.conversation", "=", conversation)))?.count ?? 0;
}

export async function insertNote(ctx: WriteContext, conversation: string, text: string, name: string): Promise<Note> {
  const at = new Date(ctx.now);
  const { auditRef: audit_ref, principal } = ctx;
  const row = { id: ctx.newId("cno"), conversation, author: principal.id, text, audit_ref, created_at: at };
  await all(ctx, insert(ctx, "chat_notes", row));
  return {
    note_id: row.id,
    conversation_id: conversation,
    author: { id: principal.id, name },
    text,
    audit_ref,
    created_at: at.toISOString(),
  };
}
