import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../src/testing/database.ts";
import { clientOf } from "../client.ts";
import { dataFolder, type ServiceProcess, startService, until } from "../processes.ts";

// Triggers that fire while worker processes are killed (SIGKILL) at no particular moment: one run for each time of a schedule and each event, and each wait
// ends by its own event.

const rounds = Number(process.env.AOS_KILL_ROUNDS ?? "6");
/** Times that each schedule has missed, and events that are sent. */
const times = 90;
const events = 60;

let database: TestDatabase;
let folder: Awaited<ReturnType<typeof dataFolder>>;
let api: ServiceProcess;
let workers: ServiceProcess[] = [];
let call: ReturnType<typeof clientOf>;
let secret = "";

const post = async (at: string, body: object) => {
  const answered = await call("POST", at, { body });
  if (answered.status >= 300) throw new Error(`${at} was answered ${answered.status}: ${answered.text}`);
  return answered.body;
};

async function publish(workflow: string, definition: object): Promise<void> {
  await post("/v1/workflows", { workflow, steps: [{ id: "done", set: { ok: true } }], ...definition });
  await post(`/v1/workflows/${workflow}/publish`, {});
}

async function send(n: number): Promise<void> {
  const [text, at] = [JSON.stringify({ type: "order.paid", data: { order: `or_${n}` } }), new Date()];
  const headers = {
    "content-type": "application/json",
    "webhook-id": `msg_${n}`,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign(`msg_${n}`, at, text),
  };
  const { status } = await fetch(`${api.url}/v1/hooks/shop`, { method: "POST", headers, body: text });
  expect(status).toBe(202);
}

const start = (role: "api" | "worker") =>
  startService({ databaseUrl: database.connectionString, dataDir: folder.dataDir, role });

beforeAll(async () => {
  [database, folder] = await Promise.all([testDatabase(), dataFolder()]);
  api = await start("api");
  call = clientOf(api.url, (await readFile(path.join(folder.dataDir, "admin.key"), "utf8")).trim());
  secret = (await post("/v1/hooks", { name: "shop" })).secret;
  const minutely = { schedule: "* * * * *", overlap: "allow", missed: "run_all" };
  for (const name of ["first", "second"]) await publish(name, { triggers: [minutely] });
  await publish("paid", { triggers: [{ event: "order.paid", map: { order: "event.order" } }] });
  const wait = { event: "order.paid", where: "event.order == input.order", at_most: "1d" };
  await publish("waits", { steps: [{ id: "wait", wait }] });
  workers = [await start("worker"), await start("worker")];
}, 120_000);
afterAll(async () => {
  await Promise.all([...workers, api].map((one) => one?.stop()));
  await database?.close();
  await folder?.remove();
}, 60_000);

it("starts one run for each time and event, however often workers are killed", { timeout: 300_000 }, async () => {
  const { pool } = database;
  for (let n = 0; n < 20; n += 1) await post("/v1/workflows/waits/runs", { input: { order: `or_${n}` } });
  const first = new Date((Math.floor(Date.now() / 60_000) - times + 1) * 60_000);
  await pool.query("update workflow_triggers set next_at = $1 where kind = 'schedule'", [first]);
  let sent = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (const end = sent + events / rounds; sent < end; sent += 1) await send(sent);
    await delay(200 + Math.random() * 1_500);
    const at = round % workers.length;
    await workers[at]?.kill();
    workers[at] = await start("worker");
  }
  const count = async (text: string) => Number((await pool.query(`select count(*) as n from (${text}) x`)).rows[0].n);
  const started = () => count("select from workflow_runs where trigger = 'event'");
  const ended = () => count("select from workflow_runs where workflow = 'waits' and status = 'completed'");
  const left = () => count("select from workflow_firings");
  await until(
    "all triggers to have fired and all waits to have ended",
    async () => (await started()) >= events && (await ended()) === 20 && (await left()) === 0,
    120_000,
  );
  const orders = (await pool.query("select input::json ->> 'order' as o from workflow_runs where trigger = 'event'"))
    .rows;
  expect(orders.map(({ o }) => o).sort()).toEqual(Array.from({ length: events }, (_none, n) => `or_${n}`).sort());
  const scheduled = await pool.query(
    `select t.last_at, (select count(*)::int from workflow_runs r where r.trigger_id = t.id) as runs from workflow_triggers t where t.kind = 'schedule'`,
  );
  // One for each minute up to the last, those that began while it ran included.
  for (const { last_at, runs } of scheduled.rows) expect(runs).toBe((last_at.getTime() - first.getTime()) / 60_000 + 1);
  const outputs = await pool.query(
    "select r.input::json ->> 'order' as waited, s.output::json ->> 'order' as came from workflow_runs r join workflow_steps s on s.run_id = r.id where r.workflow = 'waits'",
  );
  for (const { waited, came } of outputs.rows) expect(came).toBe(waited);
});
