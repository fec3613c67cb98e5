import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createReader } from "../db/reader.ts";
import { useDatabase } from "../testing/database.ts";
import { beatEveryMs, createPools } from "./pools.ts";
import { wake } from "./queue.ts";

const database = useDatabase();
const log = { warn: vi.fn(), error: vi.fn() };
let clock = 0;

/** A process with a pool of the queue, or one that only looks on. */
function process(pool?: string) {
  const pools = createPools({ db: createReader(database.pool), log, now: () => clock });
  if (pool !== undefined) pools.join(pool);
  return pools;
}

/** Lets time go by, in which these processes look. */
async function pass(ms: number, ...looking: ReturnType<typeof process>[]): Promise<void> {
  for (let passed = 0; passed < ms; passed += beatEveryMs) {
    clock += beatEveryMs;
    for (const one of looking) await one.look();
  }
}

async function locked(pool: string, { key, attempts = 1 }: { key?: string; attempts?: number } = {}): Promise<void> {
  await wake(database.pool, [{ task: "say", payload: {}, ...(key !== undefined && { key }) }]);
  await database.pool.query(
    "update graphile_worker._private_jobs set locked_at = now(), locked_by = $1, attempts = $2 where locked_at is null",
    [pool, attempts],
  );
}

const jobs = async () =>
  (await database.pool.query("select key, locked_by from graphile_worker._private_jobs order by id")).rows;

beforeEach(() => {
  clock = 0;
  log.warn.mockClear();
});
afterEach(() => database.pool.query("delete from graphile_worker._private_jobs; delete from worker_pools"));

describe("pools of the queue", () => {
  it("frees what a killed pool has locked, within 20 seconds, and says so", async () => {
    const [dead, alive] = [process("dead"), process("alive")];
    await pass(6_000, dead, alive);
    await locked("dead", { key: "work" });
    await pass(20_000, alive);
    expect(await jobs()).toEqual([{ key: "work", locked_by: null }]);
    expect(log.warn).toHaveBeenCalledExactlyOnceWith("1 jobs of workers that are gone were taken up again.");
  });

  it("frees what a pool has locked of which nothing is known", async () => {
    await locked("of an earlier release");
    await pass(26_000, process("alive"));
    expect(await jobs()).toEqual([{ key: null, locked_by: null }]);
  });

  it("leaves a pool that lives its jobs, however long they take", async () => {
    const [one, other] = [process("one"), process("other")];
    await locked("one");
    await pass(120_000, one, other);
    expect(await jobs()).toEqual([{ key: null, locked_by: "one" }]);
  });

  it("takes nobody for dead after a pause of the database, in which nobody could be heard", async () => {
    const [one, other] = [process("one"), process("other")];
    await locked("one");
    await pass(6_000, one, other);
    clock += 60_000; // both waited for the database all this time, and the other is heard first
    await other.look();
    await other.look();
    await pass(6_000, one, other);
    expect(await jobs()).toEqual([{ key: null, locked_by: "one" }]);
  });

  it("gives up a pool of its own process that the queue has replaced", async () => {
    const own = process("before");
    await pass(4_000, own);
    await locked("before");
    own.join("after");
    await pass(20_000, own);
    expect(await jobs()).toEqual([{ key: null, locked_by: null }]);
  });

  it("drops what another wake-up of its key has replaced, since the queue would keep it for ever", async () => {
    await locked("dead", { key: "work" });
    await wake(database.pool, [{ task: "say", payload: {}, key: "work" }]);
    expect(await jobs()).toEqual([
      { key: null, locked_by: "dead" },
      { key: "work", locked_by: null },
    ]);
    await pass(26_000, process("alive"));
    expect(await jobs()).toEqual([{ key: "work", locked_by: null }]);
  });

  it("forgets a pool that stops", async () => {
    const stopping = process("stopping");
    await stopping.look();
    await stopping.stop();
    expect((await database.pool.query("select id from worker_pools")).rows).toEqual([]);
  });

  it("keeps for which time no worker lived, once, whichever process comes first", async () => {
    await database.pool.query("delete from worker_gaps");
    await process("before").look();
    await database.pool.query("update worker_presence set alive_at = now() - interval '8 hours'");
    await Promise.all([process("one").look(), process("other").look()]);
    const { rows } = await database.pool.query(
      "select round(extract(epoch from ended_at - started_at) / 60)::int as minutes from worker_gaps",
    );
    expect(rows).toEqual([{ minutes: 480 }]);
    const { rows: lost } = await database.pool.query(
      "select round(worker_gap_ms(now() - interval '1 hour', now()) / 60000)::int as minutes, worker_gap_ms(now(), now()) as none",
    );
    expect(lost).toEqual([{ minutes: 60, none: 0 }]);
  });
});
