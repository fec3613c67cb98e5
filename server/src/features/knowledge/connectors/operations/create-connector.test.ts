import { beforeAll, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();
const where = "/v1/knowledge/bases/shelf-attached/connectors";
const create = (body: object) => app.call("POST", where, { body });
const postgres = {
  kind: "postgres",
  source: { host: "db.example.com", database: "shop", query: "select 1 as id", columns: { id: "id" } },
  credentials: { user: "reader", password: "a-secret-password" },
};

beforeAll(async () => {
  await app.call("POST", "/v1/knowledge/bases", { body: { name: "shelf-attached" } });
});

it("attaches a source whose credentials nobody sees again", async () => {
  const made = await create({ name: "shop", ...postgres, schedule: { cron: "0 3 * * *" }, readers: ["role:operator"] });
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({
    name: "shop",
    kind: "postgres",
    source: postgres.source,
    has_credentials: true,
    connection: null,
    schedule: { cron: "0 3 * * *", time_zone: "UTC" },
    readers: ["role:operator"],
    keep_removed: false,
    state: "active",
    items: 0,
    last_sync: null,
    next_run_at: expect.any(String),
  });
  const listed = await app.call("GET", where);
  expect(listed.body.data).toEqual([made.body]);
  const { rows } = await app.pool.query(
    "select c::text as row, encode(credentials, 'escape') as sealed from knowledge_connectors c union all select r::text, '' from audit_records r",
  );
  expect(JSON.stringify([rows, made.body, listed.body])).not.toContain("a-secret-password");
});

it("refuses a name that the base has", async () => {
  await create({ name: "twice", kind: "feed", source: { url: "https://example.com/feed" } });
  const again = await create({ name: "twice", kind: "feed", source: { url: "https://example.com/feed" } });
  expect([again.status, again.body.code]).toEqual([409, "connector_exists"]);
});

it.each([
  ["/source/path", "folders_off", { kind: "folder", source: { path: "/etc" } }],
  ["/source/url", "required", { kind: "website", source: {} }],
  ["/source/url", "address_invalid", { kind: "feed", source: { url: "https://user:pass@example.com/" } }],
  ["/source/bucket", "pattern", { kind: "s3", source: { endpoint: "https://s3.example.com", bucket: "../x" } }],
  ["/source/most", "unknown_field", { kind: "feed", source: { url: "https://example.com/", most: 1 } }],
  ["/source/host", "pattern", { ...postgres, source: { ...postgres.source, host: "/var/run/postgresql" } }],
  ["/credentials", "required", { ...postgres, credentials: undefined }],
  ["/readers/0", "pattern", { ...postgres, readers: ["role:admins"] }],
  ["/credentials/password", "required", { ...postgres, credentials: { user: "reader" } }],
  [
    "/credentials",
    "not_for_kind",
    { kind: "feed", source: { url: "https://example.com/" }, credentials: { user: "a" } },
  ],
  ["/connection", "not_for_kind", { ...postgres, connection: "crm" }],
  ["/schedule/cron", "not_cron", { ...postgres, schedule: { cron: "every day" } }],
  ["/readers/0", "pattern", { ...postgres, readers: ["everybody"] }],
])("names %s (%s) where it is wrong", async (pointer, code, body) => {
  const { status, body: problem } = await create({ name: "wrong", ...body });
  expect([status, problem.errors]).toMatchObject([422, [{ pointer, code }]]);
});

it("reaches plain http on this machine in development alone", async () => {
  const body = { name: "here", kind: "feed", source: { url: "http://127.0.0.1:9/feed" } };
  await app.call("POST", "/v1/knowledge/bases", { environment: "production", body: { name: "shelf-attached" } });
  const refused = await app.call("POST", where, { environment: "production", body });
  expect(refused.body.errors).toMatchObject([{ pointer: "/source/url", code: "https_required" }]);
  expect((await create(body)).status).toBe(201);
});
