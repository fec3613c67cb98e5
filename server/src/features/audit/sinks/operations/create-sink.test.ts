import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { mostSinks } from "../resource.ts";

const app = useSharedApp();
const splunk = {
  name: "Splunk",
  kind: "splunk_hec",
  target: { url: "http://127.0.0.1:9" },
  credentials: { token: "the-token" },
};
const create = (body: object, options = {}) => app.call("POST", "/v1/audit/sinks", { body, ...options });

describe("setting up a sink", () => {
  it("keeps its credentials sealed, and nobody reads them again", async () => {
    const { status, body, text, headers } = await create(splunk);
    expect([status, body.has_credentials, body.state]).toEqual([201, true, "active"]);
    expect(headers.get("location")).toBe(`/v1/audit/sinks/${body.sink_id}`);
    const { rows } = await app.pool.query(
      "select row_to_json(s)::text as row, credentials from audit_sinks s where id = $1",
      [body.sink_id],
    );
    for (const said of [
      text,
      (await app.call("GET", "/v1/audit/sinks")).text,
      rows[0].row,
      rows[0].credentials.toString("latin1"),
    ])
      expect(said).not.toContain("the-token");
  });

  it("tells all faults of target and credentials at once", async () => {
    const wrong = { ...splunk, target: { url: "http://127.0.0.1:9", port: 9 }, credentials: { key: "x" } };
    expect((await create(wrong)).body.errors).toMatchObject([
      { pointer: "/target/port" },
      { pointer: "/credentials/token" },
      { pointer: "/credentials/key" },
    ]);
    const { credentials: _credentials, ...without } = splunk;
    expect((await create(without)).body.errors).toMatchObject([{ pointer: "/credentials", code: "required" }]);
  });

  it.each([
    ["development", "url", { ...splunk, target: { url: "https://10.0.0.8:8088" } }, "address_refused"],
    ["staging", "url", { ...splunk, target: { url: "http://splunk.example.com" } }, "https_required"],
    ["staging", "host", { name: "Syslog", kind: "syslog", target: { host: "169.254.169.254" } }, "address_refused"],
    ["staging", "host", { name: "Syslog", kind: "syslog", target: { host: "::1" } }, "address_refused"],
    [
      "production",
      "endpoint",
      {
        name: "S3",
        kind: "s3",
        target: { endpoint: "https://127.0.0.1", bucket: "logs" },
        credentials: { access_key_id: "a", secret_access_key: "b" },
      },
      "address_refused",
    ],
  ] as const)("refuses in %s a %s that must not be called: %j", async (environment, member, body, code) => {
    const { status, body: problem } = await create(body, { environment });
    expect([status, problem.errors]).toMatchObject([422, [{ pointer: `/target/${member}`, code }]]);
  });

  it("answers log_shorter_than_requested for a place that the log does not have", async () => {
    const { status, body } = await create({ ...splunk, from_leaf: 1_000_000 });
    expect([status, body.code]).toEqual([409, "log_shorter_than_requested"]);
  });

  it("is refused to keys that are narrowed to agents, and to roles that may not export the log", async () => {
    const narrowed = (
      await app.call("POST", "/v1/admin/keys", { body: { name: "narrowed", role: "admin", agents: ["sales"] } })
    ).body.key;
    for (const key of [narrowed, "operator"])
      expect((await create(splunk, { key })).body.code).toBe("insufficient_scope");
    expect((await create(splunk, { key: "auditor" })).status).toBe(201);
  });

  it("answers too_many_sinks where the environment has as many as it may have", async () => {
    await app.pool.query(
      `insert into audit_sinks (organization, environment, id, name, kind, target, filter, format, created_by, actor, epoch, since_leaf, next_leaf, range_from, next_at, created_at, updated_at)
       select 'default', 'production', 'snk_' || lpad(n::text, 26, '0'), 'One', 'otlp', '{}', '{}', 'json', 'test', '{}', 0, 0, 0, 0, 'infinity', now(), now() from generate_series(1, $1::int) n`,
      [mostSinks],
    );
    const body = { ...splunk, target: { url: "https://splunk.invalid" } };
    expect((await create(body, { environment: "production" })).body.code).toBe("too_many_sinks");
    await app.pool.query("delete from audit_sinks where environment = 'production'");
  });
});

describe("changing a sink", () => {
  it("checks credentials by its kind, and takes nothing that was changed meanwhile", async () => {
    const { sink_id } = (await create(splunk)).body;
    const path = `/v1/audit/sinks/${sink_id}`;
    const wrong = await app.call("PATCH", path, { body: { credentials: { signing_secret: "x" } } });
    expect(wrong.body.errors).toMatchObject([
      { pointer: "/credentials/token" },
      { pointer: "/credentials/signing_secret" },
    ]);
    const tag = (await app.call("GET", path)).headers.get("etag") as string;
    const renamed = await app.call("PATCH", path, { body: { name: "Other" }, headers: { "if-match": tag } });
    expect(renamed.body).toMatchObject({ name: "Other", revision: 2 });
    expect((await app.call("PATCH", path, { body: { state: "paused" }, headers: { "if-match": tag } })).status).toBe(
      412,
    );
    expect((await app.call("DELETE", path)).body).toEqual({ sink_id, removed: true });
    expect((await app.call("GET", path)).status).toBe(404);
  });
});
