import { Writable } from "node:stream";
import pino from "pino";
import { expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { attach } from "./connectors.fixture.ts";
import { startBucket, startSite } from "./servers.fixture.ts";
import { openCredentials, sealCredentials } from "./store.ts";

const lines: string[] = [];
const log = pino(
  { level: "trace" },
  new Writable({ write: (line, _encoding, done) => done(void lines.push(String(line))) }),
);
const app = useApp({ role: "all", log });
const secrets = [
  "an-access-key-id",
  "an-access-key-secret",
  "a-database-user",
  "a-database-password",
  "a-website-token",
];

it("shows credentials nowhere: not in answers, tables, records, events or logs", async () => {
  const bucket = await startBucket("handbook");
  const site = await startSite({ "index.html": "<title>Home</title>" });
  const token = { name: "docs", kind: "http", base_url: site.url, secret: "a-website-token" };
  await app.call("POST", "/v1/admin/connections", { body: token });
  const connectors = [
    {
      kind: "s3",
      source: { endpoint: bucket.url, bucket: "handbook" },
      credentials: { access_key_id: "an-access-key-id", secret_access_key: "an-access-key-secret" },
    },
    {
      kind: "postgres",
      source: {
        host: "127.0.0.1",
        port: 9,
        tls: false,
        database: "shop",
        query: "select 1 as id",
        columns: { id: "id" },
      },
      credentials: { user: "a-database-user", password: "a-database-password" },
    },
    { kind: "website", source: { url: `${site.url}/`, delay_seconds: 0 }, connection: "docs" },
  ];
  const shown: string[] = [];
  for (const connector of connectors) {
    const { base, sync } = await attach(app, connector);
    shown.push(JSON.stringify(await sync()));
    for (const list of ["connectors", "syncs"])
      shown.push((await app.call("GET", `/v1/knowledge/bases/${base}/${list}`)).text);
  }
  expect(shown[0]).toContain("forbidden");
  expect(shown[3]).toContain("connection_lost");
  expect(shown[6]).toContain("completed");
  const { rows: tables } = await app.pool.query(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'graphile_worker')",
  );
  for (const { name } of tables)
    shown.push(JSON.stringify((await app.pool.query(`select t::text from ${name} t`)).rows));
  expect(lines.length).toBeGreaterThan(0);
  for (const secret of secrets) {
    const hex = Buffer.from(secret).toString("hex");
    expect([...shown, ...lines].filter((text) => text.includes(secret) || text.includes(hex))).toEqual([]);
  }
});

it("opens credentials for the connector alone that they were sealed for", () => {
  const key = Buffer.alloc(32, 1);
  const scope = { organization: "default", environment: "development" } as const;
  const sealed = sealCredentials(key, scope, "cnr_1", { password: "x" });
  expect(openCredentials(key, scope, "cnr_1", sealed)).toEqual({ password: "x" });
  expect(() => openCredentials(key, scope, "cnr_2", sealed)).toThrow("do not open");
  expect(() => openCredentials(key, { ...scope, environment: "production" }, "cnr_1", sealed)).toThrow("do not open");
});
