import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  chatEvents,
  startWireServer,
  type WireReply,
  type WireRequest,
  type WireServer,
} from "../../src/runtime/models/providers/testing.ts";
import { type TestDatabase, testDatabase } from "../../src/testing/database.ts";
import { type Client, clientOf } from "../client.ts";
import { dataFolder, type ServiceProcess, startService, until } from "../processes.ts";

// Worker processes killed (SIGKILL) inside of every kind of step and inside of every write of a run's journal. The steps are held still by what they wait
// for, a model, a tool or the database, so that each kill meets exactly the moment that it is meant for.

/** A run that nothing disturbs: model turn, look-up, model turn, write, model turn. */
const kinds = ["model", "tool", "model", "tool", "model"] as const;

/** Where a task is held still: while its n-th step is written down (begun or ended), or while what it asks has heard it and has not answered. */
type Halt =
  | { readonly in: "claim" | "completion" }
  | { readonly in: "journal"; readonly step: number; readonly ends: boolean }
  | { readonly in: "model" | "answer"; readonly turn: number }
  | { readonly in: "tool" };

let database: TestDatabase;
let folder: Awaited<ReturnType<typeof dataFolder>>;
let api: ServiceProcess;
let worker: ServiceProcess;
let server: WireServer;
let call: Client;
/** What the model and the tool do with the task of this note; without: they answer. */
const halts = new Map<string, Halt>();
/** Notes whose task stands still at its halt. */
const held = new Set<string>();
const turnsAsked = new Map<string, number[]>();
const keysSent = new Map<string, (string | undefined)[]>();

const answerNote = ({ body, headers }: WireRequest): WireReply | null => {
  const { note } = body as { note: string };
  keysSent.set(note, [...(keysSent.get(note) ?? []), headers["idempotency-key"] as string | undefined]);
  if (halts.get(note)?.in !== "tool") return { json: { taken: true } };
  held.add(note);
  return null;
};

function answerTurn({ body }: WireRequest): WireReply | null {
  const messages = body.messages as { role: string; content: string }[];
  const { note } = JSON.parse(messages.find(({ role }) => role === "user")?.content as string) as { note: string };
  const turn = messages.filter(({ role }) => role === "tool").length + 1;
  turnsAsked.set(note, [...(turnsAsked.get(note) ?? []), turn]);
  const said = [
    { calls: [{ id: "call_1", name: "get_lead", input: { lead_id: "ld_1001" } }] },
    { calls: [{ id: "call_2", name: "send_note", input: { note } }] },
    { text: JSON.stringify({ done: true }) },
  ][turn - 1] as Parameters<typeof chatEvents>[0];
  const halt = halts.get(note);
  if (!halt || !("turn" in halt) || halt.turn !== turn) return { stream: chatEvents(said) };
  held.add(note);
  return halt.in === "model" ? null : { stream: chatEvents(said).slice(0, 2), after: "hang" };
}

const start = (role: "api" | "worker") =>
  startService({ databaseUrl: database.connectionString, dataDir: folder.dataDir, role });

/** Writes of the journal and of a run's claim and end wait for a lock that a test holds, where `halts` names the task and the write. */
const haltingWrites = `
  create table halts (note text, at text);
  create function halts_at(task text, what text) returns boolean language sql as
    $$ select exists (select from halts h join tasks t on t.id = task and t.input::jsonb ->> 'note' = h.note where h.at = what) $$;
  create function halt_step() returns trigger language plpgsql as $$ begin
    if halts_at(new.task_id, new.number || case when new.state = 'started' then ' begins' else ' ends' end) then perform pg_advisory_xact_lock(77); end if;
    return new; end $$;
  create function halt_task() returns trigger language plpgsql as $$ begin
    if new.status <> old.status and halts_at(new.id, new.status) then perform pg_advisory_xact_lock(77); end if;
    return new; end $$;
  create trigger halt_step before insert or update on steps for each row execute function halt_step();
  create trigger halt_task before update on tasks for each row execute function halt_task();`;

