import { afterEach, describe, expect, it, vi } from "vitest";
import { systemClock } from "../kernel/clock.ts";
import { createIds } from "../kernel/ids.ts";
import { useDatabase } from "../testing/database.ts";
import { asDatabaseOwner } from "../testing/owner.ts";
import { createWriterAlarm, type WriterAlarm } from "./alarm.ts";
import { createConfirmation } from "./inspection.ts";
import { logDetail } from "./log-detail.ts";
import { ensurePartitions } from "./partitions.ts";
import type { LogScope } from "./scope.ts";
import { createSequencer, type Sequencer } from "./sequencer.ts";
import { appendRecords, sampleRecord, testMac, testPins, testSigner, untilSize } from "./testing.ts";

const database = useDatabase({ max: 20 });
const signer = testSigner();
const running: { stop(): unknown }[] = [];
const lines: string[] = [];
const counted: number[] = [];
let scopes = 0;

const freshScope = (): LogScope => ({ organization: "default", environment: `alarm${++scopes}` });
const note = (line: string): void => void lines.push(line);

async function start(): Promise<Sequencer> {
  const parts = { pool: database.pool, installation: "aos.test", signer, mac: testMac, pins: await testPins() };
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const sequencer = createSequencer({ ...parts, clock: systemClock, log, pollMs: 50 });
  sequencer.start();
  running.push(sequencer);
  return sequencer;
}

function watching(scope: LogScope, ids: readonly string[]): WriterAlarm {
  const alarm = createWriterAlarm({
    pool: database.pool,
    mac: testMac,
    log: { info: note, warn: note, error: note },
    afterMs: 20,
    count: (_environment, missing) => counted.push(missing),
  });
  running.push(alarm);
  for (const id of ids) alarm.acknowledged({ ...scope, id });
  return alarm;
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.stop()));
  lines.length = 0;
  counted.length = 0;
});

/** Records that commit, and that an older transaction hides from the sequencer until it ends. */
async function hidden(scope: LogScope, records: number) {
  const hold = await database.pool.connect();
  await hold.query("begin; select pg_current_xact_id()");
  const ids = await appendRecords(
    database.pool,
    Array.from({ length: records }, () => sampleRecord(scope)),
  );
  const release = async (): Promise<void> => {
    await hold.query("commit");
    hold.release();
  };
  return { ids, release };
}

/** What somebody does who owns the database. */
const forge = (text: string, values: unknown[]) => asDatabaseOwner(database.pool, (owner) => owner.query(text, values));

/** Looks until the alarm says so. */
async function untilMissing(alarm: WriterAlarm, scope: LogScope, ...records: unknown[]): Promise<void> {
  await vi.waitFor(async () => {
    await alarm.look();
    expect(alarm.missing()).toEqual([{ scope, count: records.length, records }]);
  });
}

