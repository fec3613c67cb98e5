import { expect, it } from "vitest";
import { systemClock } from "../kernel/clock.ts";
import { useDatabase } from "../testing/database.ts";
import { asDatabaseOwner } from "../testing/owner.ts";
import { headFields, readLogRow } from "./log-state.ts";
import type { LogMac } from "./mac.ts";
import { ensurePartitions } from "./partitions.ts";
import type { Pins } from "./pins.ts";
import { isOurs } from "./record-rows.ts";
import { createSequencer } from "./sequencer.ts";
import type { StopReason } from "./stop.ts";
import {
  appendRecords,
  production,
  sampleRecord,
  silent,
  testMac,
  testPins,
  testSigner,
  untilSize,
} from "./testing.ts";
import { findEarlyLogs, sealRecords } from "./upgrade.ts";

const database = useDatabase();
const signer = testSigner();

const sequencerWith = (pins: Pins) => {
  const options = { pool: database.pool, installation: "aos.test", signer, mac: testMac, pins };
  return createSequencer({ ...options, clock: systemClock, log: silent, pollMs: 50 });
};

let size = 0;

/** Appends a record and has it sequenced; its id. */
async function sequenced(pins: Pins): Promise<string> {
  await ensurePartitions(database.pool, systemClock);
  const sequencer = sequencerWith(pins);
  sequencer.start();
  const [id] = await appendRecords(database.pool, [sampleRecord(production)]);
  await untilSize(database.pool, sequencer, production, ++size);
  await sequencer.stop();
  return id as string;
}

/** What an early release left: records without a MAC under a head that has one of then. */
const asEarly = () =>
  asDatabaseOwner(database.pool, async (owner) => {
    await owner.query("update audit_records set writer = null, number = null, mac = null");
    const row = await readLogRow(owner, production);
    if (row) await owner.query("update audit_logs set mac = $1", [testMac.earlyHead(headFields(production, row))]);
  });

async function ours(): Promise<string[]> {
  const { rows } = await database.pool.query(
    "select id, body, salt_id, writer, number::text, mac from audit_records order by id",
  );
  return rows.filter((row) => isOurs(production, row, testMac)).map(({ id }) => id);
}

/** Why a sequencer stops at the log. */
async function stopOf(pins: Pins): Promise<StopReason> {
  const stopped = Promise.withResolvers<StopReason>();
  const sequencer = sequencerWith(pins);
  sequencer.onStopped(({ reason }) => stopped.resolve(reason));
  sequencer.start();
  const reason = await stopped.promise;
  await sequencer.stop();
  return reason;
}

const dropRecords = async () => {
  size = 0;
  await asDatabaseOwner(database.pool, async (owner) => {
    for (const table of ["audit_records", "audit_leaves", "audit_tiles", "audit_logs", "audit_stops"])
      await owner.query(`delete from ${table}`);
  });
};

it("authenticates records of early releases that are in the log, and none that waits, once", async () => {
  const pins = await testPins();
  const early = await sequenced(pins);
  const [waiting] = await appendRecords(database.pool, [sampleRecord(production)]);
  await asEarly();
  const told: string[] = [];
  const log = { ...silent, info: (message: string) => void told.push(message) };
  await Promise.all([1, 2].map(() => sealRecords(database.pool, { mac: testMac, pins, log })));
  expect(await ours()).toEqual([early]);
  expect(waiting).toBeDefined();
  expect(told).toEqual([expect.stringContaining("1 early records of the audit log")]);
  expect(await findEarlyLogs(database.pool, { mac: testMac, pins })).toEqual([]);
  await dropRecords();
});

it("finishes at the next start what a kill between the migration and its end left", async () => {
  const pins = await testPins();
  const early = [await sequenced(pins), await sequenced(pins)];
  await asEarly();
  let left = 1;
  const record: LogMac["record"] = (fields) => {
    if (left-- === 0) throw new Error("killed");
    return testMac.record(fields);
  };
  const dying = { mac: { ...testMac, record }, pins, log: silent };
  await expect(sealRecords(database.pool, dying)).rejects.toThrow("killed");
  expect(await ours()).toEqual([]);
  await sealRecords(database.pool, { mac: testMac, pins, log: silent });
  expect(await ours()).toEqual(early);
  await sequenced(pins);
  expect(await ours()).toHaveLength(3);
  await dropRecords();
});

it("authenticates nothing under a head that was put back, or that this host does not know", async () => {
  const pins = await testPins();
  await sequenced(pins);
  await asEarly();
  const before = (await database.pool.query("select * from audit_logs")).rows[0];
  const unknown = { mac: testMac, pins: await testPins(), log: silent };
  await sealRecords(database.pool, unknown);
  expect(await ours()).toEqual([]);
  await sealRecords(database.pool, { mac: testMac, pins, log: silent });
  await sequenced(pins);
  await asDatabaseOwner(database.pool, async (owner) => {
    await owner.query("update audit_records set body = replace(body, 'dispatchTask', 'cancelTask'), mac = null");
    await owner.query("update audit_logs set mac = $1, tree_size = $2, root = $3, checkpoint = $4", [
      before.mac,
      before.tree_size,
      before.root,
      before.checkpoint,
    ]);
    await owner.query("update audit_logs set last_xid = $1::xid8, last_n = $2", [before.last_xid, before.last_n]);
  });
  await sealRecords(database.pool, { mac: testMac, pins, log: silent });
  expect(await ours()).toEqual([]);
  expect(await stopOf(pins)).toBe("head_went_back");
  await dropRecords();
});

it("sequences nothing under a head whose early records are not authenticated yet", async () => {
  const pins = await testPins();
  await sequenced(pins);
  await asEarly();
  await appendRecords(database.pool, [sampleRecord(production)]);
  expect(await stopOf(pins)).toBe("head_forged");
  await dropRecords();
});
