import { languageFor, noticeTexts } from "@aos/user-texts";
import type { ChatTurn } from "../../../kernel/chat-turn.ts";
import { foundNoAnswer } from "../../../kernel/handoff.ts";
import { storedJson } from "../../../kernel/stored-json.ts";
import { retryTransient } from "../../../kernel/transient.ts";
import type { LeaseKey, LoadedTask, OpenTurn, TurnParts } from "../../tasks/public.ts";
import type { NewChatEvent } from "../conversations/event-store.ts";
import { type MessageRow, messageView, partsOf } from "../conversations/message-store.ts";
import { conversationJson } from "../conversations/store.ts";
import { historyOf } from "../conversations/transcript.ts";
import type { Turn } from "../schemas.ts";
import { LiveReply } from "./live-reply.ts";
import { findStored, type LiveReplyState, readTurn, type Stored, type StoredTurn, storeLive } from "./live-store.ts";
import { optionsOfTurn } from "./options.ts";
import { judged, linkableHosts, mustBeJudged } from "./reply-rules.ts";

export async function openTurn(parts: TurnParts, lease: LeaseKey, work: LoadedTask): Promise<OpenTurn | null> {
  const { message, after, files = [] } = taskJson(work.row, "input");
  const conversation = work.row.conversation as string;
  const ctx = { scope: lease.scope, db: parts.db };
  const stored = await readTurn(ctx, { conversation, task: lease.task, after, files });
  if (!stored) return null;
  const hosts = [...(await linkableHosts(ctx, work)), ...stored.hosts];
  const reply = replyOf(parts, lease, work, { ...stored, hosts }, message);
  return { chat: shownOf(stored, message, files), tell: reply.tell };
}

interface Input {
  readonly message: string;
  readonly after: number;
  readonly files?: readonly string[];
}

const taskJson = storedJson<{ input: Input }>();

function shownOf(
  { row, turn, messages, memories, files, images }: StoredTurn,
  message: string,
  attached: readonly string[],
): ChatTurn {
  const situation = conversationJson(row, "context");
  const others = messages.filter(({ id }) => id !== turn.message && id !== turn.reply);
  const known = [
    ...(Object.keys(situation).length > 0 ? [{ what: "The situation", data: situation }] : []),
    ...(memories.length > 0 ? [{ what: "What is remembered", data: memories.map(({ text }) => text) }] : []),
  ];
  return {
    options: optionsOfTurn(turn),
    ...(images.length > 0 && { images }),
    known,
    situation,
    unsureBefore: unsureIn(others),
    message,
    language: row.language,
    history: historyOf({ messages: others, files, attached }),
  };
}

/** Replies in a row, up to the latest, for which no search was sure of an answer. */
function unsureIn(messages: readonly MessageRow[]): number {
  const replies = messages.filter(
    ({ role, status, replaced_by }) => role === "agent" && status === "complete" && replaced_by === null,
  );
  const found = ({ parts }: MessageRow) =>
    partsOf({ parts }).flatMap((part) =>
      part.type === "tool_call" && part.state === "completed" ? [part.result] : [],
    );
  const sure = replies.findLastIndex((reply) => !foundNoAnswer(found(reply)));
  return replies.length - 1 - sure;
}

/** An existing reply, or a new one that begins with its first part. */
function replyOf(parts: TurnParts, lease: LeaseKey, work: LoadedTask, stored: StoredTurn, message: string): LiveReply {
  const { db, inside, facts, clock, restore } = parts;
  const { row: conversation, turn, messages } = stored;
  const known = messages.find(({ id }) => id === turn.reply);
  const row = known ?? newReply(parts, work, stored);
  const { version_number: number, version_id } = work.row;
  let begins = known ? null : beginningOf(stored, row);
  let { sequence } = conversation;
  return new LiveReply({
    id: row.id,
    options: optionsOfTurn(turn),
    restore,
    parts: partsOf(row),
    steps: row.part_steps,
    hosts: new Set(stored.hosts),
    addresses: new Set(),
    texts: noticeTexts[languageFor(conversation.language, message)],
    waited: known !== undefined && known.status !== "streaming",
    holds: () => mustBeJudged({ facts, scope: lease.scope, now: clock.now() }),
    judge: (text) =>
      judged(inside, lease.scope, {
        conversation: conversation.id,
        task: lease.task,
        text,
        version: { number, id: version_id },
      }),
    view: (written) => messageView({ ...row, status: "streaming", parts: JSON.stringify(written) }),
    async store(written) {
      const state = { ...written, id: row.id };
      const first = begins && { ...state, events: [...begins.events, ...written.events], begins };
      const place = await storeOnce(db, lease, conversation.id, first ?? state, sequence);
      if (place === null) return false;
      row.number = place.number;
      sequence = place.sequence;
      begins = null;
      parts.stored();
      return true;
    },
  });
}

/** Stores it once, even if the answer to the first try was lost. `after`: the last stored event. */
function storeOnce(
  db: TurnParts["db"],
  lease: LeaseKey,
  conversation: string,
  state: LiveReplyState,
  after: number,
): Promise<Stored | null> {
  let tried = false;
  return retryTransient(async () => {
    const before = tried ? await findStored({ scope: lease.scope, db }, conversation, state, after) : undefined;
    tried = true;
    return before ?? storeLive(db, lease, conversation, state);
  });
}

function newReply({ newId, clock }: TurnParts, { row: task }: LoadedTask, { turn, earlier }: StoredTurn): MessageRow {
  const { organization, environment, conversation, id } = turn;
  return {
    organization,
    environment,
    conversation,
    id: newId("msg"),
    number: 1,
    role: "agent",
    status: "streaming",
    author: task.agent,
    author_name: task.agent,
    turn: id,
    task: task.id,
    parts: "[]",
    part_steps: [],
    body: "",
    generated: true,
    imported: false,
    covers_from: null,
    covers_to: null,
    replaced_by: null,
    trust_score: null,
    replaces: earlier?.id ?? null,
    audit_ref: task.audit_ref,
    created_at: new Date(clock.now()),
    completed_at: null,
  };
}

function beginningOf({ turn, earlier }: StoredTurn, row: MessageRow) {
  const { id: turn_id, message: message_id, task: task_id, state } = turn;
  const view = { turn_id, message_id, task_id, state: state as Turn["state"], failure: null };
  const replaced = earlier && messageView({ ...earlier, replaced_by: row.id });
  const events: NewChatEvent[] = [
    { type: "chat.message.created", data: { message: messageView(row) } },
    ...(replaced ? [{ type: "chat.message.changed" as const, data: { message: replaced } }] : []),
    { type: "chat.turn.changed", data: { turn: { ...view, reply_id: row.id } } },
  ];
  const { audit_ref: auditRef, created_at: at, replaces, author } = row;
  return { events, turn: turn.id, agent: author as string, auditRef, replaces, at };
}
