import { first, select } from "../../db/scoped.ts";
import type { ReadContext, StreamContext } from "../../kernel/context.ts";
import { type Ending, sequenceOf, type Telling, tellEvents } from "../../kernel/event-stream.ts";
import type { Principal } from "../../kernel/principal.ts";
import { listEvents } from "./event-store.ts";
import type { ChatEventsPort } from "./feed.ts";
import { findMessage, messageView } from "./message-store.ts";
import type { ChatEvent, Message, Sent } from "./schemas.ts";
import { seenBy } from "./token-view.ts";

/** The largest sequence that an event can have (PostgreSQL's `int`). */
export const largestSequence = 2_147_483_647;

const tellingTo = (principal: Pick<Principal, "chat">): Telling<ChatEvent> => ({
  id: ({ sequence }) => sequence,
  name: ({ type }) => type,
  data: ({ data }) => seenBy(principal, data),
});

type Following = Pick<StreamContext, "scope" | "principal" | "signal" | "allowed" | "lastEventId">;
type Followable = Pick<ChatEventsPort, "follow">;

/** A conversation's events as a stream: above what the client has, or above `after`. */
export function streamConversation(
  ctx: Following,
  port: Followable,
  conversation: string,
  after = 0,
): AsyncIterable<string> {
  const from = ctx.lastEventId === null ? after : sequenceOf(ctx.lastEventId, largestSequence);
  return tellEvents(ctx, (signal) => port.follow(ctx.scope, conversation, from, signal), tellingTo(ctx.principal));
}

/**
 * What becomes of a message that was sent, as a stream: the events of the message, the disclosure, its turn and its replies, until the turn has ended or waits for people. Ids are those of
 * the conversation's stream, where a client that lost its connection goes on.
 */
export function streamTurn(
  ctx: Pick<StreamContext, "scope" | "principal" | "db" | "signal" | "allowed">,
  port: Followable,
  conversation: string,
  sent: Pick<Sent, "message_id" | "turn_id" | "sequence">,
): AsyncIterable<string> {
  const follow = (signal: AbortSignal) => port.follow(ctx.scope, conversation, sent.sequence, signal);
  const told = (signal: AbortSignal) => untilSettled(ctx, follow(signal), { ...sent, conversation });
  return tellEvents(ctx, told, { ...tellingTo(ctx.principal), from: sent.sequence });
}

/** A message that was sent with the reply as far as it is there when its turn has ended, waits for people, or the caller's time is over. */
export async function awaitReply(
  ctx: Pick<ReadContext, "scope" | "db" | "signal" | "waitSeconds">,
  port: Followable,
  conversation: string,
  sent: Sent,
): Promise<Sent> {
  if (sent.turn_id === null) return sent;
  const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(1000 * ctx.waitSeconds)]);
  const events = untilSettled(ctx, port.follow(ctx.scope, conversation, sent.sequence, signal), {
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

/** Events that are stored together are told together: what came with the end of the turn is told as well, and a turn that went on at once has not ended. */
async function* untilSettled(
  ctx: Pick<StreamContext, "scope" | "db">,
  events: AsyncIterable<ChatEvent, Ending>,
  { conversation, message_id, turn_id }: Followed,
): AsyncGenerator<ChatEvent, Ending> {
  const concerns = concerning(message_id, turn_id);
  const iterator = events[Symbol.asyncIterator]();
  let told = 0;
  try {
    for (;;) {
      const { done, value } = await iterator.next();
      if (done) return value;
      if (value.sequence <= told || !concerns(value)) continue;
      yield value;
      let isOver = settles(value, message_id, turn_id);
      if (!isOver) continue;
      for (const event of await listEvents(ctx, conversation, value.sequence, 100)) {
        told = event.sequence;
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

/** Whether events are about a message, its turn, or a message that the turn wrote, or tell the user that an agent answers. */
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

/** Whether nothing more comes of a message until people act. Without a turn, a person answers: the message itself is all. */
function settles({ data }: ChatEvent, sent: string, turnId: string | null): boolean {
  const { message, turn } = data as Named;
  if (turnId === null) return message?.message_id === sent;
  return turn !== undefined && !goesOn.has(turn.state);
}
