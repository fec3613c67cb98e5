import { describe, expect, it } from "vitest";
import type { Call } from "./client.ts";
import type { EndedTask } from "./figures.ts";
import { inParallel, runWave } from "./tasks.ts";

it("does what is given so many at a time, and answers in the order given", async () => {
  let running = 0;
  let most = 0;
  const results = await inParallel([3, 1, 2, 0], 2, async (item, at) => {
    most = Math.max(most, ++running);
    for (let turn = 0; turn < item; turn++) await Promise.resolve();
    running--;
    return `${at}:${item}`;
  });
  expect(results).toEqual(["0:3", "1:1", "2:2", "3:0"]);
  expect(most).toBe(2);
  expect(await inParallel([], 4, async () => 1)).toEqual([]);
});

/** A service that takes every task and has so many of them completed at each look for open ones; null: never one. */
function fakeService(endedAtEachLook: number | null, refuse: 409 | 503 | false = false) {
  const tasks: EndedTask[] = [];
  const sizes: number[] = [];
  let ended = 0;
  const finished = (at: number) => (at < ended ? `2026-11-20T09:00:0${Math.min(9, at)}.000Z` : null);
  const shown = () =>
    tasks.map((task, at) => ({ ...task, finished_at: finished(at), status: at < ended ? "completed" : "queued" }));
  const call = async (method: string, path: string, sent: { body?: unknown } = {}) => {
    const body = (): unknown => {
      if (method === "POST") {
        const { items } = sent.body as { items: { input: { n: number } }[] };
        sizes.push(items.length);
        return {
          results: items.map(({ input }) =>
            refuse === 409 || (refuse === 503 && sizes.length === 1 && input.n % 2 === 0)
              ? { status: refuse, body: { detail: "It is paused." } }
              : { status: 202, body: accept(input.n) },
          ),
        };
      }
      const query = new URL(path, "http://service").searchParams;
      if (query.get("limit") === "100") return { data: shown(), next_cursor: null };
      ended += endedAtEachLook ?? 0;
      return {
        data: shown()
          .filter(({ status }) => status === "queued")
          .slice(-1),
        next_cursor: null,
      };
    };
    return { status: 200, headers: new Headers(), text: "", body: body() };
  };
  const accept = (n: number) => {
    const task = {
      task_id: `tsk_${n}`,
      status: "queued",
      trust_score: 0.5,
      trust: {},
      output: { n },
      failure: null,
      audit_ref: `aud_${n}`,
      created_at: "2026-11-20T09:00:00.000Z",
      finished_at: null,
    };
    tasks.push(task);
    return task;
  };
  return { call: call as Call, sizes };
}

describe("a wave of tasks", () => {
  const cases = (count: number) => Array.from({ length: count }, (_, n) => ({ input: { n }, output: {} }));
  const wave = { agent: "a", skill: "s", label: "first", patienceMs: 300 };

  it("is dispatched in batches, and ends when none of it is open, in the order of its cases", async () => {
    const { call, sizes } = fakeService(150);
    const { tasks, seconds } = await runWave(call, { ...wave, cases: cases(250) });
    expect(sizes).toEqual([100, 100, 50]);
    expect(tasks.map(({ output }) => output?.n)).toEqual(cases(250).map(({ input }) => input.n));
    expect(new Set(tasks.map(({ status }) => status))).toEqual(new Set(["completed"]));
    expect(seconds).toBe(9);
  });

  it("is sent again where the service could not take it for now: only what it did not take", async () => {
    const { call, sizes } = fakeService(150, 503);
    const { tasks } = await runWave(call, { ...wave, cases: cases(5) });
    expect(sizes).toEqual([5, 3]);
    expect(tasks.map(({ output }) => output?.n)).toEqual([0, 1, 2, 3, 4]);
  });

  it("goes on as long as some of it end, however long the whole takes", async () => {
    const { call } = fakeService(1);
    expect((await runWave(call, { ...wave, cases: cases(5) })).tasks).toHaveLength(5);
  });

  it("is given up where none of it ends, naming a task that is open", async () => {
    const { call } = fakeService(null);
    await expect(runWave(call, { ...wave, cases: cases(3) })).rejects.toThrow(
      "no task has ended for 0.3 s; tsk_2 is queued",
    );
  });

  it("fails where a dispatch is refused, with its reason", async () => {
    const { call } = fakeService(1, 409);
    await expect(runWave(call, { ...wave, cases: cases(3) })).rejects.toThrow(
      "a dispatch was answered 409: It is paused.",
    );
  });
});
