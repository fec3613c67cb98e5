import { createHash } from "node:crypto";
import { parseExportLine, utf8, verifyManifest } from "@aos/proof";
import { beforeAll, describe, expect, it } from "vitest";
import { createReader } from "../../../../db/reader.ts";
import { systemClock } from "../../../../kernel/clock.ts";
import type { JobParts, Statements } from "../../../../kernel/machines.ts";
import { useApp } from "../../../../testing/app.ts";
import { eventually } from "../../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import type { ExportPort } from "../../ports.ts";
import type { AuditExport } from "../../schemas.ts";
import { endLease, exportPort, fileOf, readExport, startExport, trustedKey, untilSequenced } from "../../testing.ts";
import { ocsfFaults } from "../ocsf.fixture.ts";
import { createExportJob } from "./export-job.ts";
import { exportSweep } from "./export-sweep.ts";

const app = useApp();
const process = useWorkerProcess(app);
let port: ExportPort;

beforeAll(async () => {
  port = await exportPort(app);
  await app.dispatch();
  await app.call("GET", "/v1/admin/whoami", { key: "viewer" });
  await app.call("POST", "/v1/agents/sales/tasks", { key: "viewer", body: {} });
});

const payloadOf = ({ export_id }: AuditExport) => ({ ...app.scope, export: export_id });
const db = (): Statements => createReader(process.database.pool);
/** Carries the job out, by default as a worker would. */
const work = (one: AuditExport, statements: Statements = db()): Promise<void> =>
  createExportJob({ db: statements, inside: process.inside, clock: systemClock }, port)(payloadOf(one));
const finished = async (body: Parameters<typeof startExport>[1]): Promise<AuditExport> => {
  const one = await startExport(app, body);
  await work(one);
  return readExport(app, one.export_id);
};
const partsOf = async (one: AuditExport): Promise<number> =>
  (await app.pool.query("select count(*)::int as n from audit_export_parts where export_id = $1", [one.export_id]))
    .rows[0].n;
type InsideCall = JobParts["inside"];
const rowOf = async (one: AuditExport) =>
  (await app.pool.query("select * from audit_exports where id = $1", [one.export_id])).rows[0];

/** Statements that fail, or wait, at the n-th that contains a text. */
function broken(text: string, nth: number, how: () => Promise<never>): Statements {
  const sound = db();
  let seen = 0;
  return {
    query: (statement, values) => (statement.includes(text) && ++seen === nth ? how() : sound.query(statement, values)),
  };
}
const failing = (text: string, nth = 1) => broken(text, nth, () => Promise.reject(new Error("the connection broke")));

