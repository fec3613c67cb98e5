import { createParser } from "eventsource-parser";
import type { ChatEvent, Message, Sent } from "../../features/chat/schemas.ts";
import { storedJson } from "../../kernel/stored-json.ts";
import { type ReplyStep, ReplyTracker } from "./reply-steps.ts";
import type { ServiceCalls } from "./service-calls.ts";

/** How long the end of a message is awaited once its turn has ended (milliseconds). */
const grace = 2_000;

/** Which reply, and after which event of its conversation it can only be. */
export interface FollowedReply {
  readonly conversation: string;
  readonly turn: string;
  readonly reply: string | null;
  readonly after: number;
}

export const replyOf = (conversation: string, { turn_id, reply_id, sequence }: Sent): FollowedReply | null =>
  turn_id === null ? null : { conversation, turn: turn_id, reply: reply_id, after: sequence };

/**
 * The steps of a reply until its turn ends or waits for people. They end without `ended` where the conversation's stream does. `written`: the reply as it stood
 * at the event after which it is followed.
 */
export async function followReply(
  calls: ServiceCalls,
  reply: FollowedReply,
  written: Message | null = null,
): Promise<AsyncIterable<ReplyStep>> {
  const { answer } = await calls.call("GET /v1/chat/conversations/{conversation}/stream", {
    params: { conversation: reply.conversation },
    accept: "text/event-stream",
    lastEventId: String(reply.after),
  });
  if (!answer.stream) throw new Error("the stream of a conversation is a stream");
  const tracker = new ReplyTracker(reply.turn, reply.reply);
  const begun = written ? tracker.take({ type: "chat.message.created", data: { message: written } }) : [];
  return stepsAfter(begun, stepsOf(answer.stream, tracker));
}

async function* stepsAfter(begun: readonly ReplyStep[], steps: AsyncIterable<ReplyStep>): AsyncGenerator<ReplyStep> {
  yield* begun;
  yield* steps;
}

/** The steps of a reply, from the text of its conversation's stream. */
export async function* stepsOf(
  pieces: AsyncIterable<string | Uint8Array>,
  tracker: ReplyTracker,
  patience = grace,
): AsyncGenerator<ReplyStep, void> {
  const iterator = pieces[Symbol.asyncIterator]();
  const read = eventReader();
  try {
    for (;;) {
      const next = iterator.next();
      const result = tracker.isEnding ? await within(next, patience) : await next;
      if (!result || result.done) return yield* tracker.end();
      for (const event of read(result.value)) {
        if (event === "ping") yield { kind: "ping" };
        else {
          for (const step of tracker.take(event)) {
            yield step;
            if (step.kind === "ended") return;
          }
        }
      }
    }
  } finally {
    void iterator.return?.().catch(() => undefined);
  }
}

const eventJson = storedJson<{ data: ChatEvent["data"] }>();

/** Reads events out of pieces of a stream, wherever these are cut. */
function eventReader(): (piece: string | Uint8Array) => readonly (Pick<ChatEvent, "type" | "data"> | "ping")[] {
  const decoder = new TextDecoder();
  let found: (Pick<ChatEvent, "type" | "data"> | "ping")[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => {
      if (event?.startsWith("chat."))
        found.push({ type: event as ChatEvent["type"], data: eventJson({ data }, "data") });
    },
    onComment: (text) => {
      if (text.trim() === "ping") found.push("ping");
    },
  });
  return (piece) => {
    found = [];
    parser.feed(typeof piece === "string" ? piece : decoder.decode(piece, { stream: true }));
    return found;
  };
}

/** What a promise comes to, or null where it takes longer (milliseconds). */
async function within<T>(promise: Promise<T>, patience: number): Promise<T | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, patience, null);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
