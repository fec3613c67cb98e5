import { readFile } from "node:fs/promises";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectedCells, storedCells } from "../../src/features/analytics/rollups/facts.fixture.ts";
import { type TestDatabase, testDatabase } from "../../src/testing/database.ts";
import { type Client, clientOf } from "../client.ts";
import { dataFolder, killAtOnce, type ServiceProcess, startService, until } from "../processes.ts";
import { Ledger, load } from "./kill-ledger.ts";

// All processes of the service are killed (SIGKILL) under load, again and again: rollups are the sum of what there is, neither more nor less.

const rounds = Number(process.env.AOS_KILL_ROUNDS ?? "1");

let database: TestDatabase;
let folder: Awaited<ReturnType<typeof dataFolder>>;
let services: ServiceProcess[] = [];
const ledger = new Ledger();

/** On a busy machine the database may not answer a new process at once. */
async function startPatiently(options: Parameters<typeof startService>[0], tries = 5): Promise<ServiceProcess> {
  return startService(options).catch((error) =>
    tries > 1 ? startPatiently(options, tries - 1) : Promise.reject(error),
  );
}

/** A process that does everything, and beside it one more API and one more worker. */
async function startAll(): Promise<void> {
  const { dataDir } = folder;
  services = [];
  for (const role of ["all", "api", "worker"] as const)
    services.push(await startPatiently({ databaseUrl: database.connectionString, dataDir, role }));
}

const clients = async (): Promise<[Client, Client]> => {
  const key = (await readFile(path.join(folder.dataDir, "admin.key"), "utf8")).trim();
  const [first, second] = services.map(({ url }) => clientOf(url, key));
  return [first as Client, second as Client];
};
const count = async (from: string): Promise<number> =>
  (await database.pool.query(`select count(*)::int as n from ${from}`)).rows[0].n;

beforeAll(async () => {
  database = await testDatabase();
  folder = await dataFolder();
  await startAll();
}, 480_000);
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await folder?.remove();
  await database?.close();
}, 60_000);

it.each(Array.from({ length: rounds }, (_none, round) => round + 1))(
  "goes on after a kill under load: round %i",
  async (round) => {
    const enough = ledger.acknowledged.length + 100 + Math.floor(Math.random() * 300);
    const loaded = load(ledger, await clients());
    await until("enough is acknowledged", () => ledger.acknowledged.length >= enough, 120_000);
    await killAtOnce(services.map(({ pid }) => pid));
    await Promise.all([loaded, ...services.map(({ ended }) => ended)]);
    await startAll();
    console.log(`round ${round}: ${await count("tasks")} tasks, ${await count("analytics_pending")} changes wait`);
  },
  480_000,
);

/** Waits until the rollups are what they have to be. A look or merge between two reads makes a difference for a moment. */
async function untilExact(): Promise<void> {
  let cells: [unknown, unknown] = [null, null];
  const exact = async (): Promise<boolean> => {
    cells = [await storedCells(database.pool), await expectedCells(database.pool, Date.now())];
    return isDeepStrictEqual(...cells);
  };
  await until("the rollups are exact", exact, 60_000, () => services.map(({ output }) => output().slice(-1_000)));
  expect(cells[0]).toEqual(cells[1]);
}

it("counts everything that there is, and so it does when it counts again", async () => {
  await database.pool.query(
    "update tasks set lease_until = now() where status = 'running' and split_part(lease_owner, '-', 1) <> all($1::text[])",
    [services.map(({ pid }) => String(pid))],
  );
  await until("no task waits", async () => (await count("tasks where status in ('queued', 'running')")) === 0, 120_000);
  await until("no change waits", async () => (await count("analytics_pending")) === 0, 60_000);
  await untilExact();
  const before = await storedCells(database.pool);
  expect(Object.keys(before.minute).length).toBeGreaterThan(20);
  const [call] = await clients();
  expect((await call("POST", "/v1/analytics/rebuild", { body: {} })).status).toBe(202);
  const finished = async () => JSON.parse((await call("GET", "/v1/analytics/rebuild")).text).state === "finished";
  await until("everything is counted again", finished, 60_000);
  await untilExact();
  expect((await storedCells(database.pool)).minute).toEqual(before.minute);
}, 300_000);