describe("writing an export", () => {
  it.each(["jsonl", "csv", "ocsf"])(
    "makes a file in %s that verifies offline by its manifest, and tells so",
    async (format) => {
      const one = await finished({ format });
      expect(one).toMatchObject({ state: "completed", failure: null, finished_at: expect.any(String) });
      const file = await fileOf(app, one);
      const report = await verifyManifest(one.manifest as string, await trustedKey(app), [utf8(file)]);
      expect(report.findings).toEqual([]);
      expect(report.manifest).toMatchObject({
        export: one.export_id,
        format,
        filter: {},
        schema_version: one.schema_version,
        tree_size: one.tree_size,
      });
      expect(report).toMatchObject({ verified: true, rows: one.rows, bytes: one.bytes, sha256: one.digest });
      expect(one.rows).toBe(one.tree_size);
      expect(createHash("sha256").update(file).digest("hex")).toBe(one.digest);
      const { rows } = await app.pool.query(
        "select body from events where type = 'audit.export_ready' and body like $1",
        [`%${one.export_id}%`],
      );
      expect(rows.map(({ body }) => JSON.parse(body))).toEqual([
        { event: "audit.export_ready", export_id: one.export_id, format, rows: one.rows, digest: one.digest },
      ]);
    },
  );

  it("holds in JSONL the log's leaves, which lead to the signed root", async () => {
    const one = await finished({ format: "jsonl" });
    const file = await fileOf(app, one);
    expect((await verifyManifest(one.manifest as string, await trustedKey(app), [utf8(file)])).records).toBe("root");
    const lines = file.trimEnd().split("\n").map(parseExportLine);
    expect(lines.map(({ index }) => index)).toEqual([...lines.keys()]);
    const { body } = await app.call("GET", "/v1/audit/events?limit=100");
    const event = body.data.find(({ action }: { action: string }) => action === "agents.dispatchTask");
    const whole = await app.call("GET", `/v1/audit/events/${event.audit_ref}`);
    expect(lines[event.leaf.index]).toEqual({ kind: "leaf", index: event.leaf.index, record: whole.body.leaf_data });
  });

  it("holds in OCSF events of the schema that it names, the same number of them", async () => {
    const one = await finished({ format: "ocsf" });
    const events = (await fileOf(app, one))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events).toHaveLength(one.rows as number);
    expect(events.flatMap((event) => ocsfFaults(event))).toEqual([]);
    expect(new Set(events.map(({ metadata }) => metadata.version))).toEqual(new Set([one.schema_version]));
  });

  it("finds by each member of the filter what the list finds by it, and nothing else", async () => {
    const { body } = await app.call("GET", "/v1/audit/events?limit=100&action=agents.dispatchTask&decision=allowed");
    const { actor, action, object, task_id, key_id, leaf, time } = body.data[0];
    const later = new Date(Date.parse(time) + 1).toISOString();
    for (const filter of [
      { actor },
      { action },
      { object },
      { task: task_id },
      { key: key_id },
      { key: key_id, key_seq: leaf.key_seq },
      { decision: ["refused"] },
      { decision: ["allowed", "failed"] },
      { stage: ["permissions"] },
      { created_after: time, created_before: later },
      { from_leaf: leaf.index + 1 },
      { created_before: later },
    ]) {
      const one = await finished({ format: "jsonl", filter });
      const file = await fileOf(app, one);
      const report = await verifyManifest(one.manifest as string, await trustedKey(app), [utf8(file)]);
      expect([report.findings, report.manifest?.filter]).toEqual([[], filter]);
      const listed = new Set<number>();
      const query = new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, String(value)]));
      for (let cursor = ""; ; ) {
        const page = await app.call("GET", `/v1/audit/events?limit=100&${query}${cursor}`);
        for (const event of page.body.data) if (event.leaf.index < one.tree_size) listed.add(event.leaf.index);
        if (page.body.next_cursor === null) break;
        cursor = `&cursor=${page.body.next_cursor}`;
      }
      const exported =
        file === ""
          ? []
          : file
              .trimEnd()
              .split("\n")
              .map((line) => parseExportLine(line).index);
      expect([filter, exported]).toEqual([filter, [...listed].sort((a, b) => a - b)]);
      expect(exported.length, JSON.stringify(filter)).toBeGreaterThan(0);
      expect(exported.length, JSON.stringify(filter)).toBeLessThan(one.tree_size);
    }
  });

  it("holds nothing that came into the log after it was asked for", async () => {
    const one = await startExport(app, { format: "csv" });
    const { audit_ref } = await app.dispatch();
    await startExport(app, { format: "csv" }); // returns once the dispatch is in the log
    await work(one);
    expect(await fileOf(app, one)).not.toContain(audit_ref);
    expect((await readExport(app, one.export_id)).rows).toBe(one.tree_size);
  });

  it("holds nothing that concerns other agents where the key that asked is narrowed to some", async () => {
    const { task_id } = await app.dispatch();
    const issued = await app.call("POST", "/v1/admin/keys", {
      body: { name: "narrow", role: "admin", agents: ["support"] },
    });
    const supported = await app.call("POST", "/v1/agents", {
      body: { agent: "support", description: "Of the test.", model: { provider: "builtin" } },
    });
    await untilSequenced(app, supported.headers.get("audit-ref") as string);
    const one = await startExport(app, { format: "csv" }, { key: issued.body.key });
    await work(one);
    const done = await readExport(app, one.export_id);
    const { manifest } = await verifyManifest(done.manifest as string, await trustedKey(app), [
      utf8(await fileOf(app, done)),
    ]);
    expect(manifest?.filter).toEqual({ agents: ["support"] });
    expect(await fileOf(app, done)).not.toContain(task_id);
    expect(done.rows).toBeGreaterThan(0);
    expect(done.rows).toBeLessThan(done.tree_size);
  });

  it("makes an empty file of an empty selection, which verifies", async () => {
    for (const format of ["jsonl", "csv", "ocsf"]) {
      const one = await finished({ format, filter: { actor: "nobody" } });
      const file = await fileOf(app, one);
      expect([one.state, one.rows, file.split("\n").length]).toEqual(["completed", 0, format === "csv" ? 2 : 1]);
      expect((await verifyManifest(one.manifest as string, await trustedKey(app), [utf8(file)])).verified).toBe(true);
    }
  });
});

