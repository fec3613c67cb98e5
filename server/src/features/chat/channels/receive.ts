import { createHash } from "node:crypto";
import { languageFor, noticeTexts } from "@aos/user-texts";
import { all, first, insert, select } from "../../../db/scoped.ts";
import type { Actor } from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { wakeConversation } from "../../tasks/public.ts";
import { appendEvents } from "../conversations/event-store.ts";
import { addMessage, messageView } from "../conversations/message-store.ts";
import { addNotice } from "../conversations/notices.ts";
import { deployedAgent, startConversation } from "../conversations/start.ts";
import { lockConversation } from "../conversations/store.ts";
import { nobody } from "../conversations/writers.ts";
import { messageCompleted } from "../events.ts";
import type { Part } from "../schemas.ts";
import { answerTurn, type ConversationLocked } from "../turns/control.ts";
import { isBusy } from "../turns/rules.ts";
import { settleTurns } from "../turns/settle.ts";
import { addTurn } from "../turns/store.ts";
import { ownerOf, writersBy } from "./actor.ts";
import { addThread, findTaken, findThread, findThreads, noteName, setAddress, shortened } from "./thread-store.ts";
import type { ChannelRow } from "./view.ts";

/** `text`: what the agent reads; null: nothing. */
export interface ReceivedFile {
  readonly name: string;
  readonly mediaType: string;
  readonly content: Uint8Array;
  readonly text: string | null;
}

export interface Incoming {
  /** Its id in the channel, by which it is taken once. */
  readonly externalId: string;
  readonly thread: string;
  readonly answers: readonly string[];
  /** Null where not certain. */
  readonly user: string | null;
  readonly authorId: string | null;
  readonly author: string;
  readonly text: string;
  readonly files: readonly ReceivedFile[];
  readonly title: string | null;
  readonly context: Readonly<Record<string, unknown>>;
  readonly address: Readonly<Record<string, unknown>>;
  isOfThread(thread: { readonly user: string | null; readonly address: Readonly<Record<string, unknown>> }): boolean;
}

export interface Received {
  readonly conversation: string;
  readonly message: string;
  readonly repeated: boolean;
}

/**
 * Adds the message to its conversation or starts one. A repetition changes nothing. Without an actor the channel has
 * stopped: the message is kept unanswered.
 */
export async function receive(
  ctx: WriteContext,
  channel: ChannelRow,
  actor: Actor | null,
  incoming: Incoming,
): Promise<Received> {
  const { organization, environment } = ctx.scope;
  const lock = `chat channel ${organization} ${environment} ${channel.name}`;
  await ctx.db.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [lock]);
  const { externalId } = incoming;
  const known = await findTaken(ctx, channel.name, externalId);
  if (known) return { ...known, repeated: true };
  deployedAgent(ctx, channel.agent);
  const row = await conversationOf(ctx, channel, incoming);
  const message = await take(ctx, channel, { actor, row, incoming });
  await noteName(ctx, { channel: channel.name, externalId, conversation: row.id, message });
  return { conversation: row.id, message, repeated: false };
}

async function conversationOf(ctx: WriteContext, channel: ChannelRow, incoming: Incoming): Promise<ConversationLocked> {
  for (const id of await findThreads(ctx, channel.name, incoming)) {
    const row = await lockConversation(ctx, id);
    const thread = row && (await findThread(ctx, id));
    if (row?.state !== "open" || row.channel !== channel.name || !thread) continue;
    if (!incoming.isOfThread({ user: row.end_user, address: thread.address as Record<string, unknown> })) continue;
    await setAddress(ctx, id, incoming.address);
    return row;
  }
  return newConversation(ctx, channel, incoming);
}

async function newConversation(
  ctx: WriteContext,
  channel: ChannelRow,
  incoming: Incoming,
): Promise<ConversationLocked> {
  const key = shortened(incoming.thread);
  const named = select(ctx, "chat_conversations", "c").select("c.id").where("c.channel", "=", channel.name);
  const isTaken = await first(ctx, named.where("c.external_key", "=", key));
  const { user, title } = incoming;
  const body = {
    agent: channel.agent,
    external_key: isTaken ? `${key} ${ctx.now.toString(36)}` : key,
    context: { ...incoming.context },
    ...(user !== null && { user }),
    ...(title !== null && title !== "" && { title }),
  };
  const by = { ...ownerOf(channel), writers: writersBy(channel) };
  const { id } = await startConversation(ctx, body, { channel: channel.name, by });
  const { thread, address } = incoming;
  await addThread(ctx, { conversation: id, channel: channel.name, thread, address });
  return (await lockConversation(ctx, id)) as ConversationLocked;
}

interface Taking {
  readonly actor: Actor | null;
  readonly row: ConversationLocked;
  readonly incoming: Incoming;
}

async function take(ctx: WriteContext, channel: ChannelRow, { actor, row, incoming }: Taking): Promise<string> {
  const parts = [
    ...(incoming.text ? [{ type: "text" as const, text: incoming.text }] : []),
    ...(await keep(ctx, row.id, incoming)),
  ];
  const turns = row.handler === null ? await settleTurns(ctx, row) : [];
  const writers = writersBy(channel);
  const mayAct = row.handler === null && actor !== null;
  const answered = mayAct ? await answerTurn(ctx, turns, incoming.text, writers) : undefined;
  const begins = mayAct && !answered;
  const id = ctx.newId("msg");
  const message = await addMessage(ctx, row.id, {
    id,
    role: "user",
    author: incoming.authorId,
    author_name: incoming.author,
    parts,
    writers,
    status: begins && isBusy(turns) ? "queued" : "complete",
  });
  await appendEvents(ctx, row.id, [{ type: "chat.message.created", data: { message: messageView(message) } }]);
  const subject = { conversation_id: row.id, agent: row.agent, channel: channel.name };
  ctx.emit(messageCompleted, { ...subject, message_id: id, role: "user" });
  if (answered) await settleTurns(ctx, row);
  if (begins) {
    const turn = await addTurn(ctx, actor, row.id, { message: id });
    ctx.enqueue(wakeConversation(ctx.scope, row.id, turn.id));
  }
  if (row.handler === null && actor === null) {
    const { notAnswered: text } = noticeTexts[languageFor(row.language, incoming.text)];
    await addNotice(ctx, row.id, { code: "not_answered", text, writers: nobody });
  }
  return id;
}

async function keep(ctx: WriteContext, conversation: string, { files, authorId }: Incoming): Promise<Part[]> {
  const parts: Part[] = [];
  for (const { name, mediaType, content, text } of files) {
    const id = ctx.newId("fil");
    const sha256 = createHash("sha256").update(content).digest("hex");
    const row = {
      id,
      conversation,
      name,
      media_type: mediaType,
      size: content.byteLength,
      sha256,
      content: Buffer.from(content),
      text,
      author: authorId,
      audit_ref: ctx.auditRef,
      created_at: new Date(ctx.now),
    };
    await all(ctx, insert(ctx, "chat_files", row));
    parts.push({ type: "file", file_id: id, name, media_type: mediaType, size: content.byteLength });
  }
  return parts;
}
