import { all, first, insert, type NewRow, type Row, select, sql, update } from "../../../db/scoped.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { storedJson } from "../../../kernel/stored-json.ts";
import type { Message, Part } from "../schemas.ts";
import { uniteWriters, type Writers } from "./writers.ts";

export type MessageRow = Omit<Row<"chat_messages">, "role" | "status"> & Pick<Message, "role" | "status">;

export interface NewMessage
  extends Pick<NewRow<"chat_messages">, "id" | "role" | "author" | "author_name" | "status">,
    Partial<
      Pick<
        NewRow<"chat_messages">,
        "turn" | "task" | "generated" | "imported" | "covers_from" | "covers_to" | "replaces" | "trust_score"
      >
    > {
  readonly parts: readonly Part[];
  /** `nobody` where the agent or the service wrote it. */
  readonly writers: Writers;
}

/** The caller appends the event. */
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
    conversation,
    number: numbered.messages,
    parts: JSON.stringify(parts),
    body: textOf(parts),
    audit_ref: ctx.auditRef,
    created_at: at,
    completed_at: isOver ? at : null,
  };
  return (await first(ctx, insert(ctx, "chat_messages", row).returningAll())) as MessageRow;
}

/** With `parts`, also the text for search. */
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

export const findMessage = (ctx: QueryContext, id: string): Promise<MessageRow | undefined> =>
  first(ctx, select(ctx, "chat_messages", "m").selectAll("m").where("m.id", "=", id)) as Promise<
    MessageRow | undefined
  >;

/** Leaves out the service's own. */
export const lastMessage = (ctx: QueryContext, conversation: string): Promise<MessageRow | undefined> =>
  first(
    ctx,
    select(ctx, "chat_messages", "m")
      .selectAll("m")
      .where("m.conversation", "=", conversation)
      .where("m.role", "<>", "system")
      .orderBy("m.number", "desc")
      .limit(1),
  ) as Promise<MessageRow | undefined>;

export const listMessages = (
  ctx: QueryContext,
  conversation: string,
  after: number,
  take: number,
): Promise<MessageRow[]> =>
  all(
    ctx,
    select(ctx, "chat_messages", "m")
      .selectAll("m")
      .where("m.conversation", "=", conversation)
      .where("m.number", ">", after)
      .orderBy("m.number")
      .limit(take),
  ) as Promise<MessageRow[]>;

export async function listLatest(ctx: QueryContext, conversation: string, take: number): Promise<MessageRow[]> {
  const query = select(ctx, "chat_messages", "m").selectAll("m").where("m.conversation", "=", conversation);
  return ((await all(ctx, query.orderBy("m.number", "desc").limit(take))) as MessageRow[]).reverse();
}

const messageJson = storedJson<{ parts: Part[] }>();

export const partsOf = (message: Pick<MessageRow, "parts">): Part[] => messageJson(message, "parts");

/** Text parts only. */
export const textOf = (parts: readonly Part[]): string =>
  parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");

const authorKinds = { user: "user", agent: "agent", person: "person", system: "service" } as const;

export function messageView(row: MessageRow): Message {
  const { covers_from: from, covers_to: to } = row;
  return {
    message_id: row.id,
    conversation_id: row.conversation,
    number: row.number,
    role: row.role,
    author: { kind: authorKinds[row.role], id: row.author, name: row.author_name ?? row.author ?? row.role },
    status: row.status,
    parts: partsOf(row),
    turn_id: row.turn,
    task_id: row.task,
    generated: row.generated,
    imported: row.imported,
    covers: from === null || to === null ? null : { from, to },
    replaces: row.replaces,
    replaced_by: row.replaced_by,
    trust_score: row.trust_score,
    audit_ref: row.audit_ref,
    created_at: row.created_at.toISOString(),
    completed_at: row.completed_at?.toISOString() ?? null,
  };
}