describe("an export whose worker is lost", () => {
  it("goes on with another, which makes the same file as one that was never lost", async () => {
    const lost = await startExport(app, { format: "ocsf", filter: { created_before: new Date().toISOString() } });
    const hung = Promise.withResolvers<never>();
    const atWork = Promise.withResolvers<void>();
    const first = work(
      lost,
      broken("with page as", 1, () => {
        atWork.resolve();
        return hung.promise;
      }),
    );
    await atWork.promise;
    await work(lost); // it is taken: nothing to do
    expect(await rowOf(lost)).toMatchObject({ state: "running", attempt: 1 });
    await endLease(app, lost);
    await work(lost);
    expect(await rowOf(lost)).toMatchObject({ state: "completed", attempt: 2 });
    const again = await startExport(app, { format: "ocsf", filter: { ...lost.filter } });
    await work(again);
    const [one, other] = [await readExport(app, lost.export_id), await readExport(app, again.export_id)];
    expect([one.digest, one.rows]).toEqual([other.digest, other.rows]);
    hung.reject(new Error("gone"));
    await expect(first).rejects.toThrow("gone");
    expect(await readExport(app, lost.export_id)).toEqual(one);
  });

  it("drops what the lost one had written, and lets it write nothing more", async () => {
    const one = await startExport(app, { format: "csv" });
    const resume = Promise.withResolvers<never>();
    const written = Promise.withResolvers<void>();
    const sound = db();
    const held: Statements = {
      query: async (text, values) => {
        if (text.includes("state = $5")) await resume.promise.catch(() => undefined);
        const rows = await sound.query(text, values);
        if (text.includes("insert into audit_export_parts")) {
          written.resolve();
          await resume.promise.catch(() => undefined);
          const again = await sound.query(text, (values as unknown[]).with(4, 1)); // a later part of the attempt that was taken for lost
          expect(again).toEqual([]);
        }
        return rows as never;
      },
    };
    const first = work(one, held);
    await written.promise;
    expect(await partsOf(one)).toBe(1);
    await endLease(app, one);
    await work(one);
    const done = await readExport(app, one.export_id);
    resume.reject(new Error("wakes up too late"));
    await first; // it finds itself lost, and that is no fault
    expect(await partsOf(one)).toBe(1);
    expect(await readExport(app, one.export_id)).toEqual(done);
    expect(
      (await verifyManifest(done.manifest as string, await trustedKey(app), [utf8(await fileOf(app, done))])).verified,
    ).toBe(true);
  });

  it("keeps its lease while one statement takes long", async () => {
    const one = await startExport(app, { format: "csv" });
    const [sound, renewals] = [db(), [Promise.withResolvers<void>(), Promise.withResolvers<void>()]];
    let renewed = 0;
    const slow: Statements = {
      query: async (text, values) => {
        if (text.includes("with page as")) {
          await renewals[0]?.promise;
          await endLease(app, one);
          renewed = 1;
          await renewals[1]?.promise;
          await work(one); // it is held: nothing to do
        }
        const [isRenewal, nth] = [text.startsWith("update audit_exports set lease_until"), renewed];
        const rows = await sound.query(text, values);
        if (isRenewal) renewals[nth]?.resolve();
        return rows as never;
      },
    };
    const parts = { db: slow, inside: process.inside, clock: systemClock };
    await createExportJob(parts, port, { renewMs: 1 })(payloadOf(one));
    expect(await rowOf(one)).toMatchObject({ state: "completed", attempt: 1 });
  });

  it("reads no more once its lease is another worker's", async () => {
    const one = await startExport(app, { format: "csv" });
    const sound = db();
    const lost = Promise.withResolvers<void>();
    const after: string[] = [];
    let isLost = false;
    const slow: Statements = {
      query: async (text, values) => {
        if (isLost) after.push(text);
        const rows = await sound.query(text, values);
        if (text.includes("update audit_exports set lease_until") && rows.length === 0) lost.resolve();
        if (text.includes("with page as")) {
          await app.pool.query("update audit_exports set attempt = 2 where id = $1", [one.export_id]); // as a claim does
          await lost.promise;
          isLost = true;
        }
        return rows as never;
      },
    };
    const parts = { db: slow, inside: process.inside, clock: systemClock };
    await createExportJob(parts, port, { renewMs: 1 })(payloadOf(one));
    expect(after.filter((text) => !text.includes("set lease_until = now()"))).toEqual([]);
    expect(await rowOf(one)).toMatchObject({ state: "running", attempt: 2, faults: 0 });
    expect(await partsOf(one)).toBe(0);
    await app.pool.query("update audit_exports set state = 'failed', finished_at = now() where id = $1", [
      one.export_id,
    ]);
  });

  it("is not given up where its worker lives after all", async () => {
    const one = await startExport(app, { format: "csv" });
    await expect(work(one, failing("with page as"))).rejects.toThrow();
    await app.pool.query("update audit_exports set attempt = 6 where id = $1", [one.export_id]);
    await endLease(app, one);
    const renewing: InsideCall = async (operation, scope, params) => {
      await app.pool.query("update audit_exports set lease_until = now() + interval '25 seconds' where id = $1", [
        one.export_id,
      ]);
      return process.inside(operation, scope, params);
    };
    await exportSweep.run({ db: db(), inside: renewing, facts: app.app.facts, port: app.app.port, now: Date.now() });
    expect((await rowOf(one)).state).toBe("running");
    await app.pool.query("update audit_exports set state = 'failed', finished_at = now() where id = $1", [
      one.export_id,
    ]);
  });

  it("is given up although another one, which is older, cannot be", async () => {
    const [faulty, one] = [await startExport(app, { format: "csv" }), await startExport(app, { format: "csv" })];
    await app.pool.query(
      "update audit_exports set state = 'running', attempt = 5, lease_until = now() where id = any($1)",
      [[faulty.export_id, one.export_id]],
    );
    const failingOnce: InsideCall = (operation, scope, params) =>
      (params as { export?: string }).export === faulty.export_id
        ? Promise.reject(new Error("the connection broke"))
        : process.inside(operation, scope, params);
    const parts = { db: db(), inside: failingOnce, facts: app.app.facts, port: app.app.port, now: Date.now() };
    await expect(exportSweep.run(parts)).rejects.toThrow("1 exports could not be given up");
    expect([(await rowOf(faulty)).state, (await rowOf(one)).state]).toEqual(["running", "failed"]);
    await exportSweep.run({ ...parts, inside: process.inside });
    expect((await rowOf(faulty)).state).toBe("failed");
  });

  it("waits after a statement that fails, and is made by the next attempt", async () => {
    const one = await startExport(app, { format: "jsonl" });
    await expect(work(one, failing("insert into audit_export_parts"))).rejects.toThrow("the connection broke");
    await work(one); // it waits: nothing to do
    expect(await rowOf(one)).toMatchObject({ state: "running", attempt: 1, faults: 1 });
    await endLease(app, one);
    await work(one);
    expect(await rowOf(one)).toMatchObject({ state: "completed", attempt: 2 });
  });

  it("is given up after five lost workers, and says so", async () => {
    const one = await startExport(app, { format: "jsonl" });
    await expect(work(one, failing("with page as"))).rejects.toThrow();
    await app.pool.query("update audit_exports set attempt = 6 where id = $1", [one.export_id]); // five more workers were lost
    await endLease(app, one);
    await work(one);
    expect(await rowOf(one)).toMatchObject({ state: "running", attempt: 6, faults: 1 });
    await process.sweeperWith([exportSweep]).sweep();
    expect(process.faults).toEqual([]);
    expect(await readExport(app, one.export_id)).toMatchObject({
      state: "failed",
      failure: "Its worker was lost in each of 5 attempts.",
      digest: null,
      manifest: null,
    });
    expect(await partsOf(one)).toBe(0);
    const file = await app.call("GET", `/v1/audit/exports/${one.export_id}`, {
      headers: { accept: "application/x-ndjson" },
    });
    expect(file.body).toMatchObject({
      status: 409,
      code: "export_failed",
      detail: expect.stringContaining("5 attempts"),
    });
  });

  it("is found by the sweep: one whose lease lapsed, and one whose wake-up was lost, each woken once", async () => {
    const [lapsed, forgotten, fresh] = [
      await startExport(app, { format: "csv" }),
      await startExport(app, { format: "csv" }),
      await startExport(app, { format: "csv" }),
    ];
    await expect(work(lapsed, failing("with page as"))).rejects.toThrow();
    await endLease(app, lapsed);
    const age = (one: AuditExport, seconds: number) =>
      app.pool.query("update audit_exports set created_at = now() - $2 * interval '1 second' where id = $1", [
        one.export_id,
        seconds,
      ]);
    await age(forgotten, 6);
    await age(fresh, -60); // however slow the machine is
    await app.pool.query("delete from graphile_worker._private_jobs");
    await process.sweeperWith([exportSweep]).sweep();
    await process.sweeperWith([exportSweep]).sweep();
    const wakeUps = async ({ export_id }: AuditExport): Promise<number> =>
      (await app.pool.query("select from graphile_worker._private_jobs where payload->>'export' = $1", [export_id]))
        .rowCount ?? 0;
    expect([await wakeUps(lapsed), await wakeUps(forgotten), await wakeUps(fresh)]).toEqual([1, 1, 0]);
    expect((await readExport(app, fresh.export_id)).state).toBe("queued");
  });
});

