import { beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../kernel/clock.ts";
import { createIds } from "../kernel/ids.ts";
import { useDatabase } from "../testing/database.ts";
import { ensurePartitions } from "./partitions.ts";
import { createSequencer } from "./sequencer.ts";
import {
  appendEvent,
  appendRecords,
  production,
  sampleRecord,
  silent,
  testMac,
  testPins,
  testSigner,
  untilSize,
} from "./testing.ts";

const database = useDatabase();
const run = (text: string) => database.pool.query(text);

/** Fills every table of the log. */
beforeAll(async () => {
  await ensurePartitions(database.pool, systemClock);
  const sealing = { signer: testSigner(), mac: testMac, pins: await testPins() };
  const options = { pool: database.pool, installation: "aos.test", ...sealing, clock: systemClock, log: silent };
  const sequencer = createSequencer(options);
  sequencer.start();
  const [id] = await appendRecords(database.pool, [sampleRecord(production), sampleRecord(production)]);
  await appendEvent(database.pool, production, id as string);
  await untilSize(database.pool, sequencer, production, 2);
  await appendRecords(database.pool, [sampleRecord(production)]);
  await untilSize(database.pool, sequencer, production, 3);
  await sequencer.stop();
  await run(
    `insert into audit_salts (organization, environment, subject, id, salt) values ('default', 'production', 'ld_1', 'a', '\\x01')`,
  );
});

const partition = async (parent: string): Promise<string> => {
  const { rows } = await database.pool.query<{ name: string }>(
    "select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass and inhrelid::regclass::text ~ '_y' order by 1 limit 1",
    [parent],
  );
  return rows[0]?.name as string;
};

const appendOnly = ["audit_records", "audit_leaves", "events", "event_positions"];

describe("the tables of the log", () => {
  it.each(appendOnly)(
    "refuse a changed, deleted or truncated row of %s, also in the partition itself",
    async (table) => {
      for (const target of [table, await partition(table)]) {
        await expect(run(`update ${target} set environment = environment || '!'`)).rejects.toThrow(
          /^UPDATE on \w+ is refused.*append-only/,
        );
        await expect(run(`delete from ${target}`)).rejects.toThrow(/^DELETE on \w+ is refused.*append-only/);
        await expect(run(`truncate ${target}`)).rejects.toThrow(/^TRUNCATE on \w+ is refused.*append-only/);
      }
    },
  );

  it.each([
    ["delete from audit_logs", "the head of a log is never removed"],
    ["truncate audit_logs", "the head of a log is never removed"],
    ["update audit_logs set tree_size = tree_size - 1", "never goes back"],
    ["update audit_logs set event_sequence = 0", "never goes back"],
    ["delete from audit_tiles", "never removed or changed"],
    ["truncate audit_tiles", "never removed or changed"],
    ["update audit_tiles set data = substr(data, 1, 32)", "may only grow"],
    ["update audit_tiles set data = set_byte(data, 0, get_byte(data, 0) # 1) || '\\x00'", "may only grow"],
    ["update audit_tiles set index = index + 1", "may only grow"],
    ["delete from audit_key_counters", "numbered without gaps"],
    ["truncate audit_key_counters", "numbered without gaps"],
    ["update audit_key_counters set seq = seq - 1", "numbered without gaps"],
    ["truncate audit_salts", "could be opened"],
    ["update audit_salts set salt = '\\x02'", "could be opened"],
    ["update audit_records set context = '{}'", "append-only"],
    ["update audit_records set context = null, body = '{}'", "append-only"],
  ])("refuse %s", async (statement, why) => {
    await expect(run(statement)).rejects.toThrow(why);
  });

  it("let a subject be erased: its salt and the contexts of its records", async () => {
    expect((await run("delete from audit_salts where subject = 'ld_1'")).rowCount).toBe(1);
    await run(
      `insert into audit_records (organization, environment, id, n, body, context) values ('default', 'other', 'aud_1', 0, '{}', '{}')`,
    );
    expect((await run("update audit_records set context = null where id = 'aud_1'")).rowCount).toBe(1);
  });

  it("let old rows go only where the owner says so, or drops their partition", async () => {
    const client = await database.pool.connect();
    await client.query("begin; set local aos.log_maintenance = 'retention'");
    expect((await client.query("delete from audit_records where environment = 'production'")).rowCount).toBe(3);
    await client.query("rollback; begin");
    await client.query(`drop table ${await partition("audit_records")}`);
    await client.query("rollback");
    client.release();
  });
});

describe("a new month's partition", () => {
  it("takes the rows that waited in the default partition, and refuses a change like any other", async () => {
    const clock = { now: () => Date.UTC(2031, 4, 3) };
    const id = createIds(clock)("aud");
    await appendRecords(database.pool, [sampleRecord(production, { id })]);
    expect(await ensurePartitions(database.pool, clock, 0)).toBeGreaterThan(0);
    expect((await run("select id from audit_records_y2031m05")).rows).toEqual([{ id }]);
    await expect(run("delete from audit_records_y2031m05")).rejects.toThrow("append-only");
    for (const table of appendOnly) await expect(run(`truncate ${table}_y2031m05`)).rejects.toThrow("append-only");
  });
});
