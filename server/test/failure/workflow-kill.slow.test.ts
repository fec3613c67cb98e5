import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Step } from "@aos/workflow";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../src/testing/database.ts";
import { clientOf } from "../client.ts";
import { dataFolder, type ServiceProcess, startService, until } from "../processes.ts";

// Runs of workflows whose steps write to another service, while worker processes are killed (SIGKILL) again and again at no particular moment: each effect
// is made once, in its order, and every run ends as it would have without that.

const rounds = Number(process.env.AOS_KILL_ROUNDS ?? "4");
const runs = 12;

let database: TestDatabase;
let folder: Awaited<ReturnType<typeof dataFolder>>;
let api: ServiceProcess;
let workers: ServiceProcess[] = [];

/** Notes in the order in which the other service took them, and the keys that each came with: it takes a key once. */
const taken: string[] = [];
const keysOf = new Map<string, Set<string>>();
const target = createServer((request, response) => {
  let text = "";
  request.on("data", (chunk) => {
    text += chunk;
  });
  request.on("end", () => {
    const { note } = JSON.parse(text) as { note: string };
    const keys = keysOf.get(note) ?? new Set<string>();
    const key = String(request.headers["idempotency-key"]);
    if (!keys.has(key)) taken.push(note);
    keysOf.set(note, keys.add(key));
    response.writeHead(note.endsWith("fails") ? 422 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify({ note }));
  });
});

const send = (note: string): Pick<Step, "tool"> => ({
  tool: { agent: "noting", name: "send_note", arguments: { note } },
});
const step = (id: string, more: Partial<Step> = {}): Step => ({ id, ...send(`input.of + '/${id}'`), ...more });

const child: Step[] = [step("in_child")];
const steps: Step[] = [
  step("first", { compensate: send("input.of + '/undo_first'") }),
  {
    id: "both",
    parallel: { branches: { left: [step("left"), step("left_after")], right: [step("right")] } },
  },
  {
    id: "each",
    for_each: { in: "[1, 2, 3, 4, 5]", as: "n", at_most: 5, parallel: 2 },
    ...send("input.of + '/item_' + string(int(n))"),
  },
  { id: "sub", workflow: { name: "child", version: 1, input: { of: "input.of" } } },
  { id: "rest", wait: { for: "300ms" } },
  step("second", { compensate: send("input.of + '/undo_second'") }),
  step("fails", { when: "input.fails", on_error: "compensate" }),
];
const always = [
  "first",
  "left",
  "left_after",
  "right",
  "item_1",
  "item_2",
  "item_3",
  "item_4",
  "item_5",
  "in_child",
  "second",
];
const undone = ["fails", "undo_second", "undo_first"];

async function makeAgent(url: string): Promise<void> {
  const call = clientOf(api.url, (await readFile(path.join(folder.dataDir, "admin.key"), "utf8")).trim());
  const post = async (at: string, body: unknown): Promise<void> => {
    const { status, text } = await call("POST", at, { body });
    if (status >= 300) throw new Error(`${at} was answered ${status}: ${text}`);
  };
  const note = { type: "object", required: ["note"], properties: { note: { type: "string" } } };
  const tool = {
    name: "send_note",
    kind: "http",
    effect: "write",
    impact: { reversible: true },
    idempotency: { header: "Idempotency-Key" },
    arguments: note,
    request: { method: "POST", url, body: { note: "{note}" } },
  };
  const skill = { name: "note", input: note, output: { type: "object" }, tools: ["send_note"] };
  const model = { provider: "builtin" };
  await post("/v1/agents", { agent: "noting", description: "Notes.", model, tools: [tool], skills: [skill] });
  await post("/v1/agents/noting/versions", { note: "The first." });
  await post("/v1/agents/noting/deployments", { version: 1 });
  await post("/v1/governance/policies", {
    name: "notes may follow",
    reason_code: "noted",
    message: "It may.",
    state: "active",
    scope: { actions: ["tool.call"] },
    when: "true",
    effect: "tag",
    params: { tags: ["taint:accepted"] },
  });
}

