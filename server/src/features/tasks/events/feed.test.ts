import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createReader } from "../../../db/reader.ts";
import { systemClock } from "../../../kernel/clock.ts";
import { createIds } from "../../../kernel/ids.ts";
import { useDatabase } from "../../../testing/database.ts";
import type { TaskEventsPort } from "../ports.ts";
import { createTaskFeed, type TaskFeedParts } from "./feed.ts";
import { appendEvent, insertTask, scope } from "./testing.ts";

const database = useDatabase();
const newId = createIds(systemClock);
const never = new AbortController().signal;
const feeds: TaskEventsPort[] = [];

afterEach(() => {
  for (const feed of feeds.splice(0)) feed.stop();
});

/** A feed as a process has one; told of nothing unless `onChange` is given. A look that comes to nothing is made again. */
function feedOf(parts: Partial<TaskFeedParts> = {}): TaskEventsPort {
  const quiet = { onChange: () => () => undefined, report: () => undefined };
  const feed = createTaskFeed({ db: createReader(database.pool), ...quiet, pollMs: 10, ...parts });
  feeds.push(feed);
  return feed;
}

const newTask = async (events = 0): Promise<string> => {
  const task = newId("tsk");
  await insertTask(database.pool, task);
  for (let i = 0; i < events; i++) await appendEvent(database.pool, task, newId("evt"));
  return task;
};
const append = (task: string, status?: Parameters<typeof appendEvent>[3]) =>
  appendEvent(database.pool, task, newId("evt"), status);

/** The sequences of so many events, or of all until the end. */
async function sequences(
  events: AsyncIterable<{ sequence: number }>,
  most = Number.POSITIVE_INFINITY,
): Promise<number[]> {
  const found: number[] = [];
  for await (const { sequence } of events) {
    found.push(sequence);
    if (found.length === most) break;
  }
  return found;
}

