import { beforeAll, describe, expect, it } from "vitest";
import { createReader } from "../../../../db/reader.ts";
import { systemClock } from "../../../../kernel/clock.ts";
import { useApp } from "../../../../testing/app.ts";
import { eventually } from "../../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import type { AuditExport } from "../../schemas.ts";
import { exportPort, fileOf, startExport } from "../../testing.ts";
import { createExportJob } from "../jobs/export-job.ts";

const app = useApp();
const process = useWorkerProcess(app);

async function finished(format: string, options = {}): Promise<AuditExport> {
  const one = await startExport(app, { format }, options);
  const parts = { db: createReader(process.database.pool), inside: process.inside, clock: systemClock };
  await createExportJob(parts, await exportPort(app))({ ...app.scope, export: one.export_id });
  return one;
}
const read = (id: string, accept?: string, options = {}) =>
  app.call("GET", `/v1/audit/exports/${id}`, { headers: accept === undefined ? {} : { accept }, ...options });
const narrowed = async (...agents: string[]): Promise<string> =>
  (await app.call("POST", "/v1/admin/keys", { body: { name: "narrow", role: "admin", agents } })).body.key;

describe("reading an export", () => {
  let csv: AuditExport;

  beforeAll(async () => {
    await app.dispatch();
    csv = await finished("csv");
  });

  it("answers its state as JSON, also to a client that takes anything", async () => {
    for (const accept of [undefined, "*/*", "application/json"]) {
      const { status, headers, body } = await read(csv.export_id, accept);
      expect([status, headers.get("content-type")]).toEqual([200, "application/json"]);
      expect(body).toMatchObject({
        export_id: csv.export_id,
        state: "completed",
        rows: csv.tree_size,
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      });
      expect(body.manifest.split("\n")[0]).toBe("aos-audit-export v2");
    }
  });

  it("is awaited where the caller does", async () => {
    const { export_id } = await startExport(app, { format: "jsonl" });
    const waited = app.call("GET", `/v1/audit/exports/${export_id}`, { headers: { prefer: "wait=30" } });
    const parts = { db: createReader(process.database.pool), inside: process.inside, clock: systemClock };
    await createExportJob(parts, await exportPort(app))({ ...app.scope, export: export_id });
    const { body, headers } = await waited;
    expect([body.state, headers.get("preference-applied")]).toEqual(["completed", "wait=30"]);
  });

  it("answers the version that a file was written in, whatever would be written today", async () => {
    await app.pool.query(
      "update audit_exports set manifest = replace(manifest, 'aos-audit-csv v2', 'aos-audit-csv v0') where id = $1",
      [csv.export_id],
    );
    expect((await read(csv.export_id)).body.schema_version).toBe("aos-audit-csv v0");
    await app.pool.query(
      "update audit_exports set manifest = replace(manifest, 'aos-audit-csv v0', 'aos-audit-csv v2') where id = $1",
      [csv.export_id],
    );
  });

  it("answers the file in its own media type, part after part, and records it once", async () => {
    const whole = await fileOf(app, csv);
    const { rows } = await app.pool.query("select data from audit_export_parts where export_id = $1", [csv.export_id]);
    expect(whole).toBe(rows[0].data.toString());
    await app.pool.query(
      `insert into audit_export_parts select organization, environment, export_id, 1, 0, substring(data from 101) from audit_export_parts where export_id = $1`,
      [csv.export_id],
    );
    await app.pool.query(
      "update audit_export_parts set data = substring(data for 100) where export_id = $1 and n = 0",
      [csv.export_id],
    );
    expect(await fileOf(app, csv)).toBe(whole);
    const { headers } = await read(csv.export_id, "text/csv");
    const { rowCount } = await app.pool.query("select from audit_records where id = $1 and body like $2", [
      headers.get("audit-ref"),
      `%"object":"export:${csv.export_id}","operation":"audit.readExport"%`,
    ]);
    expect(rowCount).toBe(1);
  });

  it("answers 406 to who accepts only another form, naming what there is", async () => {
    const ndjson = await read(csv.export_id, "application/x-ndjson");
    expect(ndjson.body).toMatchObject({
      status: 406,
      code: "not_acceptable",
      acceptable: ["application/json", "text/csv"],
    });
    for (const format of ["jsonl", "ocsf"]) {
      const { body } = await read((await finished(format)).export_id, "text/csv");
      expect(body).toMatchObject({ status: 406, acceptable: ["application/json", "application/x-ndjson"] });
    }
    expect((await read(csv.export_id, "image/png")).body).toMatchObject({ status: 406, code: "not_acceptable" });
  });

  it("answers 409 while the file is not finished, and the state all the same", async () => {
    const one = await startExport(app, { format: "jsonl" });
    for (const state of ["queued", "running"]) {
      await app.pool.query("update audit_exports set state = $2 where id = $1", [one.export_id, state]);
      const file = await read(one.export_id, "application/x-ndjson");
      expect(file.body).toMatchObject({
        status: 409,
        code: "export_not_ready",
        retryable: true,
        detail: expect.stringContaining(state),
      });
      expect(file.headers.get("retry-after")).toBe("1");
      expect((await read(one.export_id)).body.state).toBe(state);
    }
  });

  it("answers 409 for good where the export failed, with why", async () => {
    const one = await startExport(app, { format: "jsonl" });
    await app.pool.query("update audit_exports set state = 'failed', failure = 'It is only a test.' where id = $1", [
      one.export_id,
    ]);
    expect((await read(one.export_id)).body).toMatchObject({ state: "failed", failure: "It is only a test." });
    const file = await read(one.export_id, "application/x-ndjson");
    expect(file.body).toMatchObject({
      status: 409,
      code: "export_failed",
      retryable: false,
      detail: expect.stringContaining("only a test"),
    });
  });

  it("shows a key that is narrowed to agents only exports that were narrowed to some of the same", async () => {
    const [both, sales] = [await narrowed("sales", "support"), await narrowed("sales")];
    const [ofBoth, ofSales] = [await finished("csv", { key: both }), await finished("csv", { key: sales })];
    const seen = async (key: string) =>
      Promise.all(
        [csv, ofBoth, ofSales].map(async ({ export_id }) => (await read(export_id, "text/csv", { key })).status),
      );
    expect(await seen(both)).toEqual([403, 200, 200]);
    expect(await seen(sales)).toEqual([403, 403, 200]);
    expect(await seen("admin")).toEqual([200, 200, 200]);
  });

  it("breaks the transfer off where the key is revoked in the middle, so that what came does not look whole", async () => {
    const issued = await app.call("POST", "/v1/admin/keys", {
      body: { name: "short", role: "auditor", for: { service_account: "archiver" } },
    });
    const large = await finished("jsonl");
    // Parts so large that not all of them fit into the buffers between the service and a client that does not read.
    await app.pool.query("update audit_exports set bytes = 40 * 1000000 where id = $1", [large.export_id]);
    await app.pool.query("delete from audit_export_parts where export_id = $1", [large.export_id]);
    await app.pool.query(
      `insert into audit_export_parts select 'default', 'development', $1, n, 1, convert_to(repeat('x', 1000000), 'UTF8') from generate_series(0, 39) n`,
      [large.export_id],
    );
    const headers = { accept: "application/x-ndjson", authorization: `Bearer ${issued.body.key}` };
    const answered = await fetch(`${app.url}/v1/audit/exports/${large.export_id}`, { headers });
    expect(answered.status).toBe(200);
    expect((await app.call("DELETE", `/v1/admin/keys/${issued.body.key_id}`, { body: {} })).status).toBeLessThan(300);
    await eventually(async () =>
      expect((await app.call("GET", "/v1/admin/whoami", { key: issued.body.key })).status).toBe(401),
    );
    await expect(answered.text()).rejects.toThrow();
  });
});
