import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../src/testing/database.ts";
import { idsOf, openEvents } from "../../src/testing/sse.ts";
import { addPeople, type Person } from "../arrange.ts";
import { type Client, clientOf, dispatchPath, givenBody } from "../client.ts";
import { dataFolder, type ServiceProcess, startService, until } from "../processes.ts";

const ends = new Set([
  "task.completed",
  "task.failed",
  "task.cancelled",
  "task.expired",
  "task.blocked",
  "task.rejected",
]);

describe("streams of two API processes that are restarted and killed under load", () => {
  let database: TestDatabase;
  let folder: Awaited<ReturnType<typeof dataFolder>>;
  const services = new Map<string, ServiceProcess>();
  let admin: Person;
  let approver: Person;
  let loading = true;

  const start = async (name: "api-1" | "api-2" | "worker-1"): Promise<void> => {
    const role = name === "worker-1" ? "worker" : "api";
    services.set(name, await startService({ databaseUrl: database.connectionString, dataDir: folder.dataDir, role }));
  };
  const urlOf = (turn: number): string => services.get(turn % 2 === 0 ? "api-1" : "api-2")?.url as string;
  const through = (turn: number, { secret }: Person = admin): Client => clientOf(urlOf(turn), secret);

  /** Calls until a process answers: the one that is asked may be down at that moment. */
  async function insist(turn: number, call: (client: Client) => ReturnType<Client>, who = admin): ReturnType<Client> {
    for (let tried = turn; ; tried++) {
      const answered = await call(through(tried, who)).catch(() => undefined);
      if (answered && answered.status < 500) return answered;
      await delay(20);
    }
  }

  /** A client that follows a task to its end: goes wherever it is answered, and says what it has. Counts how often it came. */
  async function watch(task: string, turn: number): Promise<{ ids: number[]; came: number }> {
    const ids: number[] = [];
    let ended = false;
    let came = 0;
    while (!ended) {
      const last = ids.at(-1);
      const options = last === undefined ? {} : { lastEventId: String(last) };
      const stream = await openEvents(`${urlOf(turn + came++)}/v1/tasks/${task}/events`, admin.secret, options).catch(
        () => undefined,
      );
      if (stream?.status === 200) {
        for await (const { id, event } of stream) {
          if (id !== undefined) ids.push(Number(id));
          ended ||= ends.has(event ?? "");
        }
      } else await delay(20);
    }
    return { ids, came };
  }

  /** Dispatches one task after the other, until it is told to stop. */
  async function load(turn: number): Promise<number> {
    let accepted = 0;
    for (let n = turn; loading; n++) {
      const body = { ...givenBody, require_approval: false };
      const answered = await through(n)("POST", dispatchPath, { body }).catch(() => undefined);
      if (answered?.status === 202) accepted++;
      else await delay(20);
    }
    return accepted;
  }

  const approve = async (task: string, turn: number): Promise<void> => {
    const shown = await insist(turn, (call) => call("GET", `/v1/approvals/${task}`), approver);
    const body = { digest: shown.body.digest };
    const answered = await insist(
      turn,
      (call) => call("POST", `/v1/approvals/${task}/approve`, { body, headers: { "idempotency-key": task } }),
      approver,
    );
    expect([answered.status, answered.text]).toEqual([200, expect.any(String)]);
  };
  const eventsOf = async (task: string): Promise<number> => {
    const { rows } = await database.pool.query("select count(*)::int as n from events where task_id = $1", [task]);
    return rows[0].n;
  };

  beforeAll(async () => {
    [database, folder] = await Promise.all([testDatabase(), dataFolder()]);
    await start("api-1");
    await Promise.all([start("api-2"), start("worker-1")]);
    [admin] = (await addPeople(database.pool, 1, "admin")) as [Person];
    [approver] = (await addPeople(database.pool, 1, "approver")) as [Person];
  }, 120_000);
  afterAll(async () => {
    loading = false;
    await Promise.all([...services.values()].map((service) => service.stop()));
    await database?.close();
    await folder?.remove();
  }, 60_000);

  it("tell every client every event once, in order", async () => {
    const tasks: string[] = [];
    for (let i = 0; i < 24; i++)
      tasks.push(
        (await insist(i, (call) => call("POST", dispatchPath, { body: { ...givenBody, priority: 10 } }))).body.task_id,
      );
    const watched = tasks.map(watch);
    const loads = [0, 1].map(load);
    for (const [i, task] of tasks.entries()) {
      if (i === 6)
        await services
          .get("api-1")
          ?.stop()
          .then(() => start("api-1"));
      if (i === 14)
        await services
          .get("api-2")
          ?.kill()
          .then(() => start("api-2"));
      await approve(task, i);
    }
    const seen = await Promise.all(watched);
    loading = false;
    const dispatched = (await Promise.all(loads)).reduce((sum, n) => sum + n, 0);
    for (const [i, { ids }] of seen.entries()) {
      const stored = await eventsOf(tasks[i] as string);
      expect(stored).toBeGreaterThanOrEqual(5);
      expect(ids).toEqual(Array.from({ length: stored }, (_, n) => n + 1));
    }
    const came = seen.map((one) => one.came);
    expect(Math.max(...came)).toBeGreaterThan(1); // the restart and the kill cut streams off
    expect(dispatched).toBeGreaterThan(0);
    console.log(
      `24 streams over a restart and a kill, beside ${dispatched} dispatches: clients came ${came.join(", ")} times`,
    );
    const again = await Promise.all(
      tasks.map(async (task, i) => idsOf(await openEvents(`${urlOf(i)}/v1/tasks/${task}/events`, admin.secret))),
    );
    expect(again).toEqual(seen.map(({ ids }) => ids));
  }, 180_000);

  it("end when the process is told to stop, which waits for none of them", async () => {
    const task = (await insist(0, (call) => call("POST", dispatchPath, { body: givenBody }))).body.task_id as string;
    const told: number[][] = [[], [], []];
    const streams = told.map(async (ids) => {
      for await (const { id } of await openEvents(`${urlOf(0)}/v1/tasks/${task}/events`, admin.secret))
        if (id !== undefined) ids.push(Number(id));
    });
    const waiting = through(0)("GET", `/v1/tasks/${task}/result?wait=60`);
    await until("all have heard what there is", () => told.every((ids) => ids.length === 2));
    const began = performance.now();
    await services.get("api-1")?.stop();
    expect(performance.now() - began).toBeLessThan(10_000);
    await Promise.all(streams);
    expect(told).toEqual([
      [1, 2],
      [1, 2],
      [1, 2],
    ]);
    expect(await waiting.then(({ body }) => body.final).catch(() => "cut off")).not.toBe(true);
    await start("api-1");
  }, 60_000);
});
