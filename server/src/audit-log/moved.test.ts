import { expect, it } from "vitest";
import { systemClock } from "../kernel/clock.ts";
import { useDatabase } from "../testing/database.ts";
import { asDatabaseOwner } from "../testing/owner.ts";
import { headFields, readLogRow } from "./log-state.ts";
import { adoptMovedLogs } from "./moved.ts";
import { readProof } from "./proofs.ts";
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
const signer = testSigner();
const pins = await testPins();
const start = () => {
  const sequencer = createSequencer({
    pool: database.pool,
    installation: "aos.test",
    signer,
    mac: testMac,
    pins,
    clock: systemClock,
    log: silent,
    pollMs: 50,
  });
  sequencer.start();
  return sequencer;
};
const record = () => sampleRecord(production);

/** What a restore into another PostgreSQL leaves: rows with transaction ids that it has yet to reach. */
async function restored(): Promise<void> {
  const ahead = "((xid::text)::bigint + 1000000000000)::text::xid8";
  await asDatabaseOwner(database.pool, async (owner) => {
    await owner.query(`update audit_records set xid = ${ahead}`);
    await owner.query(`update events set xid = ${ahead}`);
    await owner.query(
      `update audit_logs set last_xid = ${ahead.replace("xid", "last_xid")}, event_xid = ${ahead.replace("xid", "event_xid")}`,
    );
    const row = await readLogRow(owner, production); // as the other PostgreSQL wrote it
    if (row) await owner.query("update audit_logs set mac = $1", [testMac.head(headFields(production, row))]);
  });
}

it("goes on with a log that was restored into another PostgreSQL, in its order, with what waited and what is new, each once", async () => {
  const first = start();
  const early = await appendRecords(database.pool, [record(), record()]);
  await appendEvent(database.pool, production, early[0] as string);
  await untilSize(database.pool, first, production, 2);
  await first.stop();
  const waiting = await appendRecords(database.pool, [record(), record(), record()]);
  const waitingEvent = await appendEvent(database.pool, production, waiting[0] as string);
  expect(await adoptMovedLogs(database.pool, testMac, silent)).toBe(false);

  await restored();
  const warnings: string[] = [];
  const adopted = await Promise.all(
    [1, 2].map(() =>
      adoptMovedLogs(database.pool, testMac, { ...silent, warn: (message) => void warnings.push(message) }),
    ),
  );
  expect(adopted).toContain(true);
  expect(warnings[0]).toContain("restored into another PostgreSQL");
  expect(await adoptMovedLogs(database.pool, testMac, silent)).toBe(false);

  const late = await appendRecords(database.pool, [record()]);
  const lateEvent = await appendEvent(database.pool, production, late[0] as string);
  const second = start();
  await untilSize(database.pool, second, production, 6);
  const places = await Promise.all(
    [...early, ...waiting, ...late].map(async (id) => (await readProof(database.pool, production, id)).leafIndex),
  );
  expect(places).toEqual([0, 1, 2, 3, 4, 5]);
  const { rows } = await database.pool.query("select event_id, sequence::int from event_positions order by sequence");
  expect(rows.slice(1)).toEqual([
    { event_id: waitingEvent, sequence: 2 },
    { event_id: lateEvent, sequence: 3 },
  ]);
  await second.stop();
});
