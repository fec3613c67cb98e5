import { afterEach, describe, expect, it, vi } from "vitest";
import type { JobHandler } from "../kernel/machines.ts";
import { useDatabase } from "../testing/database.ts";
import { createQueue, type Queue, wake } from "./queue.ts";

const database = useDatabase();
const log = { warn: vi.fn(), error: vi.fn() };
const running: Queue[] = [];

async function started(handlers: Record<string, JobHandler>, concurrency = 2): Promise<Queue> {
  const queue = createQueue({ pool: database.pool, log, concurrency, pollMs: 60_000 });
  running.push(queue);
  await queue.start(handlers);
  return queue;
}

const enqueue = (...texts: string[]) =>
  wake(
    database.pool,
    texts.map((text) => ({ task: "say", payload: { text }, key: text })),
  );

async function waiting(): Promise<number> {
  const { rows } = await database.pool.query<{ n: number }>("select count(*)::int as n from graphile_worker.jobs");
  return rows[0]?.n ?? 0;
}

afterEach(async () => {
  for (const queue of running.splice(0)) await queue.stop(0);
  await database.pool.query("delete from graphile_worker._private_jobs");
  log.error.mockClear();
});

describe("the queue", () => {
  it("hands a job to its handler as soon as it is committed, without polling, and forgets it", async () => {
    const heard: unknown[] = [];
    await started({ say: async (payload) => void heard.push(payload) });
    await enqueue("hello");
    await vi.waitFor(() => expect(heard).toEqual([{ text: "hello" }]));
    await vi.waitFor(async () => expect(await waiting()).toBe(0));
  });

  it("keeps one waiting job per key", async () => {
    await enqueue("once");
    await enqueue("once");
    expect(await waiting()).toBe(1);
  });

  it("takes several wake-ups of one key in one statement as one, which is due when the first of them is", async () => {
    const say = { task: "say", payload: {}, key: "same" };
    await wake(database.pool, [{ ...say, runAt: new Date(Date.now() + 3_600_000) }, say, { task: "say", payload: {} }]);
    const { rows } = await database.pool.query(
      "select key, run_at <= now() as due from graphile_worker.jobs order by 1",
    );
    expect(rows).toEqual([
      { key: "same", due: true },
      { key: null, due: true },
    ]);
  });

  it("gives one job to one of several processes", async () => {
    const heard: string[] = [];
    const say: JobHandler = async (payload) => void heard.push((payload as { text: string }).text);
    for (let n = 0; n < 3; n++) await started({ say });
    const texts = Array.from({ length: 40 }, (_, n) => `job ${n}`);
    await enqueue(...texts);
    await vi.waitFor(() => expect(heard.length).toBeGreaterThanOrEqual(40));
    await vi.waitFor(async () => expect(await waiting()).toBe(0));
    expect(heard.sort()).toEqual(texts.sort());
  });

  it("waits at its stop for a handler that ends in time, and leaves what was not begun to others", async () => {
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    let ended = false;
    const queue = await started(
      {
        say: async () => {
          begun.resolve();
          await end.promise;
          ended = true;
        },
      },
      1,
    );
    await enqueue("first");
    await begun.promise;
    await enqueue("second");
    const stopped = queue.stop(20_000);
    end.resolve();
    await stopped;
    expect(ended).toBe(true);
    expect(await waiting()).toBe(1);
  });

  it("leaves a handler behind that does not end within the limit", async () => {
    const begun = Promise.withResolvers<void>();
    const queue = await started({
      say: () => {
        begun.resolve();
        return new Promise(() => undefined);
      },
    });
    await enqueue("for ever");
    await begun.promise;
    await queue.stop(50);
    expect(await waiting()).toBe(0);
  });

  it("keeps a job whose handler throws for a later repetition and goes on", async () => {
    const heard: string[] = [];
    await started({
      say: async (payload) => {
        const { text } = payload as { text: string };
        if (text === "bad") throw new Error("the database went away");
        heard.push(text);
      },
    });
    await enqueue("bad", "good");
    await vi.waitFor(() => expect(heard).toEqual(["good"]));
    await vi.waitFor(async () => {
      const { rows } = await database.pool.query(
        "select key, attempts, run_at > now() as later, locked_at from graphile_worker.jobs",
      );
      expect(rows).toEqual([{ key: "bad", attempts: 1, later: true, locked_at: null }]);
    });
    expect(log.error).toHaveBeenCalled();
  });

  it("starts again by itself when its connections are cut", async () => {
    const heard: unknown[] = [];
    const cut = Promise.withResolvers<void>();
    await started({
      say: async (payload) => {
        heard.push(payload);
        await cut.promise;
      },
    });
    await enqueue("before");
    await vi.waitFor(() => expect(heard).toHaveLength(1));
    await database.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
    cut.resolve();
    await vi.waitFor(
      async () => {
        await enqueue("after");
        expect(heard.length).toBeGreaterThan(1);
      },
      { timeout: 15_000, interval: 200 },
    );
  });
});
