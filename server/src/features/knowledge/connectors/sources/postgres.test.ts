import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { useDatabase } from "../../../../testing/database.ts";
import { attach, counts } from "../connectors.fixture.ts";
import { startLine } from "../servers.fixture.ts";

const app = useApp({ role: "all" });
const database = useDatabase({ migrated: false });
const password = "a-password-of-the-source";

let port: number;

beforeAll(async () => {
  const { host } = new pg.Client({ connectionString: database.connectionString }); // the suite's server listens on a socket only
  port = (
    await startLine(host.startsWith("/") ? `${host}/.s.PGSQL.5432` : Number(new URL(database.connectionString).port))
  ).port;
  const { rows } = await database.pool.query("select current_database() as name");
  await database.pool.query(`create role ${rows[0].name}_reader login password '${password}'`);
  await database.pool.query(`create table products (id int primary key, name text, about text, price numeric, changed timestamptz default now());
    insert into products values (1, 'Loom', 'Weaves amber cloth.', 12.5), (2, 'Kiln', 'Fires cobalt.', 99);
    grant select, insert on products to ${rows[0].name}_reader`);
});

afterAll(async () => {
  const { rows } = await database.pool.query("select current_database() as name");
  await database.pool.query(`drop owned by ${rows[0].name}_reader; drop role ${rows[0].name}_reader`);
});

const connector = (query: string, columns: object = { id: "id", title: "name", text: "about" }, credentials = {}) => {
  const name = new URL(database.connectionString).pathname.slice(1);
  return {
    kind: "postgres",
    source: { host: "127.0.0.1", port, database: name, tls: false, query, columns },
    credentials: { user: `${name}_reader`, password, ...credentials },
  };
};
const all = "select id, name, about, price from products order by id";

it("makes rows records, and later takes over what changed", async () => {
  const { base, sync, documents } = await attach(app, connector(all));
  expect(counts(await sync())).toMatchObject({ state: "completed", added: 2, failed: 0 });
  expect(await documents()).toEqual({ 1: "Weaves amber cloth.", 2: "Fires cobalt." });
  const { body } = await app.call("GET", `/v1/knowledge/bases/${base}/documents/1`);
  expect(body).toMatchObject({ title: "Loom", fields: { id: 1, name: "Loom", price: "12.5" } });
  await database.pool.query(
    "update products set about = 'Weaves silk.' where id = 1; delete from products where id = 2",
  );
  await database.pool.query("insert into products values (3, 'Wheel', 'Spins.', 5)");
  expect(counts(await sync())).toEqual({
    state: "completed",
    added: 1,
    changed: 1,
    removed: 1,
    unchanged: 0,
    failed: 0,
  });
});

it.each([
  ["a query that writes", "insert into products values (9, 'x', 'y', 1) returning id, name, about", "query_failed"],
  ["two statements", "select 1 as id, 'a' as name, 'b' as about; drop table products", "query_failed"],
  ["a missing column", "select 1 as id, 'a' as name", "column_missing"],
  ["ids that repeat", "select 1 as id, 'a' as name, 'b' as about from generate_series(1, 2)", "id_repeated"],
])("fails on %s", async (_what, query, code) => {
  const { sync } = await attach(app, connector(query));
  expect(await sync()).toMatchObject({ state: "failed", added: 0, error: { code } });
});

it("cancels a query that takes too long", async () => {
  const slow = connector("select 1 as id, pg_sleep(30)::text as name, '' as about");
  const { sync } = await attach(app, { ...slow, source: { ...slow.source, timeout_seconds: 1 } });
  expect(await sync()).toMatchObject({ state: "failed", error: { code: "query_timeout" } });
});

it("says that the user and password are refused, without them, and shows them nowhere", async () => {
  const { base, sync } = await attach(app, connector(all, undefined, { user: "nobody", password: "a-wrong-password" }));
  expect(await sync()).toMatchObject({ state: "failed", error: { code: "unauthorized" } });
  const answers = await Promise.all(
    ["connectors", "syncs"].map((list) => app.call("GET", `/v1/knowledge/bases/${base}/${list}`)),
  );
  expect(answers[0]?.body.data[0]).toMatchObject({ has_credentials: true });
  expect(answers.map(({ text }) => text).join()).not.toContain("a-wrong-password");
  const { rows } = await app.pool.query(
    "select c::text as row from knowledge_connectors c union all select r::text from audit_records r",
  );
  expect(rows.map(({ row }) => row).join()).not.toMatch(/a-wrong-password|a-password-of-the-source/);
});

it("reaches no address that requests may not reach", async () => {
  const source = connector(all);
  const elsewhere = { ...source, source: { ...source.source, host: "169.254.169.254" } };
  const { sync } = await attach(app, elsewhere);
  expect(await sync()).toMatchObject({
    state: "failed",
    error: { code: expect.stringMatching(/address_refused|https_required/) },
  });
});