async function makeWorkflow(name: string, body: readonly Step[]): Promise<void> {
  const { pool } = database;
  await pool.query(
    `insert into workflows (organization, name, owner, draft, created_at, updated_at, updated_by) values ('default', $1, 'owner', '{}', now(), now(), 'owner')`,
    [name],
  );
  await pool.query(
    `insert into workflow_versions (organization, workflow, number, id, definition, digest, author, created_at)
     values ('default', $1, 1, 'wfv_' || $1, $2, '', 'owner', now())`,
    [name, JSON.stringify({ workflow: name, steps: body })],
  );
}

const startRun = (n: number) =>
  database.pool.query(
    `insert into workflow_runs (organization, environment, id, workflow, version_number, version_id, status, input, trigger, principal, actor, audit_ref, created_at, updated_at, wake_at)
     select 'default', 'development', 'wfr_' || lpad($1::text, 26, '0'), 'whole', 1, 'wfv_whole', 'queued', $2, 'manual', m.id,
       jsonb_build_object('owner', m.id, 'credential', '{"session": null}'::jsonb, 'bounds', '{"role": null, "scopes": null, "agents": null, "environment": "development"}'::jsonb, 'persons', '[]'::jsonb), 'aud_0', now(), now(), now()
     from members m order by m.id limit 1`,
    [n, JSON.stringify({ of: `run${n}`, fails: n % 2 === 1 })],
  );

/** What runs wait for that do not end. */
const openSteps = async () =>
  (
    await database.pool.query(
      `select s.run_id, s.step, s.status, s.undo, s.held, s.items, s.result, t.status as task, t.failure, t.question from workflow_steps s
       join workflow_runs r on r.id = s.run_id and r.finished_at is null
       left join tasks t on t.run_id = s.run_id and t.run_step = s.step
       where s.status in ('running', 'waiting', 'pending') or s.undo = 'running' limit 20`,
    )
  ).rows;

const start = (role: "api" | "worker") =>
  startService({ databaseUrl: database.connectionString, dataDir: folder.dataDir, role });
/** On a busy machine the database may not answer a new process at once. */
const startPatiently = (role: "api" | "worker") => start(role).catch(() => start(role));

beforeAll(async () => {
  await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", () => resolve()));
  [database, folder] = await Promise.all([testDatabase(), dataFolder()]);
  api = await startPatiently("api");
  await makeAgent(`http://127.0.0.1:${(target.address() as AddressInfo).port}/notes`);
  await makeWorkflow("child", child);
  await makeWorkflow("whole", steps);
  workers = [await startPatiently("worker"), await startPatiently("worker")];
}, 120_000);
afterAll(async () => {
  await Promise.all([...workers, api].map((one) => one?.stop()));
  target.close();
  await database?.close();
  await folder?.remove();
}, 60_000);

it(`makes each effect once and ends every run, however often workers are killed`, { timeout: 300_000 }, async () => {
  for (let n = 1; n <= runs; n += 1) await startRun(n);
  for (let round = 0; round < rounds; round += 1) {
    await delay(300 + Math.random() * 1_500);
    const at = round % workers.length;
    await workers[at]?.kill();
    // A lost worker is known to be lost after its lease; here at once.
    await database.pool.query("update tasks set lease_until = now() - interval '1 second' where status = 'running'");
    workers[at] = await startPatiently("worker");
  }
  const statuses = async () =>
    (
      await database.pool.query(
        "select id, status, failure, finished_at from workflow_runs where parent_run is null order by id",
      )
    ).rows;
  const over = async () => (await statuses()).every(({ finished_at }) => finished_at !== null);
  await until("all runs to end", over, 150_000).catch(async (error: Error) => {
    throw new Error(`${error.message} ${JSON.stringify(await openSteps(), null, 1)}`);
  });
  expect((await statuses()).map(({ status, failure }) => (status === "failed" ? failure : status))).toEqual(
    Array.from({ length: runs }, (_none, at) => (at % 2 === 0 ? "compensated" : "completed")),
  );
  for (let n = 1; n <= runs; n += 1) {
    const own = taken.filter((note) => note.startsWith(`run${n}/`)).map((note) => note.slice(note.indexOf("/") + 1));
    expect([...own].sort()).toEqual([...always, ...(n % 2 === 1 ? undone : [])].sort());
    if (n % 2 === 1) expect(own.slice(-3)).toEqual(undone);
  }
});