describe("following a task", () => {
  it("tells what was stored before, then what is stored while it follows, and ends with the task", async () => {
    const task = await newTask(2);
    const told = feedOf().follow(scope, task, 0, never)[Symbol.asyncIterator]();
    const first = await told.next();
    expect(first.value).toMatchObject({
      sequence: 1,
      type: "task.running",
      data: { event: "task.running", status: "running" },
    });
    expect(first.value).toMatchObject({
      event_id: expect.stringMatching(/^evt_/),
      time: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect((await told.next()).value).toMatchObject({ sequence: 2 });
    const third = told.next();
    await append(task, "completed");
    expect((await third).value).toMatchObject({ sequence: 3, type: "task.completed" });
    expect(await told.next()).toEqual({ done: true, value: "over" });
  });

  it("goes on above what was seen, and ends at once where a finished task has nothing more to tell", async () => {
    const task = await newTask(3);
    await append(task, "failed");
    expect(await sequences(feedOf().follow(scope, task, 2, never))).toEqual([3, 4]);
    expect(await sequences(feedOf().follow(scope, task, 4, never))).toEqual([]);
  });

  it("goes on with a task that is tried again after it had ended, when the client comes back", async () => {
    const task = await newTask();
    await append(task, "failed");
    expect(await sequences(feedOf().follow(scope, task, 0, never))).toEqual([1]);
    await append(task, "queued");
    await append(task, "completed");
    expect(await sequences(feedOf().follow(scope, task, 1, never))).toEqual([2, 3]);
  });

  it("waits where the sequence is one that the task has not reached", async () => {
    const task = await newTask(1);
    const told = feedOf().follow(scope, task, 2, never)[Symbol.asyncIterator]();
    const next = told.next();
    for (let i = 0; i < 2; i++) await append(task);
    expect((await next).value).toMatchObject({ sequence: 3 });
  });

  it("tells more events than one look fetches, in order", async () => {
    const task = await newTask(250);
    await append(task, "completed");
    expect(await sequences(feedOf().follow(scope, task, 0, never))).toEqual(
      Array.from({ length: 251 }, (_, i) => i + 1),
    );
  });

  it("neither loses nor doubles an event, wherever and however often a client comes back, in any process", async () => {
    const steps = fc.array(fc.record({ append: fc.nat(4), read: fc.integer({ min: 1, max: 4 }), process: fc.nat(2) }), {
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(steps, async (visits) => {
        const processes = [feedOf(), feedOf(), feedOf()];
        const task = await newTask();
        const seen: number[] = [];
        let stored = 0;
        for (const visit of visits) {
          for (let i = 0; i < visit.append; i++) stored = await append(task);
          const most = Math.min(visit.read, stored - seen.length);
          if (most === 0) continue;
          const feed = processes[visit.process] as TaskEventsPort;
          seen.push(...(await sequences(feed.follow(scope, task, seen.at(-1) ?? 0, never), most)));
        }
        stored = await append(task, "completed");
        seen.push(...(await sequences((processes[0] as TaskEventsPort).follow(scope, task, seen.at(-1) ?? 0, never))));
        for (const feed of processes) feed.stop();
        expect(seen).toEqual(Array.from({ length: stored }, (_, i) => i + 1));
      }),
      { numRuns: 25 },
    );
  });

  it("tells many followers of many tasks each their own", async () => {
    const tasks = await Promise.all(Array.from({ length: 20 }, (_, i) => newTask(i % 3)));
    const feed = feedOf();
    const told = tasks.flatMap((task) => [0, 1].map((after) => sequences(feed.follow(scope, task, after, never))));
    for (const task of tasks) await append(task, "cancelled");
    const all = tasks.map((_, i) => Array.from({ length: (i % 3) + 1 }, (_, n) => n + 1));
    expect(await Promise.all(told)).toEqual(all.flatMap((ids) => [ids, ids.filter((id) => id > 1)]));
  });

  it("is told of nothing in another environment", async () => {
    const task = await newTask(1);
    const left = new AbortController();
    const foreign = sequences(feedOf().follow({ ...scope, environment: "staging" }, task, 0, left.signal));
    const own = await sequences(feedOf().follow(scope, task, 0, never), 1);
    left.abort();
    expect([own, await foreign]).toEqual([[1], []]);
  });

  it("looks as soon as something was committed, not only by the clock", async () => {
    let committed = (): void => undefined;
    const feed = feedOf({
      pollMs: 600_000,
      onChange: (callback) => {
        committed = callback;
        return () => undefined;
      },
    });
    const task = await newTask(1);
    const told = feed.follow(scope, task, 0, never)[Symbol.asyncIterator]();
    await told.next();
    const next = told.next();
    await append(task);
    committed();
    expect((await next).value).toMatchObject({ sequence: 2 });
  });

  it("ends when its caller goes and when the process stops, and looks for nothing from then on", async () => {
    const query = vi.fn(createReader(database.pool).query);
    const feed = feedOf({ db: { query: query as never } });
    const task = await newTask();
    const left = new AbortController();
    const gone = sequences(feed.follow(scope, task, 0, left.signal));
    const stopped = sequences(feed.follow(scope, task, 0, never));
    await vi.waitFor(() => expect(query).toHaveBeenCalled());
    left.abort();
    expect(await gone).toEqual([]);
    feed.stop();
    expect(await stopped).toEqual([]);
    const looks = query.mock.calls.length;
    await append(task, "completed");
    expect(await sequences(feed.follow(scope, task, 0, never))).toEqual([]);
    expect(query.mock.calls.length).toBeLessThanOrEqual(looks + 1); // one may have been under way
  });

  it("reports a look that failed and tells everything after the next one", async () => {
    const reader = createReader(database.pool);
    const report = vi.fn();
    const query = vi.fn(reader.query).mockRejectedValueOnce(new Error("the database is restarting"));
    const task = await newTask();
    await append(task, "completed");
    expect(await sequences(feedOf({ db: { query: query as never }, report }).follow(scope, task, 0, never))).toEqual([
      1,
    ]);
    expect(report).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message: "the database is restarting" }));
  });

  it("refuses whoever comes when as many are there as one process tells, until one goes", async () => {
    const feed = feedOf({ most: 2 });
    const task = await newTask(1);
    const both = [0, 0].map((after) => feed.follow(scope, task, after, never)[Symbol.asyncIterator]());
    for (const one of both) await one.next();
    const refused = expect.objectContaining({ type: expect.objectContaining({ code: "overloaded", status: 503 }) });
    expect(() => feed.follow(scope, task, 0, never)).toThrow(refused);
    await expect(feed.whenFinal(scope, task, 1, never)).rejects.toEqual(refused);
    await both[0]?.return?.();
    expect(await sequences(feed.follow(scope, task, 0, never), 1)).toEqual([1]);
  });
});

describe("waiting for the end of a task", () => {
  it("ends with the task, in whichever state that is", async () => {
    for (const state of ["completed", "failed", "rejected", "expired", "blocked", "cancelled"] as const) {
      const task = await newTask(1);
      const waited = feedOf().whenFinal(scope, task, 60, never);
      await append(task, state);
      await waited;
    }
  });

  it("does not end with an event that leaves the task open", async () => {
    const task = await newTask(1);
    const ended = vi.fn();
    const left = new AbortController();
    const feed = feedOf();
    const waited = feed.whenFinal(scope, task, 60, left.signal).then(ended);
    await append(task);
    await sequences(feed.follow(scope, task, 0, never), 2); // the same looks have told of it
    expect(ended).not.toHaveBeenCalled();
    left.abort();
    await waited;
  });

  it("is over at once for a caller that waits for a quarter of all there may be, and leaves the others room", async () => {
    const feed = feedOf({ most: 8 });
    const task = await newTask(1);
    const left = new AbortController();
    const waits = ["a", "a", "b"].map((caller) => feed.whenFinal(scope, task, 60, left.signal, caller));
    await feed.whenFinal(scope, task, 60, never, "a");
    left.abort();
    await Promise.all(waits);
    const again = feed.whenFinal(scope, task, 60, never, "a");
    await append(task, "completed");
    await again;
  });

  it("ends after the seconds that were asked for, and when the process stops", async () => {
    const task = await newTask();
    const began = performance.now();
    await feedOf().whenFinal(scope, task, 0.2, never);
    expect(performance.now() - began).toBeGreaterThanOrEqual(190);
    const feed = feedOf();
    const waited = feed.whenFinal(scope, task, 60, never);
    feed.stop();
    await waited;
  });
});
