import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Ending } from "../../../kernel/event-stream.ts";
import { createPorts, join } from "../../../kernel/port.ts";
import { type TaskEvent, taskEventsPort } from "../ports.ts";
import { sequenceOf, streamEvents } from "./stream.ts";
import { scope } from "./testing.ts";

/** A feed that tells what it is given, and when it is asked, says that it is over or waits until the signal ends it. */
function feedOf(events: readonly TaskEvent[], ending?: "over") {
  let gone: AbortSignal | undefined;
  async function* tell(signal: AbortSignal): AsyncGenerator<TaskEvent, Ending> {
    yield* events;
    if (ending === "over") return ending;
    if (!signal.aborted)
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    return undefined;
  }
  const follow = (_scope: unknown, _task: string, _after: number, signal: AbortSignal) => {
    gone = signal;
    return tell(signal);
  };
  return { follow, gone: () => gone?.aborted };
}

const event = (sequence: number): TaskEvent => ({
  sequence,
  event_id: `evt_${sequence}`,
  type: "task.started",
  time: "2026-11-20T09:30:00.000Z",
  data: { event: "task.started", note: "two\nlines" },
});
const portOf = ({ follow }: ReturnType<typeof feedOf>) =>
  createPorts(
    [join(taskEventsPort, { follow: follow as never, whenFinal: async () => undefined, stop: () => undefined })],
    [taskEventsPort],
  );
const begin = (feed: ReturnType<typeof feedOf>, ctx: { allowed?: () => boolean; signal?: AbortSignal } = {}) =>
  streamEvents(
    { scope, signal: new AbortController().signal, allowed: () => true, port: portOf(feed), ...ctx },
    "tsk_1",
    0,
  )[Symbol.asyncIterator]();

describe("a stream of a task's events", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("says how soon to come back, then each event with its sequence, its type and its data on one line", async () => {
    const stream = begin(feedOf([event(7)]));
    expect((await stream.next()).value).toBe("retry: 2000\n\n");
    expect((await stream.next()).value).toBe(
      'id: 7\nevent: task.started\ndata: {"event":"task.started","note":"two\\nlines"}\n\n',
    );
  });

  it("says that it is over after the last event of a task that has ended, and ends", async () => {
    const stream = begin(feedOf([event(1)], "over"));
    await stream.next();
    await stream.next();
    expect((await stream.next()).value).toBe("event: end\ndata: {}\n\n");
    expect((await stream.next()).done).toBe(true);
  });

  it("does not say that it is over when the service stops", async () => {
    const left = new AbortController();
    const stream = begin(feedOf([]), { signal: left.signal });
    await stream.next();
    const next = stream.next();
    left.abort();
    expect(await next).toEqual({ done: true, value: undefined });
  });

  it("says ping when it has said nothing for 15 seconds, and again after 15 more", async () => {
    const stream = begin(feedOf([event(1)]));
    await stream.next();
    await stream.next();
    for (let i = 0; i < 2; i++) {
      const next = vi.fn();
      const ping = stream.next().then(next);
      await vi.advanceTimersByTimeAsync(14_000);
      expect(next).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1_000);
      await ping;
      expect(next).toHaveBeenCalledWith({ done: false, value: ": ping\n\n" });
    }
  });

  it("ends within two seconds after its caller may no longer read, and tells nothing more", async () => {
    let allowed = true;
    const feed = feedOf([]);
    const stream = begin(feed, { allowed: () => allowed });
    await stream.next();
    const next = stream.next();
    allowed = false;
    await vi.advanceTimersByTimeAsync(2_000);
    expect((await next).done).toBe(true);
    expect(feed.gone()).toBe(true);
    const told = begin(feedOf([event(1)]), { allowed: () => allowed });
    await told.next();
    expect((await told.next()).done).toBe(true);
  });

  it("ends after an hour, so that a client comes back to where it is served best", async () => {
    const stream = begin(feedOf([]));
    const parts: unknown[] = [];
    const all = (async () => {
      for (let part = await stream.next(); !part.done; part = await stream.next()) parts.push(part.value);
    })();
    await vi.advanceTimersByTimeAsync(3_601_000);
    await all;
    expect(parts.length).toBeGreaterThan(200);
  });

  it("leaves the feed when its caller goes", async () => {
    const left = new AbortController();
    const feed = feedOf([event(1)]);
    const stream = begin(feed, { signal: left.signal });
    await stream.next();
    await stream.next();
    const next = stream.next();
    left.abort();
    expect((await next).done).toBe(true);
    const other = feedOf([event(1)]);
    const unread = begin(other);
    await unread.next();
    await unread.next();
    await unread.return?.();
    expect(other.gone()).toBe(true);
  });
});

describe("Last-Event-ID", () => {
  it.each([
    ["0", 0],
    ["17", 17],
    ["007", 7],
    ["999999999999", 2_147_483_647],
  ])("%s stands for %i", (text, sequence) => {
    expect(sequenceOf(text)).toBe(sequence);
  });

  it.each(["", "-1", "1.5", "one", "1,2", "1 ", "9".repeat(16)])("refuses %j and names the header", (text) => {
    expect(() => sequenceOf(text)).toThrow(
      expect.objectContaining({
        type: expect.objectContaining({ code: "invalid_header", status: 400 }),
        details: expect.objectContaining({ errors: [expect.objectContaining({ header: "Last-Event-ID" })] }),
      }),
    );
  });
});
