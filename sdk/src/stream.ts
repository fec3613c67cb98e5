import { createParser, type EventSourceMessage } from "eventsource-parser";
import { AosError, ConnectionError } from "./errors.ts";
import { pause } from "./retry.ts";

/** How events are followed over connections. */
export interface Following {
  /** Opens a connection that begins after an event. Rejects when there is none to be had. */
  readonly open: (lastEventId: string | undefined, signal: AbortSignal) => Promise<Response>;
  readonly lastEventId: string | undefined;
  readonly signal: AbortSignal;
  /** Milliseconds of silence after which a connection counts as broken. */
  readonly silenceMs: number;
}

/** An event as it came, its data parsed. */
export interface Followed {
  readonly id: string;
  readonly type: string;
  readonly data: unknown;
}

/** The name of the last event of a stream that is over (server: `event-stream.ts`). */
const over = "end";
/** Milliseconds before a connection is taken up again, unless the service says otherwise. */
const standardPauseMs = 2_000;

/**
 * The events of a stream over as many connections as it takes, each once and in order: a new connection says by Last-Event-ID what is known. Ends when the stream says
 * that it is over; rejects when no connection can be had, and with the signal's reason when that is aborted.
 */
export async function* follow(following: Following): AsyncGenerator<Followed, void> {
  const { open, signal, silenceMs } = following;
  let last = following.lastEventId;
  let pauseMs = standardPauseMs;
  for (;;) {
    const connection = new AbortController();
    const all = AbortSignal.any([signal, connection.signal]);
    try {
      const heard: Heard = {
        retry: (ms) => {
          pauseMs = ms;
        },
        start: (id) => {
          last ??= id;
        },
      };
      for await (const message of messagesOf(await open(last, all), silenceMs, heard)) {
        if (message.event === over) return;
        if (message.id === undefined || isKnown(message.id, last)) continue;
        last = message.id;
        yield { id: message.id, type: message.event ?? "message", data: dataOf(message) };
      }
    } finally {
      connection.abort(); // also when the consumer leaves the loop
    }
    signal.throwIfAborted();
    await pause(pauseMs * (0.5 + Math.random() / 2), signal);
  }
}

/** What a stream says beside its events. */
interface Heard {
  /** Milliseconds before a connection is taken up again. */
  readonly retry: (ms: number) => void;
  /** The id after which the stream begins: known before there is an event (server: `event-stream.ts`). */
  readonly start: (id: string) => void;
}

/** Ids are the sequence of the events: one that is not above the last was seen before. */
const isKnown = (id: string, last: string | undefined): boolean => last !== undefined && Number(id) <= Number(last);

function dataOf({ data }: EventSourceMessage): unknown {
  try {
    return JSON.parse(data);
  } catch (cause) {
    throw new AosError("an event of the stream is not JSON", { cause });
  }
}

/** The messages of one connection, to its end or to where it breaks; what came half is dropped. */
async function* messagesOf(
  response: Response,
  silenceMs: number,
  { retry, start }: Heard,
): AsyncGenerator<EventSourceMessage, void> {
  if (response.body === null) throw new ConnectionError("the answer has no body to follow");
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const heard: EventSourceMessage[] = [];
  const onComment = (comment: string): void => {
    const from = /^ ?from (\d+)$/.exec(comment)?.[1];
    if (from !== undefined) start(from);
  };
  const parser = createParser({ onEvent: (message) => heard.push(message), onRetry: retry, onComment });
  try {
    for (;;) {
      const text = await readWithin(reader, silenceMs);
      if (text === null) return;
      parser.feed(text);
      yield* heard.splice(0);
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/** What is read next; null at the end, where the connection breaks, and after so much silence. */
async function readWithin(reader: ReadableStreamDefaultReader<string>, silenceMs: number): Promise<string | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, silenceMs, null);
  });
  try {
    const read = reader.read().then(
      ({ done, value }) => (done ? null : value),
      () => null,
    );
    return await Promise.race([read, silence]);
  } finally {
    clearTimeout(timer);
  }
}
