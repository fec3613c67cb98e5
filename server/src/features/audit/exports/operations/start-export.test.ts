import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();
const start = (body: unknown, options = {}) => app.call("POST", "/v1/audit/exports", { body, ...options });
const rowOf = async (id: string) => (await app.pool.query("select * from audit_exports where id = $1", [id])).rows[0];
const jobsFor = async (id: string) =>
  (
    await app.pool.query("select payload, task_id from graphile_worker._private_jobs where payload->>'export' = $1", [
      id,
    ])
  ).rows;

describe("starting an export", () => {
  it("is accepted with where it can be read, keeps what was asked for, and wakes a worker", async () => {
    const filter = { decision: ["refused", "failed"], stage: ["compliance"], created_after: "2026-01-01T00:00:00Z" };
    const { status, headers, body } = await start({ format: "ocsf", filter });
    expect([status, headers.get("location"), headers.get("retry-after")]).toEqual([
      202,
      `/v1/audit/exports/${body.export_id}`,
      "1",
    ]);
    expect(body).toEqual({
      export_id: expect.stringMatching(/^exp_[0-9a-hjkmnp-tv-z]{26}$/),
      format: "ocsf",
      schema_version: "1.3.0",
      filter,
      state: "queued",
      tree_size: expect.any(Number),
      rows: null,
      bytes: null,
      digest: null,
      manifest: null,
      log_key: expect.stringMatching(/\/default\/development\+[0-9a-f]{8}\+/),
      failure: null,
      created_at: expect.any(String),
      finished_at: null,
      requested_by: expect.stringMatching(/^mbr_/),
    });
    expect(await rowOf(body.export_id)).toMatchObject({
      format: "ocsf",
      filter,
      state: "queued",
      attempt: 0,
      principal: body.requested_by,
    });
    expect(await jobsFor(body.export_id)).toMatchObject([{ payload: { ...app.scope, export: body.export_id } }]);
    expect((await app.call("GET", `/v1/audit/exports/${body.export_id}`)).body).toEqual(body);
  });

  it("is itself in the audit log, with the export as its object", async () => {
    const { headers, body } = await start({ format: "csv" });
    const record = await app.call("GET", `/v1/audit/events/${headers.get("audit-ref")}`);
    expect(record.body).toMatchObject({
      action: "audit.startExport",
      object: `export:${body.export_id}`,
      decision: "allowed",
      status: 202,
    });
  });

  it("takes each form, and names the version of each", async () => {
    const versions = { jsonl: "aos-audit-jsonl v2", csv: "aos-audit-csv v2", ocsf: "1.3.0" };
    for (const [format, version] of Object.entries(versions)) {
      expect((await start({ format })).body).toMatchObject({ format, schema_version: version, filter: {} });
    }
  });

  it("holds the head of the log at that moment", async () => {
    const { body } = await start({ format: "csv" }, { environment: "production" });
    const checkpoint = await app.call("GET", "/v1/audit/checkpoint", { environment: "production" });
    expect(body.tree_size).toBeLessThanOrEqual(Number(checkpoint.text.split("\n")[1]));
    expect(body.log_key).toContain("/default/production+");
  });

  it("keeps with the filter the agents that the key is narrowed to", async () => {
    const issued = await app.call("POST", "/v1/admin/keys", {
      body: { name: "narrow", role: "admin", agents: ["support", "sales"] },
    });
    const { body } = await start({ format: "csv", filter: { actor: "mbr_1" } }, { key: issued.body.key });
    expect(body.filter).toEqual({ actor: "mbr_1", agents: ["sales", "support"] });
  });

  it("refuses a form, a filter or a member of it that there is not, naming each", async () => {
    for (const [body, pointer] of [
      [{}, "/format"],
      [{ format: "xml" }, "/format"],
      [{ format: "csv", filter: { agents: ["sales"] } }, "/filter/agents"],
      [{ format: "csv", filter: { decision: ["denied"] } }, "/filter/decision/0"],
      [{ format: "csv", filter: { decision: [] } }, "/filter/decision"],
      [{ format: "csv", filter: { stage: "compliance" } }, "/filter/stage"],
      [{ format: "csv", filter: { created_after: "yesterday" } }, "/filter/created_after"],
      [{ format: "csv", filter: { key_seq: 0 } }, "/filter/key_seq"],
      [{ format: "csv", filter: { actor: "" } }, "/filter/actor"],
      [{ format: "csv", environment: "production" }, "/environment"],
    ] as const) {
      const answered = await start(body);
      expect(
        [answered.status, answered.body.errors.map((fault: { pointer: string }) => fault.pointer)],
        JSON.stringify(body),
      ).toEqual([422, [pointer]]);
    }
  });
});
