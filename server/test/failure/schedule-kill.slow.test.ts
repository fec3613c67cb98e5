import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../src/testing/database.ts";
import { clientOf } from "../client.ts";
import { dataFolder, type ServiceProcess, startService, until } from "../processes.ts";

// Schedules of agents that are due while worker processes are killed (SIGKILL) at no particular moment: one task for each time.

const rounds = Number(process.env.AOS_KILL_ROUNDS ?? "5");
const schedules = 20;

let database: TestDatabase;
let folder: Awaited<ReturnType<typeof dataFolder>>;
let api: ServiceProcess;
let workers: ServiceProcess[] = [];

const start = (role: "api" | "worker") =>
  startService({ databaseUrl: database.connectionString, dataDir: folder.dataDir, role });

beforeAll(async () => {
  [database, folder] = await Promise.all([testDatabase(), dataFolder()]);
  api = await start("api");
  const call = clientOf(api.url, (await readFile(path.join(folder.dataDir, "admin.key"), "utf8")).trim());
  const work = { task: "qualify_lead", input: { lead_id: "ld_1001" }, require_approval: true };
  for (let n = 0; n < schedules; n += 1) {
    const body = { ...work, schedule: "0 7 1 1 *", overlap: "cancel_previous" };
    const made = await call("POST", "/v1/agents/sales/schedules", { body });
    expect(made.status, made.text).toBe(201);
  }
  workers = [await start("worker"), await start("worker")];
}, 120_000);
afterAll(async () => {
  await Promise.all([...workers, api].map((one) => one?.stop()));
  await database?.close();
  await folder?.remove();
}, 60_000);

it("dispatches one task for each time, however often workers are killed", { timeout: 300_000 }, async () => {
  const { pool } = database;
  const count = async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows[0].n as number;
  const first = Math.floor(Date.now() / 60_000) * 60_000 - rounds * 60_000;
  for (let round = 0; round < rounds; round += 1) {
    const at = new Date(first + round * 60_000);
    await pool.query("update agent_schedules set next_at = $1", [at]);
    await delay(Math.random() * 1_500);
    const killed = round % workers.length;
    await workers[killed]?.kill();
    workers[killed] = await start("worker");
    const done = () => count("select count(*)::int as n from agent_schedules where last_at = $1", [at]);
    await until("all schedules to have dispatched", async () => (await done()) === schedules, 60_000);
  }
  expect(await count("select count(*)::int as n from tasks where labels::text like '%schedule:%'")).toBe(
    rounds * schedules,
  );
  expect(
    await count("select count(*)::int as n from tasks where labels::text like '%schedule:%' and status <> 'cancelled'"),
  ).toBe(schedules);
});
