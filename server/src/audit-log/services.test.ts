import { commit, verifyExport } from "@aos/proof";
import { describe, expect, it } from "vitest";
import { systemClock } from "../kernel/clock.ts";
import { lowestId } from "../kernel/ids.ts";
import { useDatabase } from "../testing/database.ts";
import { asDatabaseOwner } from "../testing/owner.ts";
import { exportLog } from "./export.ts";
import { ensurePartitions } from "./partitions.ts";
import { EmptyLog, NotYetSequenced, RecordNotFound, readCheckpoint, readProof } from "./proofs.ts";
import { createSalts } from "./salts.ts";
import { originOf } from "./scope.ts";
import { createSequencer } from "./sequencer.ts";
import {
  appendRecords,
  newId,
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
const newSequencer = () =>
  createSequencer({
    pool: database.pool,
    installation: "aos.test",
    signer,
    mac: testMac,
    pins,
    clock: systemClock,
    log: silent,
    pollMs: 50,
  });

describe("reading a proof", () => {
  it("waits for the sequencer, then says that the record is not in the log yet", async () => {
    const scope = { organization: "default", environment: "waiting" };
    const [id] = await appendRecords(database.pool, [sampleRecord(scope)]);
    const began = performance.now();
    await expect(readProof(database.pool, scope, id as string, { waitMs: 60 })).rejects.toThrow(NotYetSequenced);
    expect(performance.now() - began).toBeGreaterThanOrEqual(55);
    const sequencer = newSequencer();
    const proof = readProof(database.pool, scope, id as string, { onSequenced: sequencer.onSequenced });
    sequencer.start();
    expect(await proof).toMatchObject({ leafIndex: 0 });
    await sequencer.stop();
  });

  it("answers that there is no such record, also for one of another environment", async () => {
    const [id] = await appendRecords(database.pool, [sampleRecord(production)]);
    await expect(readProof(database.pool, production, newId("aud"))).rejects.toThrow(RecordNotFound);
    await expect(readProof(database.pool, { ...production, environment: "staging" }, id as string)).rejects.toThrow(
      RecordNotFound,
    );
    await expect(readCheckpoint(database.pool, { ...production, environment: "nowhere" })).rejects.toThrow(EmptyLog);
  });
});

describe("an export", () => {
  it("verifies whole, and names what was changed in the database", async () => {
    const scope = { organization: "default", environment: "exported" };
    const sequencer = newSequencer();
    const ids = await appendRecords(
      database.pool,
      Array.from({ length: 600 }, (_, i) => sampleRecord(scope, { key_id: `key_${i % 4}` })),
    );
    sequencer.start();
    await untilSize(database.pool, sequencer, scope, 600);
    await sequencer.stop();
    const verify = async () => {
      const chunks: Uint8Array[] = [];
      for await (const text of exportLog(database.pool, scope, signer.publicKey)) chunks.push(Buffer.from(text));
      return verifyExport(chunks);
    };
    expect(await verify()).toMatchObject({ verified: true, leaves: 600, origin: "aos.test/default/exported" });
    const forge = (text: string, values: unknown[] = []) =>
      asDatabaseOwner(database.pool, (owner) => owner.query(text, values));
    await forge("update audit_records set body = replace(body, '\"status\":202', '\"status\":403') where id = $1", [
      ids[300],
    ]);
    expect((await verify()).findings[0]).toMatchObject({ kind: "changed", leafIndex: 300, recordId: ids[300] });
    await forge(
      "update audit_leaves set leaf_index = case leaf_index when 1 then 2 else 1 end where environment = 'exported' and leaf_index in (1, 2)",
    );
    expect((await verify()).findings.map((f) => f.kind)).toContain("reordered");
    await forge("delete from audit_records where id = $1", [ids[300]]);
    expect(await verify()).toMatchObject({ withoutRecord: 1, verified: false });
  });
});

describe("salts", () => {
  it("are one per subject, however many callers and processes ask at once", async () => {
    const services = [
      createSalts(database.pool, { clock: systemClock }),
      createSalts(database.pool, { clock: systemClock }),
    ];
    const subjects = Array.from({ length: 50 }, (_, i) => `mbr_${i % 10}`);
    const all = await Promise.all(
      services.flatMap((s) =>
        subjects.map(async (subject) => [subject, ...Object.values(await s.saltOf(production, subject))]),
      ),
    );
    expect(new Set(all.map(([, id]) => id)).size).toBe(10);
    expect(new Set(all.map((pair) => pair.join())).size).toBe(10);
  });

  it("share one statement among concurrent callers", async () => {
    let statements = 0;
    const query = (...args: [never]) => {
      statements++;
      return database.pool.query(...args);
    };
    const salts = createSalts({ query } as never, { clock: systemClock });
    await Promise.all(Array.from({ length: 100 }, (_, i) => salts.saltOf(production, `batched_${i}`)));
    expect(statements).toBe(2);
    await salts.saltOf(production, "batched_7");
    expect(statements).toBe(2);
  });

  it("are forgotten after a minute, so that an erased subject gets a new one", async () => {
    let now = 0;
    const clock = { now: () => now };
    const there = createSalts(database.pool, { clock });
    const before = await there.saltOf(production, "erased");
    expect((await database.pool.query("delete from audit_salts where subject = 'erased'")).rowCount).toBe(1);
    expect(there.cached(production, "erased")).toEqual(before);
    now = 60_000;
    expect(there.cached(production, "erased")).toBeUndefined();
    const after = await there.saltOf(production, "erased");
    expect(commit(after.secret, "aud_1", "address", "192.0.2.1")).not.toBe(
      commit(before.secret, "aud_1", "address", "192.0.2.1"),
    );
    expect(after.id).not.toBe(before.id);
  });

  it("keep the newest when memory is full, and report a failure to every caller", async () => {
    const salts = createSalts(database.pool, { clock: systemClock, maxEntries: 2 });
    for (const subject of ["a", "b", "c"]) await salts.saltOf(production, subject);
    expect(["a", "b", "c"].map((s) => salts.cached(production, s) !== undefined)).toEqual([false, true, true]);
    const broken = createSalts({ query: () => Promise.reject(new Error("down")) } as never, { clock: systemClock });
    const results = await Promise.allSettled([broken.saltOf(production, "a"), broken.saltOf(production, "b")]);
    expect(results.map((r) => r.status)).toEqual(["rejected", "rejected"]);
  });
});

describe("month partitions", () => {
  it("take over what the default partition held, keep its place in commit order, and are made once", async () => {
    const at = Date.UTC(2031, 4, 31, 23, 59);
    const clock = { now: () => at };
    const make = (ms: number): string => lowestId("aud", ms);
    const ids = [make(at), make(Date.UTC(2031, 5, 1)), make(Date.UTC(2031, 5, 1) - 1)];
    await appendRecords(
      database.pool,
      ids.map((id) => sampleRecord({ organization: "default", environment: "months" }, { id })),
    );
    const where = async () =>
      (
        await database.pool.query(
          "select tableoid::regclass::text as t, xid::text, n from audit_records where environment = 'months' order by n",
        )
      ).rows;
    const before = await where();
    expect(new Set(before.map((r) => r.t))).toEqual(new Set(["audit_records_default"]));
    const made = await Promise.all([
      ensurePartitions(database.pool, clock, 10),
      ensurePartitions(database.pool, clock, 10),
    ]);
    expect(made.toSorted((a, b) => a - b)[0]).toBe(0);
    expect(made[0] + made[1]).toBeGreaterThanOrEqual(8);
    const after = await where();
    expect(after.map((r) => r.t)).toEqual([
      "audit_records_y2031m05",
      "audit_records_y2031m06",
      "audit_records_y2031m05",
    ]);
    expect(after.map(({ xid, n }) => ({ xid, n }))).toEqual(before.map(({ xid, n }) => ({ xid, n })));
  });
});

describe("a log's name", () => {
  it("is refused where no key could carry it", () => {
    expect(originOf("aos.example", production)).toBe("aos.example/default/production");
    for (const bad of ["", "two words", "a+b"]) expect(() => originOf(bad, production)).toThrow(RangeError);
  });
});
