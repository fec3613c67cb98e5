import { all, remove, select, sql, update } from "../../db/scoped.ts";
import type { WriteContext } from "../../kernel/context.ts";
import type { Principal } from "../../kernel/principal.ts";
import type { FoundMessage } from "./conversation-messages.ts";
import { mayAlso } from "./conversation-permission.ts";
import { titleFrom } from "./conversation-title.ts";
import { eraseBesideRecords, eraseTasks } from "./erase-store.ts";
import { appendEvents } from "./event-store.ts";
import { changeMessage, type MessageRow, messageView } from "./message-store.ts";
import type { Part } from "./schemas.ts";

/** Whether a caller wrote a message; in a user's name also whoever started the conversation. */
function isAuthor({ id, keyId }: Principal, { message, principal }: FoundMessage): boolean {
  const { role, author } = message;
  if (role !== "user" && role !== "person") return false;
  return author === id || (author !== null && author === keyId) || (role === "user" && principal === id);
}

export const mayRetract = (principal: Principal, found: FoundMessage): boolean =>
  isAuthor(principal, found) || mayAlso(principal, "chat:manage");

/** Whether the turn that a message belongs to goes on. */
export async function isAtWork(ctx: WriteContext, { id, status, turn }: MessageRow): Promise<boolean> {
  if (status === "queued" || status === "streaming" || status === "waiting") return true;
  const turns = select(ctx, "chat_turns", "t")
    .select("t.id")
    .where((is) => is.or([is("t.message", "=", id), is("t.reply", "=", id), is("t.id", "=", turn ?? "")]))
    .where("t.state", "in", ["queued", "running", "awaiting_approval", "input_required"]);
  return (await all(ctx, turns)).length > 0;
}

/** Takes what a message says out of the conversation and whatever was made of it; its place stays. */
export async function retract(ctx: WriteContext, { message, ...conversation }: FoundMessage): Promise<MessageRow> {
  const parts = JSON.parse(message.parts) as Part[];
  const row = await changeMessage(ctx, message.id, {
    parts: [],
    status: "retracted",
    author_name: message.author_name,
  });
  const tasks = await tasksOf(ctx, message);
  await eraseTasks(ctx, tasks);
  const files = parts.flatMap((part) => (part.type === "file" ? [part.file_id] : []));
  if (files.length > 0) await all(ctx, remove(ctx, "chat_files").where("id", "in", files));
  await all(ctx, remove(ctx, "chat_memories").where("source_message", "=", message.id));
  await emptyTitle(ctx, conversation, message);
  const emptied = [row, ...(await retractSummaries(ctx, message))];
  await emptyEvents(ctx, message.conversation, emptied);
  await eraseBesideRecords(ctx, { objects: [`message:${message.id}`], tasks, records: [message.audit_ref] });
  const told = emptied.map((one) => ({ type: "chat.message.changed", data: { message: messageView(one) } }) as const);
  await appendEvents(ctx, message.conversation, told);
  return row;
}

/** The tasks that hold the message: as their input, or as what they answered. */
async function tasksOf(ctx: WriteContext, { id, task }: MessageRow): Promise<string[]> {
  const turns = select(ctx, "chat_turns", "t")
    .select("t.task")
    .where((is) => is.or([is("t.message", "=", id), is("t.reply", "=", id)]));
  const found = (await all(ctx, turns)).map((turn) => turn.task);
  return [...new Set([task, ...found].filter((one) => one !== null))];
}

async function emptyTitle(
  ctx: WriteContext,
  { id, title }: Pick<FoundMessage, "id" | "title">,
  { body }: MessageRow,
): Promise<void> {
  if (title === null || title !== titleFrom(body)) return;
  await all(ctx, update(ctx, "chat_conversations").set({ title: null }).where("id", "=", id));
}

/** A summary may say what the message said: it is gone as well, and made anew when the transcript needs one. */
async function retractSummaries(ctx: WriteContext, { conversation, number }: MessageRow): Promise<MessageRow[]> {
  const query = update(ctx, "chat_messages")
    .set({ parts: "[]", body: "", status: "retracted" })
    .where("conversation", "=", conversation)
    .where("covers_from", "<=", number)
    .where("covers_to", ">=", number)
    .where("status", "<>", "retracted");
  return (await all(ctx, query.returningAll())) as MessageRow[];
}

/** Empties what streams told of messages. The events keep their sequences, so that followers resume as before. */
async function emptyEvents(ctx: WriteContext, conversation: string, messages: readonly MessageRow[]): Promise<void> {
  const views = new Map(messages.map((row) => [row.id, messageView(row)]));
  const events = await all(
    ctx,
    select(ctx, "chat_events", "e")
      .select(["e.sequence", "e.type", "e.data"])
      .where("e.conversation", "=", conversation)
      .where(sql<boolean>`e.data like any(${messages.map(({ id }) => `%"${id}"%`)}::text[])`),
  );
  const emptied = events.flatMap(({ sequence, data }) => {
    const value = JSON.parse(data) as { message?: { message_id: string }; message_id?: string; index?: number };
    const view = views.get(value.message?.message_id ?? value.message_id ?? "");
    if (!view) return [];
    const { message_id, index } = value;
    const left = value.message ? { message: view } : { message_id, index, text: "", part: { type: "text", text: "" } };
    return [{ sequence, data: JSON.stringify(left) }];
  });
  const { organization, environment } = ctx.scope;
  await ctx.db.query(
    `update chat_events e set data = n.data from unnest($4::int[], $5::text[]) as n(sequence, data)
     where e.organization = $1 and e.environment = $2 and e.conversation = $3 and e.sequence = n.sequence`,
    [organization, environment, conversation, emptied.map((one) => one.sequence), emptied.map(({ data }) => data)],
  );
}
