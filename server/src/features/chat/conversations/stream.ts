import { first, select } from "../../../db/scoped.ts";
import type { ReadContext, StreamContext } from "../../../kernel/context.ts";
import { type Ending, sequenceOf, type Telling, tellEvents } from "../../../kernel/event-stream.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { chatEventsPort } from "../ports.ts";
import type { ChatEvent, Message, Sent } from "../schemas.ts";
import { listEvents } from "./event-store.ts";
import { findMessage, messageView } from "./message-store.ts";
import { seenBy } from "./view.ts";

/** The limit of PostgreSQL's `int`. */
export const largestSequence = 2_147_483_647;

const tellingTo = (principal: Pick<Principal, "chat">): Telling<ChatEvent> => ({
  id: ({ sequence }) => sequence,
  name: ({ type }) => type,
  data: ({ data }) => seenBy(principal, data),
});

type Following = Pick<StreamContext, "scope" | "principal" | "signal" | "allowed" | "lastEventId" | "port">;

export function streamConversation(ctx: Following, conversation: string, after = 0): AsyncIterable<string> {
  const from = ctx.lastEventId === null ? after : sequenceOf(ctx.lastEventId, largestSequence);
  return tellEvents(
    ctx,
    (signal) => ctx.port(chatEventsPort).follow(ctx.scope, conversation, from, signal),
    tellingTo(ctx.principal),
  );
}

/**
 * Events of the message, the disclosure, its turn and replies, until the turn ends or waits for people. Ids are those
 * of the conversation's stream, where a client that lost its connection resumes.
 */
export function streamTurn(
  ctx: Pick<StreamContext, "scope" | "principal" | "db" | "signal" | "allowed" | "port">,
  conversation: string,
  sent: Pick<Sent, "message_id" | "turn_id" | "sequence">,
): AsyncIterable<string> {
  const follow = (signal: AbortSignal) =>
    ctx.port(chatEventsPort).follow(ctx.scope, conversation, sent.sequence, signal);
  const events = (signal: AbortSignal) => untilSettled(ctx, follow(signal), { ...sent, conversation });
  return tellEvents(ctx, events, { ...tellingTo(ctx.principal), from: sent.sequence });
}

/** Waits until the turn ends, waits for people, or the caller's time is over. */
export async function awaitReply(
  ctx: Pick<ReadContext, "scope" | "db" | "signal" | "waitSeconds" | "port">,
  conversation: string,
  sent: Sent,
): Promise<Sent> {
  if (sent.turn_id === null) return sent;
  const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(1000 * ctx.waitSeconds)]);
  const events = untilSettled(ctx, ctx.port(chatEventsPort).follow(ctx.scope, conversation, sent.sequence, signal), {
    ...sent,
    conversation,
  });
  for await (const _event of events);
  const columns = ["t.reply as reply_id", "t.task as task_id"] as const;
  const turn = await first(ctx, select(ctx, "chat_turns", "t").select(columns).where("t.id", "=", sent.turn_id));
  const reply = turn?.reply_id ? await findMessage(ctx, turn.reply_id) : undefined;
  return { ...sent, ...turn, reply: reply ? messageView(reply) : null };
}

type Followed = Pick<Sent, "message_id" | "turn_id"> & { readonly conversation: string };

/** Also yields events stored with the end of the turn. A turn that went on at once has not ended. */
async function* untilSettled(
  ctx: Pick<StreamContext, "scope" | "db">,
  events: AsyncIterable<ChatEvent, Ending>,
  { conversation, message_id, turn_id }: Followed,
): AsyncGenerator<ChatEvent, Ending> {
  const concerns = concerning(message_id, turn_id);
  const iterator = events[Symbol.asyncIterator]();
  let sent = 0;
  try {
    for (;;) {
      const { done, value } = await iterator.next();
      if (done) return value;
      if (value.sequence <= sent || !concerns(value)) continue;
      yield value;
      let isOver = settles(value, message_id, turn_id);
      if (!isOver) continue;
      for (const event of await listEvents(ctx, conversation, value.sequence, 100)) {
        sent = event.sequence;
        if (!concerns(event)) continue;
        yield event;
        if ((event.data as Named).turn) isOver = settles(event, message_id, turn_id);
      }
      if (isOver) return "over";
    }
  } finally {
    await iterator.return?.();
  }
}

interface Named {
  readonly message?: Pick<Message, "message_id" | "turn_id" | "parts">;
  readonly message_id?: string;
  readonly turn?: { readonly turn_id: string; readonly state: string };
}

function concerning(sent: string, turnId: string | null): (event: ChatEvent) => boolean {
  const messages = new Set([sent]);
  return ({ data }) => {
    const { message, message_id, turn } = data as Named;
    if (turn) return turn.turn_id === turnId;
    if (message && turnId !== null && message.turn_id === turnId) messages.add(message.message_id);
    if (message?.parts.some((part) => part.type === "notice" && part.code === "disclosure")) return true;
    return messages.has(message?.message_id ?? message_id ?? "");
  };
}

const goesOn: ReadonlySet<string> = new Set(["queued", "running"]);

/** Without a turn a person answers: the message itself is all. */
function settles({ data }: ChatEvent, sent: string, turnId: string | null): boolean {
  const { message, turn } = data as Named;
  if (turnId === null) return message?.message_id === sent;
  return turn !== undefined && !goesOn.has(turn.state);
}
