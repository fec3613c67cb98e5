import { expect, it } from "vitest";
import { bodyLimit, depthLimit } from "../../../../kernel/body-bounds.ts";
import { longestWait } from "../../../../pipeline/prefer.ts";
import { startTestApp, useApp } from "../../../../testing/app.ts";

const app = useApp();

it("shows the standards where nothing was set, under revision 0", async () => {
  const { status, body, headers } = await app.call("GET", "/v1/admin/settings");
  expect([status, headers.get("etag")]).toEqual([200, '"0-json"']);
  const approvals = { expires_in_seconds: null, on_expiry: "reject" };
  expect(body).toMatchObject({
    environment: "development",
    revision: 0,
    settings: {
      rate: { per_second: 100 },
      approvals: { low: approvals, medium: approvals, high: approvals, critical: approvals },
    },
  });
});

it("is for admins", async () => {
  const { status, body } = await app.call("GET", "/v1/admin/settings", { key: "auditor" });
  expect([status, body.missing_scope]).toEqual([403, "admin:read"]);
});

it("names the limits that the service really has", async () => {
  const { limits } = (await app.call("GET", "/v1/admin/settings")).body;
  expect(limits).toMatchObject({
    json_body_bytes: bodyLimit,
    json_depth: depthLimit,
    wait_seconds: longestWait,
    idempotency_hours: 24,
  });
  expect(app.app.server?.server.requestTimeout).toBe(limits.request_seconds * 1000);
  const withHeader = async (length: number) =>
    fetch(`${app.url}/v1/admin/whoami`, {
      headers: { authorization: `Bearer ${app.key("viewer")}`, "x-long": "x".repeat(length) },
    });
  expect((await withHeader(limits.headers_bytes - 1_024)).status).toBe(200);
  expect((await withHeader(limits.headers_bytes)).status).toBe(431);
  expect((await app.call("GET", `/v1/admin/keys?limit=${limits.page_items}`)).status).toBe(200);
  expect((await app.call("GET", `/v1/admin/keys?limit=${limits.page_items + 1}`)).status).toBe(400);
  const items = (count: number) => ({ items: Array.from({ length: count }, () => ({ agent: "nobody", task: "x" })) });
  const batch = (count: number) => app.call("POST", "/v1/tasks/batch?dry_run=true", { body: items(count) });
  expect((await batch(limits.batch_items)).status).toBe(200);
  expect((await batch(limits.batch_items + 1)).status).toBe(422);
});

it("survives a restart, and is of its environment alone", async () => {
  await app.call("PATCH", "/v1/admin/settings", {
    body: { settings: { rate: { per_second: 77 } } },
    headers: { "if-match": '"0-json"' },
    environment: "staging",
  });
  const other = await startTestApp({ connectionString: app.connectionString });
  try {
    const rate = async (environment: "staging" | "production") =>
      (await other.call("GET", "/v1/admin/settings", { key: app.key("admin", environment) })).body.settings.rate
        .per_second;
    expect([await rate("staging"), await rate("production")]).toEqual([77, 100]);
  } finally {
    await other.close();
  }
});
