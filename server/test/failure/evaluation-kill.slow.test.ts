import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../src/testing/database.ts";
import { type Client, clientOf } from "../client.ts";
import { dataFolder, type ServiceProcess, startService, until } from "../processes.ts";

// A worker killed in the middle of a run of a dataset, which another one goes on with.

const repeats = 8;
/** Items that the worker runs at the same time, and turns of the model for each: what a crash can cost. */
const [atOnce, turns] = [4, 2];

let database: TestDatabase;
let folder: Awaited<ReturnType<typeof dataFolder>>;
let api: ServiceProcess;
let worker: ServiceProcess;
let call: Client;
const start = (role: "api" | "worker") =>
  startService({ databaseUrl: database.connectionString, dataDir: folder.dataDir, role });

beforeAll(async () => {
  [database, folder] = await Promise.all([testDatabase(), dataFolder()]);
  api = await start("api");
  call = clientOf(api.url, (await readFile(path.join(folder.dataDir, "admin.key"), "utf8")).trim());
  await database.pool.query("delete from evaluation_runs"); // the sample's own
}, 60_000);
afterAll(async () => {
  await Promise.all([worker?.stop(), api?.stop()]);
  await database?.close();
  await folder?.remove();
});

const rowsOf = async (text: string, values: unknown[]) => (await database.pool.query(text, values)).rows;
const resultsOf = (run: string) =>
  rowsOf("select item, repeat, output, finished_at from evaluation_results where run_id = $1 order by 1, 2", [run]);
const turnsTaken = async (): Promise<number> =>
  (
    await rowsOf("select count(*)::int as n from audit_records where body::json ->> 'operation' = 'tasks.tryModel'", [])
  )[0].n;

it("goes on with the next worker, repeats no item that was finished, and comes to its verdict", {
  timeout: 120_000,
}, async () => {
  worker = await start("worker");
  const { body: run } = await call("POST", "/v1/evaluations/runs", {
    body: { dataset: "lead-facts", version: 1, repeats },
  });
  const { run_id: id } = run;
  const total = run.progress.total as number;
  await until(
    "some of it is done",
    async () => (await resultsOf(id)).length > total / 8,
    60_000,
    () => id,
  );
  await worker.kill();
  const before = await resultsOf(id);
  expect(before.length).toBeLessThan(total);
  worker = await start("worker");
  await database.pool.query("update evaluation_runs set lease_until = now() where id = $1", [id]); // a minute passes
  const read = async () => (await call("GET", `/v1/evaluations/runs/${id}`)).body;
  await until(
    "it is completed",
    async () => (await read()).state === "completed",
    60_000,
    () => id,
  );
  const after = await resultsOf(id);
  expect(after).toHaveLength(total);
  expect(after).toEqual(expect.arrayContaining(before));
  expect(await turnsTaken()).toBeLessThanOrEqual(turns * (total + atOnce));
  expect(await turnsTaken()).toBeGreaterThanOrEqual(turns * total);
  expect(await read()).toMatchObject({ verdict: "open", progress: { done: total, failed: 0 }, decision: { repeats } });
  expect(await rowsOf("select attempt from evaluation_runs where id = $1", [id])).toEqual([{ attempt: 2 }]);
});
