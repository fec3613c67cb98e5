import type { StreamContext } from "./context.ts";
import { refuse } from "./errors.ts";
import { invalidHeader } from "./problems.ts";

// Server-sent events (HTML, section 9.2), as every stream of ours tells them.

/** The sequence after which a client wants to go on: a whole number from 0, at most `largest`. Throws `invalid_header` for anything else. */
export function sequenceOf(lastEventId: string, largest: number): number {
  if (/^\d{1,15}$/.test(lastEventId)) return Math.min(largest, Number(lastEventId));
  throw refuse(
    invalidHeader,
    "Last-Event-ID takes the id of an event of this stream, a whole number; leave it out to begin with the first.",
    {
      errors: [
        {
          header: "Last-Event-ID",
          code: "invalid_value",
          detail: "takes a whole number, the `id` of the last event that arrived",
        },
      ],
    },
  );
}

/** Milliseconds: how soon a client comes back, how often it is looked whether the caller still may, how long a stream may be silent and how long it may last. */
const times = { retry: 2_000, look: 1_000, ping: 15_000, last: 3_600_000 } as const;

/** Why events end: everything was sent; or the sender stopped. */
export type Ending = "over" | undefined;

/** The last of a stream that is over: who comes back after it gets the same, so there is no need to. It has no id, being no event. */
const end = "event: end\ndata: {}\n\n";

/** How an event of a stream is written. */
export interface Telling<E> {
  readonly id: (event: E) => number;
  readonly name: (event: E) => string;
  /** Sent as JSON. */
  readonly data: (event: E) => unknown;
  /** Where the stream begins, where that is not at its first event: a client that comes back before it received one goes on from there. */
  readonly from?: number;
}

/**
 * Events as a stream: ends when they do, which it says where they are over, when the caller may no longer read them, when the service stops, and after an hour. Each has its sequence as id, so that a
 * client that comes back loses and doubles none. `follow` is called at once, so that what it refuses is a refusal.
 */
export function tellEvents<E>(
  ctx: Pick<StreamContext, "signal" | "allowed">,
  follow: (signal: AbortSignal) => AsyncIterable<E, Ending>,
  telling: Telling<E>,
): AsyncIterable<string> {
  const left = new AbortController();
  const events = follow(AbortSignal.any([ctx.signal, left.signal]));
  return tell(ctx, events[Symbol.asyncIterator](), () => left.abort(), telling);
}

async function* tell<E>(
  ctx: Pick<StreamContext, "allowed">,
  events: AsyncIterator<E, Ending>,
  leave: () => void,
  telling: Telling<E>,
): AsyncGenerator<string, void> {
  const began = performance.now();
  let spoke = began;
  let next: Promise<IteratorResult<E, Ending>> | null = null;
  try {
    yield `${startOf(telling)}retry: ${times.retry}\n\n`;
    while (performance.now() - began < times.last) {
      next ??= events.next();
      const found: IteratorResult<E, Ending> | null = await soon(next);
      if (!ctx.allowed()) return;
      if (found?.done) {
        if (found.value === "over") yield end;
        return;
      }
      if (found) {
        next = null;
        yield textOf(found.value, telling);
        spoke = performance.now();
      } else if (performance.now() - spoke >= times.ping) {
        yield ": ping\n\n";
        spoke = performance.now();
      }
    }
  } finally {
    leave();
    await events.return?.();
  }
}

/** What a promise comes to, or null where that takes longer than a look. */
async function soon<T>(promise: Promise<T>): Promise<T | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, times.look, null);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** An id without an event is kept by clients all the same (HTML, section 9.2.6); ours reads the comment, since its parser passes on whole events only. */
const startOf = <E>({ from }: Telling<E>): string => (from === undefined ? "" : `id: ${from}\n: from ${from}\n`);

/** The data is on one line: JSON has no line breaks of its own. */
function textOf<E>(event: E, { id, name, data }: Telling<E>): string {
  return `id: ${id(event)}\nevent: ${name(event)}\ndata: ${JSON.stringify(data(event))}\n\n`;
}
