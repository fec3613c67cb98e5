import { all, remove, select, sql, update } from "../../../../db/scoped.ts";
import type { WriteContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import type { Principal } from "../../../../kernel/principal.ts";
import { conflict, insufficientScope, notFound } from "../../../../kernel/problems.ts";
import { storedJson } from "../../../../kernel/stored-json.ts";
import { eraseWork } from "../../../tasks/public.ts";
import { exampleMessage } from "../../example.ts";
import { Message } from "../../schemas.ts";
import { eraseBesideRecords } from "../erase.ts";
import { appendEvents } from "../event-store.ts";
import { changeMessage, findMessage, type MessageRow, messageView, partsOf } from "../message-store.ts";
import { conversationRead, type FoundMessage, loadMessage, MessageParams } from "../operation-parts.ts";
import { mayAlso, titleFrom } from "../rules.ts";
import { lockConversation } from "../store.ts";

export const retractMessage = defineOperation({
  id: "chat.retractMessage",
  method: "DELETE",
  path: "/v1/chat/conversations/{conversation}/messages/{message}",
  summary: "Retract a message",
  description:
    "Takes back what a message says, with its files, summaries of it and what was remembered from it. Its place in the conversation stays, and the agent no longer reads it. Its author may do so; others need `chat:manage`, also for what the agent wrote. What other messages quote of it stays.",
  params: MessageParams,
  output: Message,
  example: {
    params: { conversation: exampleMessage.conversation_id, message: exampleMessage.message_id },
    output: { ...exampleMessage, status: "retracted", parts: [] },
  },
  permission: "chat:write",
  load: loadMessage,
  gate: exempt("makes no agent act"),
  decides: exempt("takes a message away, adds none"),
  compliance: governs("chat.change", (ctx, given: { loaded: FoundMessage }) => conversationRead(ctx, given)),
  audit: ({ params }) => `message:${params.message}`,
  errors: [conflict],
  async handle(ctx, { loaded }) {
    if (!mayRetract(ctx.principal, loaded))
      throw refuse(
        insufficientScope,
        "Somebody else wrote the message: taking it back needs the permission chat:manage.",
        {
          stage: "permissions",
          members: { missing_scope: "chat:manage" },
        },
      );
    if (!(await lockConversation(ctx, loaded.id))) throw refuse(notFound, "The conversation was just erased.");
    const message = (await findMessage(ctx, loaded.message.id)) as MessageRow;
    if (message.status === "retracted") return messageView(message);
    if (await isAtWork(ctx, message))
      throw refuse(
        conflict,
        "Its turn goes on: stop it by POST /v1/chat/conversations/{conversation}/stop, then take it back.",
      );
    return messageView(await retract(ctx, { ...loaded, message }));
  },
});

/** Whether a caller wrote a message; in a user's name also whoever started the conversation. */
function isAuthor({ id, keyId }: Principal, { message, principal }: FoundMessage): boolean {
  const { role, author } = message;
  if (role !== "user" && role !== "person") return false;
  return author === id || (author !== null && author === keyId) || (role === "user" && principal === id);
}

const mayRetract = (principal: Principal, found: FoundMessage): boolean =>
  isAuthor(principal, found) || mayAlso(principal, "chat:manage");

async function isAtWork(ctx: WriteContext, { id, status, turn }: MessageRow): Promise<boolean> {
  if (status === "queued" || status === "streaming" || status === "waiting") return true;
  const turns = select(ctx, "chat_turns", "t")
    .select("t.id")
    .where((is) => is.or([is("t.message", "=", id), is("t.reply", "=", id), is("t.id", "=", turn ?? "")]))
    .where("t.state", "in", ["queued", "running", "awaiting_approval", "input_required"]);
  return (await all(ctx, turns)).length > 0;
}

/** Empties the message and what was made of it; its place stays. */
export async function retract(ctx: WriteContext, { message, ...conversation }: FoundMessage): Promise<MessageRow> {
  const parts = partsOf(message);
  const row = await changeMessage(ctx, message.id, {
    parts: [],
    status: "retracted",
    author_name: message.author_name,
  });
  const tasks = await tasksOf(ctx, message);
  await eraseWork(ctx, tasks);
  const files = parts.flatMap((part) => (part.type === "file" ? [part.file_id] : []));
  if (files.length > 0) await all(ctx, remove(ctx, "chat_files").where("id", "in", files));
  await all(ctx, remove(ctx, "chat_memories").where("source_message", "=", message.id));
  await emptyTitle(ctx, conversation, message);
  const emptied = [row, ...(await retractSummaries(ctx, message))];
  await emptyEvents(ctx, message.conversation, emptied);
  await eraseBesideRecords(ctx, { objects: [`message:${message.id}`], tasks, records: [message.audit_ref] });
  const events = emptied.map((one) => ({ type: "chat.message.changed", data: { message: messageView(one) } }) as const);
  await appendEvents(ctx, message.conversation, events);
  return row;
}

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

/** A summary may quote the message: it is emptied too, and written again when needed. */
async function retractSummaries(ctx: WriteContext, { conversation, number }: MessageRow): Promise<MessageRow[]> {
  const query = update(ctx, "chat_messages")
    .set({ parts: "[]", body: "", status: "retracted" })
    .where("conversation", "=", conversation)
    .where("covers_from", "<=", number)
    .where("covers_to", ">=", number)
    .where("status", "<>", "retracted");
  return (await all(ctx, query.returningAll())) as MessageRow[];
}

const messageEventJson = storedJson<{
  data: { readonly message?: { readonly message_id: string }; readonly message_id?: string; readonly index?: number };
}>();

/** Events keep their sequences, so that followers resume as before. */
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
    const value = messageEventJson({ data }, "data");
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