async function makeAgent(): Promise<void> {
  const post = async (at: string, body: unknown): Promise<void> => {
    const { status, text } = await call("POST", at, { body });
    if (status >= 300) throw new Error(`${at} was answered ${status}: ${text}`);
  };
  const text = { type: "string" };
  const send = {
    ...{
      name: "send_note",
      kind: "http",
      effect: "write",
      impact: { reversible: true },
      idempotency: { header: "Idempotency-Key" },
    },
    arguments: { type: "object", required: ["note"], properties: { note: text } },
    request: { method: "POST", url: `${server.url}/notes`, body: { note: "{note}" } },
  };
  const skill = {
    name: "note_lead",
    tools: ["get_lead", "send_note"],
    limits: { steps: 12, seconds: 300 },
    input: { type: "object", required: ["lead_id", "note"], properties: { lead_id: text, note: text } },
    output: { type: "object", required: ["done"], properties: { done: { type: "boolean" } } },
  };
  const model = { provider: "openai-compatible", name: "scripted", settings: { base_url: server.url } };
  const tools = [{ name: "get_lead", kind: "record", base: "leads", effect: "read" }, send];
  await post("/v1/agents", {
    agent: "noting",
    description: "Notes what it found.",
    model,
    knowledge: ["leads"],
    tools,
    skills: [skill],
  });
  await post("/v1/agents/noting/versions", { note: "The first." });
  await post("/v1/agents/noting/deployments", { version: 1 });
  const accepted = {
    scope: { actions: ["tool.call"] },
    when: "true",
    effect: "tag",
    params: { tags: ["taint:accepted"] },
  };
  await post("/v1/governance/policies", {
    name: "notes may follow",
    reason_code: "noted",
    message: "It may.",
    state: "active",
    ...accepted,
  });
}

beforeAll(async () => {
  [database, folder] = await Promise.all([testDatabase(), dataFolder()]);
  server = await startWireServer((request) =>
    request.path.endsWith("/notes") ? answerNote(request) : answerTurn(request),
  );
  api = await start("api");
  call = clientOf(api.url, (await readFile(path.join(folder.dataDir, "admin.key"), "utf8")).trim());
  await database.pool.query("delete from evaluation_runs"); // the sample's own
  await makeAgent();
  await database.pool.query(haltingWrites);
  worker = await start("worker");
}, 120_000);
afterEach(() => {
  halts.clear();
  held.clear();
});
afterAll(async () => {
  await Promise.all([worker?.stop(), api?.stop()]);
  await server?.close();
  await database?.close();
  await folder?.remove();
}, 60_000);

const nameOf = (halt: Halt): string => {
  if (halt.in === "journal") return `step ${halt.step} ${halt.ends ? "ends" : "begins"}`;
  return "turn" in halt ? `${halt.in} ${halt.turn}` : halt.in;
};

/** The write of the database at which a task is to stand still; null: none. */
function writeOf(halt: Halt): string | null {
  if (halt.in === "claim") return "running";
  if (halt.in === "completion") return "completed";
  return halt.in === "journal" ? `${halt.step} ${halt.ends ? "ends" : "begins"}` : null;
}

const rowsOf = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows;
const statusOf = async (task: string) =>
  (await rowsOf("select status from tasks where id = $1", [task]))[0]?.status as string;
const finishedOf = async (task: string): Promise<string[]> =>
  (await rowsOf("select id from steps where task_id = $1 and state = 'finished' order by id", [task])).map(
    ({ id }) => id as string,
  );
const writersHeld = async (): Promise<number> =>
  (
    await rowsOf("select count(*)::int as n from pg_locks where locktype = 'advisory' and objid = 77 and not granted")
  )[0].n;

let notes = 0;