describe("a writer's alarm", () => {
  it("is silent about what is sequenced, and names what was deleted before it was", async () => {
    const scope = freshScope();
    const sequencer = await start();
    const { ids, release } = await hidden(scope, 3);
    await forge("delete from audit_records where id = $1", [ids[1]]);
    await release();
    sequencer.wake(scope);
    await untilSize(database.pool, sequencer, scope, 2);
    const alarm = watching(scope, ids);
    await untilMissing(alarm, scope, { id: ids[1], problem: "deleted" });
    expect(counted).toEqual([1]);
    expect(lines).toEqual([expect.stringContaining(`${ids[1]} (its row is gone)`)]);
    expect(await logDetail({ machinePool: database.pool }, alarm)).toEqual({
      audit_records_missing: [
        { environment: scope.environment, count: 1, records: [{ id: ids[1], problem: "deleted" }] },
      ],
    });
  });

  it("names what was deleted from a log in which nothing else happens", async () => {
    const scope = freshScope();
    const [id] = (await appendRecords(database.pool, [sampleRecord(scope)])) as [string];
    await forge("delete from audit_records where id = $1", [id]);
    await untilMissing(watching(scope, [id]), scope, { id, problem: "deleted" });
  });

  it("names a record that was set back behind the log", async () => {
    const scope = freshScope();
    const sequencer = await start();
    await appendRecords(database.pool, [sampleRecord(scope)]);
    await untilSize(database.pool, sequencer, scope, 1);
    const { ids, release } = await hidden(scope, 3);
    await forge("update audit_records set xid = '1' where id = $1", [ids[1]]);
    await release();
    sequencer.wake(scope);
    await untilSize(database.pool, sequencer, scope, 3);
    await untilMissing(watching(scope, ids), scope, { id: ids[1], problem: "passed_over" });
  });

  it.each([
    ["deleted", "delete from audit_records where id = $1", "deleted"],
    ["set back behind the log", "update audit_records set xid = '1' where id = $1", "changed"],
  ])(
    "is raised for a record that was %s, although a row of audit_leaves says that it is in the log",
    async (_how, attack, problem) => {
      const scope = freshScope();
      const sequencer = await start();
      const [first] = (await appendRecords(database.pool, [sampleRecord(scope)])) as [string];
      await untilSize(database.pool, sequencer, scope, 1);
      const { ids, release } = await hidden(scope, 3);
      const columns = "key_id, key_seq, principal, operation, object, task_id, approval_id, decision, stage, status";
      await forge(attack, [ids[1]]);
      await release();
      sequencer.wake(scope);
      await untilSize(database.pool, sequencer, scope, 3);
      await database.pool.query(
        `insert into audit_leaves (organization, environment, record_id, leaf_index, ${columns})
         select organization, environment, $2, leaf_index, ${columns} from audit_leaves where record_id = $1`,
        [first, ids[1]],
      );
      await untilMissing(watching(scope, ids), scope, { id: ids[1], problem });
    },
  );

  it("says by how much a log is behind that does not move, and takes it back when the log has caught up", async () => {
    const scope = freshScope();
    const { ids, release } = await hidden(scope, 2);
    const alarm = watching(scope, ids);
    const detail = () => logDetail({ machinePool: database.pool }, alarm);
    await vi.waitFor(async () => {
      await alarm.look();
      expect(await detail()).toEqual({
        audit_log_behind: [{ environment: scope.environment, records: 2, seconds: expect.any(Number) }],
      });
    });
    expect(lines).toEqual([
      expect.stringMatching(/is behind: 2 records acknowledged by this process wait .* Nothing is missing/),
    ]);
    const sequencer = await start();
    await release();
    sequencer.wake(scope);
    await vi.waitFor(async () => {
      await alarm.look();
      expect(await detail()).toEqual({});
    });
    expect(lines[1]).toContain("has caught up");
    expect([lines.length, counted]).toEqual([2, []]);
  });

  it("is not raised by a head that somebody else wrote; that stops the log", async () => {
    const scope = freshScope();
    const sequencer = await start();
    const { ids, release } = await hidden(scope, 1);
    await appendRecords(database.pool, [sampleRecord(scope)]);
    await release();
    await untilSize(database.pool, sequencer, scope, 2);
    await forge("delete from audit_leaves where record_id = $1", [ids[0]]);
    await forge("update audit_logs set mac = '\\x00' where environment = $1", [scope.environment]);
    const confirm = createConfirmation(database.pool, testMac);
    expect(await confirm([{ ...scope, id: ids[0] as string }])).toEqual(["unclear"]);
  });

  it("sees a record that moves into a new month's partition while it is looked up", async () => {
    const scope = freshScope();
    const clock = { now: () => Date.UTC(2033, 4, 3) };
    const id = createIds(clock)("aud");
    await appendRecords(database.pool, [sampleRecord(scope, { id })]);
    const owner = await database.pool.connect();
    try {
      await owner.query("begin");
      await ensurePartitions(owner as never, clock, 0);
      const confirmed = createConfirmation(database.pool, testMac)([{ ...scope, id }]);
      await vi.waitFor(async () => {
        const { rows } = await database.pool.query(
          "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%lock table audit_records%' and datname = current_database()",
        );
        expect(rows.length).toBe(1);
      });
      await owner.query("commit");
      expect(await confirmed).toEqual(["waiting"]);
    } finally {
      owner.release();
    }
  });
});
