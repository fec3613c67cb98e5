import { afterAll, beforeAll, expect, it } from "vitest";
import { consentTo } from "../../src/features/marketplace/installs/installs.fixture.ts";
import { approvedListing } from "../../src/features/marketplace/listings/listings.fixture.ts";
import type { TestApp } from "../../src/testing/app.ts";
import { type TestDatabase, testDatabase } from "../../src/testing/database.ts";
import { addPeople, type Person } from "../arrange.ts";
import { clientOf } from "../client.ts";
import { dataFolder, type ServiceProcess, startService, until } from "../processes.ts";

let database: TestDatabase;
let folder: Awaited<ReturnType<typeof dataFolder>>;
let service: ServiceProcess;
let admin: Person;

const start = async (): Promise<void> => {
  service = await startService({ databaseUrl: database.connectionString, dataDir: folder.dataDir, role: "api" });
};
const call: ReturnType<typeof clientOf> = (...request) => clientOf(service.url, admin.secret)(...request);
const count = async (table: string): Promise<number> =>
  (await database.pool.query<{ n: number }>(`select count(*)::int as n from ${table}`)).rows[0]?.n ?? 0;

beforeAll(async () => {
  [database, folder] = await Promise.all([testDatabase(), dataFolder()]);
  await start();
  [admin] = (await addPeople(database.pool, 1, "admin")) as [Person];
  // Slow enough that a kill finds it in the middle.
  await database.pool.query(
    `create function slowly() returns trigger language plpgsql as 'begin perform pg_sleep(0.5); return new; end';
     create trigger slowly before insert on datasets for each row execute function slowly()`,
  );
}, 120_000);
afterAll(async () => {
  await service?.stop();
  await database?.close();
  await folder?.remove();
}, 60_000);

it("goes on with an install whose process was killed in the middle: each part once, under the same id", async () => {
  const app = { pool: database.pool, call } as unknown as TestApp;
  const listing = await approvedListing(app);
  const body = { ...(await consentTo(app, listing)), suffix: "-killed" };
  const before = await count("datasets");
  const install = () =>
    call("POST", `/v1/marketplace/listings/${listing.listing_id}/install`, {
      body,
      headers: { "idempotency-key": "killed in the middle" },
    });
  const broken = install().catch(() => "broke off");
  await until("the first dataset is stored", async () => (await count("datasets")) > before);
  await service.kill();
  expect(await broken).toBe("broke off");
  const { rows } = await database.pool.query("select id, state from marketplace_installs");
  expect(rows).toEqual([{ id: expect.stringMatching(/^ins_/), state: "installing" }]);
  expect(await count("datasets")).toBe(before + 1);
  await start();

  const { status, text, body: made } = await install();
  expect([status, made.install?.state, made.failed], text).toEqual([207, "installed", 0]);
  expect(made.install.install_id).toBe(rows[0].id);
  expect(new Set(made.install.parts.map(({ state }: { state: string }) => state))).toEqual(new Set(["made"]));
  expect([await count("datasets"), await count("marketplace_installs")]).toEqual([before + 2, 1]);
}, 120_000);
