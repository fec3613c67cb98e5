import { readCheckpointUnverified, rootAt, toHex, verifierKey, verifyConsistency, verifyProof } from "@aos/proof";
import pg from "pg";
import { afterEach, describe, expect, it, vi } from "vitest";
import { systemClock } from "../kernel/clock.ts";
import { useDatabase } from "../testing/database.ts";
import { asDatabaseOwner } from "../testing/owner.ts";
import { readCheckpoint, readLag, readProof } from "./proofs.ts";
import { createSequencer, type Sequencer } from "./sequencer.ts";
import {
  appendEvent,
  appendRecords,
  newId,
  sampleRecord,
  silent,
  testMac,
  testPins,
  testSigner,
  untilSize,
} from "./testing.ts";
import { tileReader } from "./tile-store.ts";

const database = useDatabase({ max: 20 });
const signer = testSigner();
const pins = await testPins();
const running: Sequencer[] = [];
let scopes = 0;

function start(pool: pg.Pool = database.pool): Sequencer {
  const sequencer = createSequencer({
    pool,
    installation: "aos.test",
    signer,
    mac: testMac,
    pins,
    clock: systemClock,
    log: silent,
    pollMs: 50,
  });
  sequencer.start();
  running.push(sequencer);
  return sequencer;
}

/** A log of its own for each test. */
function freshScope(): { organization: string; environment: string } {
  return { organization: "default", environment: `env${++scopes}` };
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((s) => s.stop()));
});

interface LeafRow {
  record_id: string;
  leaf_index: string;
  key_id: string | null;
  key_seq: string | null;
}

async function leavesOf(scope: { environment: string }): Promise<LeafRow[]> {
  const { rows } = await database.pool.query<LeafRow>(
    "select record_id, leaf_index, key_id, key_seq from audit_leaves where environment = $1 order by leaf_index",
    [scope.environment],
  );
  return rows.map((r) => ({
    ...r,
    leaf_index: String(r.leaf_index),
    key_seq: r.key_seq === null ? null : String(r.key_seq),
  }));
}

/** That every leaf stands once, without gaps, and that tiles, root and signature agree. */
async function expectWhole(scope: { organization: string; environment: string }, size: number): Promise<void> {
  const leaves = await leavesOf(scope);
  expect(leaves.map((l) => Number(l.leaf_index))).toEqual(Array.from({ length: size }, (_, i) => i));
  const byKey = Map.groupBy(leaves, (l) => l.key_id);
  for (const [key, own] of byKey)
    if (key !== null) expect(own.map((l) => Number(l.key_seq))).toEqual(own.map((_, i) => i + 1));
  const { checkpoint } = await readCheckpoint(database.pool, scope);
  const head = readCheckpointUnverified(checkpoint);
  expect(head.size).toBe(size);
  expect(toHex(await rootAt(tileReader(database.pool, scope), size))).toBe(toHex(head.root));
}

async function expectProvable(scope: { organization: string; environment: string }, recordId: string): Promise<void> {
  const { proofText, leafData } = await readProof(database.pool, scope, recordId);
  const publicKey = verifierKey(`aos.test/${scope.organization}/${scope.environment}`, signer.publicKey);
  expect(await verifyProof({ proofText, leafData, publicKey })).toMatchObject({ verified: true });
}

