import { all, first, insert, type NewRow, type Row, select, sql, update } from "../../db/scoped.ts";
import type { WriteContext } from "../../kernel/context.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import { uniteWriters, type Writers } from "./conversation-writers.ts";
import type { Message, Part } from "./schemas.ts";

export type MessageRow = Omit<Row<"chat_messages">, "role" | "status"> & Pick<Message, "role" | "status">;
type Looking = { readonly scope: Scope; readonly db: Statements };

/** A message that is about to be stored; what is left out is empty. */
export interface NewMessage
  extends Pick<NewRow<"chat_messages">, "id" | "role" | "author" | "author_name" | "status">,
    Partial<
      Pick<
        NewRow<"chat_messages">,
        "turn" | "task" | "generated" | "imported" | "covers_from" | "covers_to" | "replaces" | "trust_score"
      >
    > {
  readonly parts: readonly Part[];
  /** Whoever is accountable for its text; `nobody` where the agent or the service wrote it. */
  readonly writers: Writers;
}

/** Stores a message behind the others of its conversation. Tells nobody: the caller appends the event. */
export async function addMessage(ctx: WriteContext, conversation: string, message: NewMessage): Promise<MessageRow> {
  const at = new Date(ctx.now);
  const { parts, writers, ...rest } = message;
  const isOver = message.status === "complete";
  const numbered = await first(
    ctx,
    update(ctx, "chat_conversations")
      .set({ messages: sql<number>`messages + 1`, last_message_at: at, updated_at: at })
      .where("id", "=", conversation)
      .returning(["messages", "deciders"]),
  );
  if (!numbered) throw new TypeError("a message belongs to a conversation that exists");
  await uniteWriters(ctx, conversation, numbered.deciders, writers);
  const row = {
    ...rest,
    ...{ conversation, number: numbered.messages, parts: JSON.stringify(parts), body: textOf(parts) },
    ...{ audit_ref: ctx.auditRef, created_at: at, completed_at: isOver ? at : null },
  };
  return (await first(ctx, insert(ctx, "chat_messages", row).returningAll())) as MessageRow;
}

/** Changes a message that stands; with `parts` its text for search as well. */
export async function changeMessage(
  ctx: WriteContext,
  id: string,
  { parts, ...changes }: Partial<Omit<NewRow<"chat_messages">, "parts" | "id">> & { readonly parts?: readonly Part[] },
): Promise<MessageRow> {
  const text = parts && { parts: JSON.stringify(parts), body: textOf(parts) };
  const query = update(ctx, "chat_messages")
    .set({ ...changes, ...text })
    .where("id", "=", id)
    .returningAll();
  return (await first(ctx, query)) as MessageRow;
}

export const findMessage = (ctx: Looking, id: string): Promise<MessageRow | undefined> =>
  first(ctx, select(ctx, "chat_messages", "m").selectAll("m").where("m.id", "=", id)) as Promise<
    MessageRow | undefined
  >;

/** The latest message of a conversation that is not the service's own. */
export const lastMessage = (ctx: Looking, conversation: string): Promise<MessageRow | undefined> =>
  first(
    ctx,
    select(ctx, "chat_messages", "m")
      .selectAll("m")
      .where("m.conversation", "=", conversation)
      .where("m.role", "<>", "system")
      .orderBy("m.number", "desc")
      .limit(1),
  ) as Promise<MessageRow | undefined>;

/** Messages of a conversation with numbers above `after`, oldest first. */
export const listMessages = (ctx: Looking, conversation: string, after: number, take: number): Promise<MessageRow[]> =>
  all(
    ctx,
    select(ctx, "chat_messages", "m")
      .selectAll("m")
      .where("m.conversation", "=", conversation)
      .where("m.number", ">", after)
      .orderBy("m.number")
      .limit(take),
  ) as Promise<MessageRow[]>;

/** The latest messages of a conversation, oldest first. */
export async function listLatest(ctx: Looking, conversation: string, take: number): Promise<MessageRow[]> {
  const query = select(ctx, "chat_messages", "m").selectAll("m").where("m.conversation", "=", conversation);
  return ((await all(ctx, query.orderBy("m.number", "desc").limit(take))) as MessageRow[]).reverse();
}

/** What is written in parts, without what tools and notices say. */
export const textOf = (parts: readonly Part[]): string =>
  parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");

const authorKinds = { user: "user", agent: "agent", person: "person", system: "service" } as const;

export function messageView(row: MessageRow): Message {
  const { covers_from: from, covers_to: to } = row;
  return {
    ...{ message_id: row.id, conversation_id: row.conversation, number: row.number, role: row.role },
    author: { kind: authorKinds[row.role], id: row.author, name: row.author_name ?? row.author ?? row.role },
    status: row.status,
    parts: JSON.parse(row.parts) as Part[],
    ...{ turn_id: row.turn, task_id: row.task, generated: row.generated, imported: row.imported },
    covers: from === null || to === null ? null : { from, to },
    ...{ replaces: row.replaces, replaced_by: row.replaced_by, trust_score: row.trust_score, audit_ref: row.audit_ref },
    ...{ created_at: row.created_at.toISOString(), completed_at: row.completed_at?.toISOString() ?? null },
  };
}