/** Dispatches a task that will stand still there. Answers it with its note. */
async function dispatch(halt: Halt): Promise<{ task: string; note: string; halt: Halt }> {
  const note = `note-${++notes} ${nameOf(halt)}`;
  halts.set(note, halt);
  const write = writeOf(halt);
  if (write !== null) await database.pool.query("insert into halts values ($1, $2)", [note, write]);
  const { status, text, body } = await call("POST", "/v1/agents/noting/tasks", {
    body: { task: "note_lead", lead_id: "ld_1001", note },
  });
  if (status !== 202) throw new Error(`the dispatch was answered ${status}: ${text}`);
  return { task: body.task_id, note, halt };
}

/** Has these tasks run until all stand still, kills the worker, and has another one go on, which the next loss is that of. What holds after any such loss is held here. */
async function killAt(all: readonly Halt[]): Promise<void> {
  const lock = await database.pool.connect();
  await lock.query("select pg_advisory_lock(77)");
  const tasks = await Promise.all(all.map(dispatch));
  const writes = all.filter((halt) => writeOf(halt) !== null).length;
  const stand = async (): Promise<boolean> =>
    held.size === all.length - writes && (await writersHeld()) >= Math.min(1, writes);
  await until("all stand still", stand, 60_000, () => [...held]);
  await worker.kill();
  halts.clear();
  await database.pool.query("delete from halts");
  await lock.query("select pg_advisory_unlock(77)");
  lock.release();
  await until("its transactions are gone", async () => (await writersHeld()) === 0);
  const before = new Map(await Promise.all(tasks.map(async ({ task }) => [task, await finishedOf(task)] as const)));
  await database.pool.query("update tasks set lease_until = now() - interval '1 second' where status = 'running'"); // half a minute passes
  worker = await start("worker");
  for (const { task, note, halt } of tasks) {
    const name = nameOf(halt);
    await until(
      `${name} is completed`,
      async () => (await statusOf(task)) === "completed",
      60_000,
      () => name,
    );
    expect([name, (await rowsOf("select output from tasks where id = $1", [task]))[0].output]).toEqual([
      name,
      '{"done":true}',
    ]);
    const finished = await rowsOf(
      "select number, kind from steps where task_id = $1 and state = 'finished' order by number",
      [task],
    );
    expect([name, finished]).toEqual([name, kinds.map((kind, at) => ({ number: at + 1, kind }))]);
    expect(await finishedOf(task)).toEqual(expect.arrayContaining(before.get(task) as string[]));
    expect([name, new Set(keysSent.get(note)).size, keysSent.get(note)?.[0]]).toEqual([name, 1, expect.any(String)]);
    // A turn is asked for again only where its end had not been written down.
    const again = (turnsAsked.get(note) ?? []).length - 3;
    expect([name, again <= 1]).toEqual([name, true]);
  }
}

describe("a worker process that is killed", () => {
  it(
    "inside of turns of the model, before and after they begin to answer, and inside of a call, leaves runs that go on",
    { timeout: 180_000 },
    () =>
      killAt([
        { in: "model", turn: 1 },
        { in: "answer", turn: 1 },
        { in: "model", turn: 2 },
        { in: "tool" },
        { in: "answer", turn: 3 },
      ]),
  );

  // One of each kind of write; `worker-steps.test.ts` goes through them all.
  const writes: Halt[] = [
    { in: "claim" },
    { in: "journal", step: 1, ends: true },
    { in: "journal", step: 2, ends: true }, // a look-up, which is written down when it is over
    { in: "journal", step: 3, ends: false },
    { in: "journal", step: 4, ends: false },
    { in: "journal", step: 4, ends: true },
    { in: "completion" },
  ];
  it.each(writes.map((halt) => [nameOf(halt), halt] as const))(
    "while it writes down: %s, leaves a run that goes on",
    { timeout: 180_000 },
    async (_name, halt) => killAt([halt]),
  );
});