describe("the sequencer", () => {
  it("sequences what was appended and makes every record provable", async () => {
    const scope = freshScope();
    const sequencer = start();
    const ids = await appendRecords(
      database.pool,
      Array.from({ length: 600 }, (_, i) => sampleRecord(scope, { key_id: i % 3 === 0 ? null : `key_${i % 3}` })),
    );
    sequencer.wake(scope);
    await untilSize(database.pool, sequencer, scope, 600);
    await expectWhole(scope, 600);
    for (const id of [ids[0], ids[255], ids[256], ids[599]]) await expectProvable(scope, id as string);
  });

  it("numbers the records of each key without gaps over several batches and a restart", async () => {
    const scope = freshScope();
    const first = start();
    await appendRecords(database.pool, [sampleRecord(scope), sampleRecord(scope, { key_id: "key_other" })]);
    first.wake(scope);
    await untilSize(database.pool, first, scope, 2);
    await first.stop();
    await appendRecords(database.pool, [
      sampleRecord(scope),
      sampleRecord(scope),
      sampleRecord(scope, { key_id: "key_other" }),
    ]);
    await untilSize(database.pool, start(), scope, 5);
    await expectWhole(scope, 5);
  });

  it("never passes over a transaction that commits later than one that began after it", async () => {
    const scope = freshScope();
    const slow = await database.pool.connect();
    const sequencer = start();
    try {
      await slow.query("begin");
      const [early] = await appendRecords(slow, [sampleRecord(scope)]);
      const [late] = await appendRecords(database.pool, [sampleRecord(scope)]);
      sequencer.wake(scope);
      await vi.waitFor(() =>
        expect(sequencer.status().leading.some((l) => l.scope.environment === scope.environment)).toBe(true),
      );
      await expect(readProof(database.pool, scope, late as string, { waitMs: 100 })).rejects.toThrow(
        "not in the log yet",
      );
      await slow.query("commit");
      sequencer.wake(scope);
      await untilSize(database.pool, sequencer, scope, 2);
      expect((await leavesOf(scope)).map((l) => l.record_id)).toEqual([early, late]);
    } finally {
      slow.release();
    }
  });

  it("leaves out what was rolled back", async () => {
    const scope = freshScope();
    const client = await database.pool.connect();
    try {
      await client.query("begin");
      await appendRecords(client, [sampleRecord(scope)]);
      await client.query("rollback");
    } finally {
      client.release();
    }
    const kept = await appendRecords(database.pool, [sampleRecord(scope)]);
    await untilSize(database.pool, start(), scope, 1);
    expect((await leavesOf(scope)).map((l) => l.record_id)).toEqual(kept);
  });

  it("keeps one order with two sequencers and many transactions that commit out of order", async () => {
    const scope = freshScope();
    const [one, two] = [start(), start()];
    const write = async (worker: number): Promise<void> => {
      for (let i = 0; i < 30; i++) {
        const client = await database.pool.connect();
        try {
          await client.query("begin");
          const records = Array.from({ length: 1 + ((worker + i) % 3) }, () =>
            sampleRecord(scope, { key_id: `key_${worker % 2}` }),
          );
          const [id] = await appendRecords(client, records);
          await appendEvent(client, scope, id as string);
          if ((worker * i) % 4 === 1) await client.query("select pg_sleep(0.005)");
          await client.query((worker + i) % 5 === 4 ? "rollback" : "commit");
        } finally {
          client.release();
        }
        (worker % 2 ? one : two)?.wake(scope);
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, worker) => write(worker)));
    const count = async (table: string): Promise<number> =>
      Number(
        (
          await database.pool.query(`select count(*)::int as n from ${table} where environment = $1`, [
            scope.environment,
          ])
        ).rows[0].n,
      );
    const records = await count("audit_records");
    await untilSize(database.pool, one as Sequencer, scope, records);
    await expectWhole(scope, records);
    const events = await count("events");
    await vi.waitFor(async () => expect(await count("event_positions")).toBe(events));
    const { rows } = await database.pool.query<{ sequence: string; earlier: string | null }>(
      `select p.sequence, lag(p.sequence) over (order by e.xid, e.n) as earlier
        from event_positions p join events e on e.environment = p.environment and e.id = p.event_id where p.environment = $1 order by e.xid, e.n`,
      [scope.environment],
    );
    expect(rows.map((r) => Number(r.sequence))).toEqual(rows.map((_, i) => i + 1));
    expect(
      [one, two].filter((s) => s?.status().leading.some((l) => l.scope.environment === scope.environment)),
    ).toHaveLength(1);
  });

  it("hands a log over to another process within a second when its holder's connection dies", async () => {
    const scope = freshScope();
    const own = new pg.Pool({ connectionString: database.connectionString, max: 2, application_name: "holder" });
    own.on("error", () => undefined);
    const holder = start(own);
    await appendRecords(database.pool, [sampleRecord(scope)]);
    holder.wake(scope);
    await untilSize(database.pool, holder, scope, 1);
    const heir = start();
    await vi.waitFor(() => expect(heir.status().connected).toBe(true));
    void holder.stop();
    await database.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'holder'",
    );
    const began = performance.now();
    await appendRecords(database.pool, [sampleRecord(scope)]);
    heir.wake(scope);
    await untilSize(database.pool, heir, scope, 2);
    expect(performance.now() - began).toBeLessThan(1_000);
    await expectWhole(scope, 2);
    await holder.stop();
    await own.end();
  });

  it("goes on after its connection was cut", async () => {
    const scope = freshScope();
    const own = new pg.Pool({ connectionString: database.connectionString, max: 2, application_name: "cut" });
    own.on("error", () => undefined);
    const sequencer = start(own);
    await vi.waitFor(() => expect(sequencer.status().connected).toBe(true));
    await database.pool.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'cut'");
    await appendRecords(database.pool, [sampleRecord(scope)]);
    await vi.waitFor(() => expect(sequencer.status().leaves).toBe(1), { timeout: 3_000 });
    await sequencer.stop();
    await own.end();
  });

  it("starts the batch again from the database when the head is not where it left it", async () => {
    const scope = freshScope();
    const sequencer = start();
    await appendRecords(database.pool, [sampleRecord(scope)]);
    sequencer.wake(scope);
    await untilSize(database.pool, sequencer, scope, 1);
    await database.pool.query("update audit_logs set event_sequence = event_sequence + 7 where environment = $1", [
      scope.environment,
    ]);
    await appendRecords(database.pool, [sampleRecord(scope)]);
    sequencer.wake(scope);
    await untilSize(database.pool, sequencer, scope, 2);
    await expectWhole(scope, 2);
  });

  it("is woken through the database by a process that sequences nothing itself", async () => {
    const scope = freshScope();
    const holder = createSequencer({
      pool: database.pool,
      installation: "aos.test",
      signer,
      mac: testMac,
      pins,
      clock: systemClock,
      log: silent,
      pollMs: 60_000,
    });
    holder.start();
    running.push(holder);
    await vi.waitFor(() => expect(holder.status().connected).toBe(true));
    const idle = createSequencer({
      pool: database.pool,
      installation: "aos.test",
      signer,
      mac: testMac,
      pins,
      clock: systemClock,
      log: silent,
    });
    running.push(idle); // never started: it only wakes
    await appendRecords(database.pool, [sampleRecord(scope)]);
    idle.wake(scope);
    await untilSize(database.pool, holder, scope, 1);
  });

  it("stops at a record that was changed after the service wrote it", async () => {
    const scope = freshScope();
    const [id] = await appendRecords(database.pool, [sampleRecord(scope)]);
    await asDatabaseOwner(database.pool, (owner) =>
      owner.query("update audit_records set body = body || ' ' where id = $1", [id]),
    );
    const told: string[] = [];
    start().onStopped(({ reason, detail }) => told.push(`${reason}: ${detail}`));
    await vi.waitFor(() => expect(told).toEqual([expect.stringContaining("record_forged")]));
    expect(told[0]).toContain(id);
    expect(await leavesOf(scope)).toEqual([]);
  });

  it("stops at a row that the service did not write, and sequences nothing of what waits with it", async () => {
    const scope = freshScope();
    const sequencer = start();
    await appendRecords(database.pool, [sampleRecord(scope)]);
    await untilSize(database.pool, sequencer, scope, 1);
    const told: string[] = [];
    sequencer.onStopped(({ reason, detail }) => told.push(`${reason}: ${detail}`));
    await appendRecords(database.pool, [sampleRecord(scope)], 1);
    const id = newId("aud");
    await database.pool.query(
      "insert into audit_records (organization, environment, id, n, body) values ($1, $2, $3, 0, 'no record')",
      [scope.organization, scope.environment, id],
    );
    await vi.waitFor(() => expect(told).toEqual([expect.stringContaining("record_forged")]));
    expect(told[0]).toContain(id);
    await appendRecords(database.pool, [sampleRecord(scope)], 2);
    expect((await leavesOf(scope)).length).toBeLessThanOrEqual(2);
    expect((await leavesOf(scope)).map((l) => l.record_id)).not.toContain(id);
  });

  it("does not cut rows of one transaction apart that carry the same number", async () => {
    const scope = freshScope();
    const client = await database.pool.connect();
    try {
      await client.query("begin");
      for (let i = 0; i < 3; i++)
        await appendRecords(
          client,
          Array.from({ length: 1_800 }, () => sampleRecord(scope)),
        );
      await client.query("commit");
    } finally {
      client.release();
    }
    await untilSize(database.pool, start(), scope, 5_400);
    await expectWhole(scope, 5_400);
  });

  it("publishes consistency proofs between any two of its heads", async () => {
    const scope = freshScope();
    const sequencer = start();
    const heads = [];
    for (const [i, size] of [1, 255, 256, 257, 700].entries()) {
      const before = [0, 1, 255, 256, 257][i] as number;
      await appendRecords(
        database.pool,
        Array.from({ length: size - before }, () => sampleRecord(scope)),
      );
      sequencer.wake(scope);
      await untilSize(database.pool, sequencer, scope, size);
      heads.push(readCheckpointUnverified((await readCheckpoint(database.pool, scope)).checkpoint));
    }
    for (const head of heads) {
      const { checkpoint, consistency } = await readCheckpoint(database.pool, scope, { from: head.size });
      const hashes = consistency?.hashes.map((h) => new Uint8Array(Buffer.from(h, "base64"))) ?? [];
      expect(verifyConsistency(head, readCheckpointUnverified(checkpoint), hashes)).toBe(true);
    }
    await expect(readCheckpoint(database.pool, scope, { from: 701 })).rejects.toThrow("the log has 700 records");
  });

  it("tells how far each log is behind", async () => {
    const scope = freshScope();
    const sequencer = start();
    await appendRecords(database.pool, [sampleRecord(scope)]);
    sequencer.wake(scope);
    await untilSize(database.pool, sequencer, scope, 1);
    await sequencer.stop();
    const [waiting] = await appendRecords(database.pool, [sampleRecord(scope)]);
    const lag = (await readLag(database.pool)).find((l) => l.scope.environment === scope.environment);
    expect(lag).toEqual({ scope, treeSize: 1, oldestWaiting: waiting, waiting: 1 });
  });
});