describe("the job in a worker", () => {
  it("is done by whichever process takes it, soon after it was asked for", async () => {
    const worker = await process.worker();
    const one = await startExport(app, { format: "jsonl", filter: { decision: ["refused"] } });
    const done = await eventually(async () => {
      const now = await readExport(app, one.export_id);
      expect(now.state).toBe("completed");
      return now;
    });
    expect(
      (await verifyManifest(done.manifest as string, await trustedKey(app), [utf8(await fileOf(app, done))])).verified,
    ).toBe(true);
    await worker.stop(0);
  });

  it("drops a wake-up that names nothing", async () => {
    for (const payload of [
      null,
      {},
      { ...app.scope },
      { ...app.scope, environment: "x", export: "exp_1" },
      { ...app.scope, export: "exp_1" },
    ]) {
      await createExportJob({ db: db(), inside: process.inside, clock: systemClock }, port)(payload);
    }
    expect(process.faults).toEqual([]);
  });
});

describe("an export of records whose salt is gone", () => {
  it("completes where a call erased it, and fails where it was deleted in the database", async () => {
    const started = await app.call("POST", "/v1/chat/conversations", { body: { agent: "sales" } });
    const { conversation_id: id } = started.body;
    expect((await app.call("DELETE", `/v1/chat/conversations/${id}?erase=now`, { body: {} })).status).toBe(200);
    expect(await finished({ format: "jsonl" })).toMatchObject({ state: "completed", failure: null });
    const { audit_ref } = await app.dispatch({ lead_id: "ld_1021" });
    await app.pool.query("delete from audit_salts where subject = 'ld_1021'");
    const failed = await finished({ format: "jsonl" });
    expect(failed).toMatchObject({ state: "failed", manifest: null });
    expect(failed.failure).toContain(`The record ${audit_ref} of the log has lost the salt of its commitments`);
  });
});
