import type { StreamContext } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { invalidHeader } from "../../kernel/problems.ts";
import type { Ending, TaskEvent, TaskEventsPort } from "./ports.ts";

// Server-sent events (HTML, section 9.2).

/** The largest sequence that an event can have (PostgreSQL's `int`). */
const largest = 2_147_483_647;

/** The sequence after which a client wants to go on: a whole number from 0. Throws `invalid_header` for anything else. */
export function sequenceOf(lastEventId: string): number {
  if (/^\d{1,15}$/.test(lastEventId)) return Math.min(largest, Number(lastEventId));
  throw refuse(
    invalidHeader,
    "Last-Event-ID takes the id of an event of this stream, a whole number; leave it out to begin with the first.",
    {
      errors: [{ header: "Last-Event-ID", code: "invalid_value", detail: "takes a whole number, the `id` of the last event that arrived" }],
    },
  );
}

/** Milliseconds: how soon a client comes back, how often it is looked whether the caller still may, how long a stream may be silent and how long it may last. */
const times = { retry: 2_000, look: 1_000, ping: 15_000, last: 3_600_000 } as const;

/** The last of a stream that is over: who comes back after it is told the same, so there is no need to. It has no id, being no event of the task. */
const end = "event: end\ndata: {}\n\n";

/**
 * The events of a task as a stream, from above `after` on: ends when the task has ended and all was told, which it says, when the caller may no longer read it, when
 * the service stops, and after an hour. Each event has its sequence as id, so that a client that comes back loses and doubles none.
 */
export function streamEvents(
  ctx: Pick<StreamContext, "scope" | "signal" | "allowed">,
  port: Pick<TaskEventsPort, "follow">,
  task: string,
  after: number,
): AsyncIterable<string> {
  const left = new AbortController();
  const events = port.follow(ctx.scope, task, after, AbortSignal.any([ctx.signal, left.signal])); // refuses here where too many are there
  return tell(ctx, events[Symbol.asyncIterator](), () => left.abort());
}

async function* tell(
  ctx: Pick<StreamContext, "allowed">,
  events: AsyncIterator<TaskEvent, Ending>,
  leave: () => void,
): AsyncGenerator<string, void> {
  const began = performance.now();
  let spoke = began;
  let next: Promise<IteratorResult<TaskEvent, Ending>> | null = null;
  try {
    yield `retry: ${times.retry}\n\n`;
    while (performance.now() - began < times.last) {
      next ??= events.next();
      const found: IteratorResult<TaskEvent, Ending> | null = await soon(next);
      if (!ctx.allowed()) return;
      if (found?.done) {
        if (found.value === "over") yield end;
        return;
      }
      if (found) {
        next = null;
        yield textOf(found.value);
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

/** The data is on one line: JSON has no line breaks of its own. */
function textOf({ sequence, type, data }: TaskEvent): string {
  return `id: ${sequence}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}
