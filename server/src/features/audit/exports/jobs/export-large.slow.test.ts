import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { verifyManifest } from "@aos/proof";
import { beforeAll, describe, expect, it } from "vitest";
import { appendRecords, sampleRecord } from "../../../../audit-log/testing.ts";
import { createReader } from "../../../../db/reader.ts";
import { systemClock } from "../../../../kernel/clock.ts";
import type { Statements } from "../../../../kernel/machines.ts";
import { useApp } from "../../../../testing/app.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import type { AuditExport } from "../../schemas.ts";
import { endLease, exportPort, readExport, startExport, trustedKey } from "../../testing.ts";
import { createExportJob } from "./export-job.ts";

const records = 25_000;
const app = useApp();
const process = useWorkerProcess(app);

setFlagsFromString("--expose_gc");
const collect = runInNewContext("gc") as () => void;
/** Bytes that are really in use: heap, and what lies outside of it. */
const inUse = (): number => {
  collect();
  const { heapUsed, external } = globalThis.process.memoryUsage();
  return heapUsed + external;
};

beforeAll(async () => {
  for (let done = 0; done < records; done += 5_000) {
    await appendRecords(
      app.pool,
      Array.from({ length: 5_000 }, () => sampleRecord(app.scope, { environment: "development" })),
    );
  }
}, 120_000);

const parts = (db: Statements) => ({ db, inside: process.inside, clock: systemClock });
const sound = (): Statements => createReader(process.database.pool);
const payloadOf = ({ export_id }: AuditExport) => ({ ...app.scope, export: export_id });

/** The file of an export, part after part; samples the memory in use with each. */
async function* partsOf(one: AuditExport, samples: number[]): AsyncGenerator<Uint8Array> {
  for (let n = 0; ; n++) {
    const { rows } = await app.pool.query<{ data: Buffer }>(
      "select data from audit_export_parts where export_id = $1 and n = $2",
      [one.export_id, n],
    );
    if (!rows[0]) return;
    yield rows[0].data;
    samples.push(inUse());
  }
}

/** By how much memory in use rose after a start in which buffers and code take their place. */
const growth = (samples: readonly number[]): number => Math.max(...samples.slice(5)) - Math.max(...samples.slice(2, 5));

describe("an export of many records", () => {
  it("is written and verified with memory that does not grow with it", { timeout: 120_000 }, async () => {
    const one = await startExport(app, { format: "jsonl" });
    expect(one.tree_size).toBe(records);
    const [written, verified]: [number[], number[]] = [[], []];
    const watched: Statements = {
      query: async (text, values) => {
        if (text.includes("insert into audit_export_parts")) written.push(inUse());
        return sound().query(text, values);
      },
    };
    await createExportJob(parts(watched), await exportPort(app))(payloadOf(one));
    const done = await readExport(app, one.export_id);
    expect(done).toMatchObject({ state: "completed", rows: one.tree_size });
    expect(done.bytes).toBeGreaterThan(20_000_000);

    const report = await verifyManifest(done.manifest as string, await trustedKey(app), partsOf(done, verified));
    expect(report).toMatchObject({ verified: true, records: "root", rows: one.tree_size, sha256: done.digest });
    expect(Math.min(written.length, verified.length)).toBeGreaterThan(20);
    expect(growth(written)).toBeLessThan(4_000_000);
    expect(growth(verified)).toBeLessThan(4_000_000);
  });

  it("is the same file where its worker is lost in the middle and another begins again", {
    timeout: 120_000,
  }, async () => {
    const one = await startExport(app, { format: "jsonl", filter: { created_before: "2100-01-01T00:00:00Z" } });
    const whole = await startExport(app, { format: "jsonl", filter: { created_before: "2100-01-01T00:00:00Z" } });
    await app.pool.query("update audit_exports set tree_size = $2 where id = $1", [whole.export_id, one.tree_size]);
    const port = await exportPort(app);
    let written = 0;
    const breaking: Statements = {
      query: (text, values) =>
        text.includes("insert into audit_export_parts") && ++written > 10
          ? Promise.reject(new Error("killed"))
          : sound().query(text, values),
    };
    await expect(createExportJob(parts(breaking), port)(payloadOf(one))).rejects.toThrow("killed");
    const left = async (id: string) =>
      (await app.pool.query("select count(*)::int as n from audit_export_parts where export_id = $1", [id])).rows[0].n;
    expect(await left(one.export_id)).toBe(10);
    await endLease(app, one);
    for (const each of [one, whole]) await createExportJob(parts(sound()), port)(payloadOf(each));
    const [again, once] = [await readExport(app, one.export_id), await readExport(app, whole.export_id)];
    expect([again.state, again.rows, again.digest]).toEqual(["completed", once.rows, once.digest]);
    expect(await left(one.export_id)).toBe(await left(whole.export_id));
  });
});
