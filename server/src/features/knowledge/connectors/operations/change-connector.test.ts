import { beforeAll, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";

const app = useApp();
const where = "/v1/knowledge/bases/shelf/connectors";
const source = { host: "db.example.com", database: "shop", query: "select 1 as id", columns: { id: "id" } };
const credentials = { user: "reader", password: "a-secret-password" };
const change = (body: object, headers = {}) => app.call("PATCH", `${where}/shop`, { body, headers });

beforeAll(async () => {
  await app.call("POST", "/v1/knowledge/bases", { body: { name: "shelf" } });
  await app.call("POST", where, { body: { name: "shop", kind: "postgres", source, credentials } });
});

it("pauses and resumes a connector, which then runs at its next time", async () => {
  await change({ schedule: { cron: "0 3 * * *" } });
  expect((await change({ state: "paused" })).body).toMatchObject({ state: "paused", next_run_at: null });
  const started = await app.call("POST", "/v1/knowledge/bases/shelf/sync", { body: { connector: "shop" } });
  expect([started.status, started.body.code]).toEqual([409, "wrong_state"]);
  expect((await change({ state: "active" })).body).toMatchObject({ state: "active", next_run_at: expect.any(String) });
});

it("sends credentials to no place that they were not given for", async () => {
  const elsewhere = { ...source, host: "db.attacker.example" };
  const refused = await change({ source: elsewhere });
  expect([refused.status, refused.body.errors]).toMatchObject([422, [{ pointer: "/credentials", code: "required" }]]);
  expect((await change({ source: elsewhere, credentials })).status).toBe(200);
  const sameHost = { ...elsewhere, query: "select 2 as id" };
  expect((await change({ source: sameHost })).body).toMatchObject({ source: sameHost, has_credentials: true });
});

it("gives new readers to what it brought at once", async () => {
  const { rows } = await app.pool.query(
    `insert into documents (organization, environment, id, base, title, author, created_at, updated_at, connector)
     select organization, environment, 'doc_1', base, 't', 'test', now(), now(), id from knowledge_connectors returning base`,
  );
  expect(rows).toHaveLength(1);
  await change({ readers: ["role:operator"] });
  expect((await app.pool.query("select readers from documents where id = 'doc_1'")).rows).toEqual([
    { readers: ["role:operator"] },
  ]);
});

it("refuses a change that is based on an older revision", async () => {
  const first = await change({ keep_removed: true });
  await change({ keep_removed: false });
  const late = await change({ keep_removed: true }, { "if-match": first.headers.get("etag") as string });
  expect([late.status, late.body.code]).toEqual([412, "stale_revision"]);
});
