import { afterEach, expect, it } from "vitest";
import type { FactsReader } from "../../kernel/facts.ts";
import type { Statements } from "../../kernel/machines.ts";
import { useApp } from "../../testing/app.ts";
import { useWorkerProcess } from "../../testing/worker.ts";
import { change, dueAt, minute, read, scheduled, tasksOf } from "./schedules.fixture.ts";
import { scheduleSweep } from "./sweep.ts";

const app = useApp();
const process = useWorkerProcess(app);
const sweep = () => process.sweeperWith([scheduleSweep]).sweep();
const parts = (now: number) => {
  const { inside, database } = process;
  const query = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows;
  return { db: { query } as Statements, inside, facts: {} as FactsReader, port: app.app.port, now };
};
/** Due only when a test says so. */
const yearly = "0 7 1 1 *";
afterEach(() => app.pool.query("delete from agent_schedules"));

it("dispatches a task as the schedule's account, once for each time, with label and limits", async () => {
  const { schedule_id: id, runs_as } = await scheduled(app, { labels: ["team:x"], budget: { per_run_usd: 0.05 } });
  await dueAt(app, id, minute());
  await sweep();
  await sweep();
  const [task, ...more] = await tasksOf(app, id);
  expect(more).toEqual([]);
  expect(task).toMatchObject({ agent: "sales", principal: runs_as, labels: ["team:x", `schedule:${id}`] });
  expect(JSON.parse(task.run_limits)).toEqual({ cost_usd: 0.05 });
  const found = await read(app, id);
  expect(found).toMatchObject({ last_task_id: task.id, last_at: minute().toISOString(), last_error: null });
  expect(new Date(found.next_at).getTime()).toBeGreaterThan(Date.now());
});

it("dispatches one task where several processes look at the same time", async () => {
  const ids: string[] = [];
  for (let n = 0; n < 4; n++) ids.push((await scheduled(app)).schedule_id);
  for (const id of ids) await dueAt(app, id, minute());
  await Promise.all([1, 2, 3].map(() => scheduleSweep.run(parts(Date.now()))));
  await scheduleSweep.run(parts(Date.now()));
  expect(await Promise.all(ids.map(async (id) => (await tasksOf(app, id)).length))).toEqual([1, 1, 1, 1]);
});

it("skips, lets wait or cancels while the task before is not over", async () => {
  const ids = new Map<string, string>();
  for (const overlap of ["skip", "queue", "cancel_previous"])
    ids.set(overlap, (await scheduled(app, { overlap, require_approval: true, schedule: yearly })).schedule_id);
  for (const ago of [1, 0]) {
    for (const id of ids.values()) await dueAt(app, id, minute(ago));
    await sweep();
  }
  const states = async (overlap: string) =>
    (await tasksOf(app, ids.get(overlap) as string)).map(({ status }: { status: string }) => status);
  const waiting = "awaiting_approval";
  expect([await states("skip"), await states("queue")]).toEqual([[waiting], [waiting]]);
  expect(await states("cancel_previous")).toEqual(["cancelled", waiting]);
  expect((await read(app, ids.get("skip") as string)).last_skipped).toMatchObject({ reason: "overlap" });
  const queued = ids.get("queue") as string;
  const { last_task_id, waiting_since } = await read(app, queued);
  expect(waiting_since).toBe(minute().toISOString());
  await app.call("POST", `/v1/tasks/${last_task_id}/cancel`, { body: {} });
  await sweep();
  expect(await states("queue")).toEqual(["cancelled", waiting]);
});

it("makes up for the last time that was missed, or leaves it out", async () => {
  const [made, left] = [await scheduled(app), await scheduled(app, { missed: "skip", schedule: yearly })];
  await dueAt(app, made.schedule_id, minute(500));
  await dueAt(app, left.schedule_id, minute(500));
  await sweep();
  expect([(await tasksOf(app, made.schedule_id)).length, (await tasksOf(app, left.schedule_id)).length]).toEqual([
    1, 0,
  ]);
  expect((await read(app, left.schedule_id)).last_skipped).toMatchObject({ reason: "missed" });
});

it("says why it dispatched nothing, tells subscribers, and goes on with the next time", async () => {
  const { schedule_id: id } = await scheduled(app);
  await app.pool.query(
    `update agent_schedules set definition = definition || '{"input":{"lead_id":"x"}}' where id = $1`,
    [id],
  );
  await dueAt(app, id, minute());
  await sweep();
  const found = await read(app, id);
  expect(found).toMatchObject({ waiting_since: null, last_error: { code: "invalid_body" } });
  expect(found.last_error.detail).toContain("/input/lead_id");
  const { rows } = await app.pool.query("select body from events where body like $1", [`%schedule.failed%${id}%`]);
  expect(rows.map(({ body }) => JSON.parse(body))).toEqual([
    expect.objectContaining({
      event: "schedule.failed",
      schedule_id: id,
      at: minute().toISOString(),
      code: "invalid_body",
    }),
  ]);
  expect(new Date(found.next_at).getTime()).toBeGreaterThan(Date.now());
});

it("tries again later what a kill switch held, and gives up after a day", async () => {
  const { schedule_id: id } = await scheduled(app);
  await app.call("POST", "/v1/agents/sales/pause", { body: { reason: "looked at" } });
  await process.refresh();
  await dueAt(app, id, minute());
  await sweep();
  expect(await read(app, id)).toMatchObject({ waiting_since: minute().toISOString(), last_error: expect.anything() });
  await app.call("POST", "/v1/agents/sales/resume", { body: {} });
  await process.refresh();
  await app.pool.query("update agent_schedules set try_at = now() where id = $1", [id]);
  await sweep();
  expect(await read(app, id)).toMatchObject({ waiting_since: null, last_error: null, last_task_id: expect.anything() });
});

it("dispatches nothing more once the month's budget is used up or reserved", async () => {
  const { schedule_id: id } = await scheduled(app, {
    schedule: yearly,
    overlap: "cancel_previous",
    budget: { per_month_usd: 0.3 },
  });
  const next = async (ago: number) => {
    await dueAt(app, id, minute(ago));
    await sweep();
  };
  await next(2);
  await app.pool.query("update tasks set cost_usd = 0.25, status = 'completed' where $1 = any(labels)", [
    `schedule:${id}`,
  ]);
  await next(1);
  const [, second] = await tasksOf(app, id);
  expect(JSON.parse(second.run_limits).cost_usd).toBeCloseTo(0.05);
  await app.pool.query("update tasks set cost_usd = 0.05, status = 'failed' where id = $1", [second.id]);
  await next(0);
  expect((await tasksOf(app, id)).length).toBe(2);
  expect(await read(app, id)).toMatchObject({ spent_month_usd: 0.3, last_error: { code: "schedule_budget_spent" } });
});

it("acts no more once its account has lost its role, until somebody who may takes it over", async () => {
  const { secret } = await app.member("builder");
  const { schedule_id: id, runs_as } = await scheduled(app, {}, { key: secret });
  await app.pool.query("update members set roles = '{}' where id = $1", [runs_as]);
  await dueAt(app, id, minute());
  await sweep();
  expect((await read(app, id)).last_error).toMatchObject({ code: "schedule_not_permitted" });
  await change(app, id, { note: "Taken over." });
  expect((await read(app, id)).runs_as).not.toBe(runs_as);
});

it("says that no version of its agent is live any more", async () => {
  const { schedule_id: id } = await scheduled(app);
  await app.call("POST", "/v1/agents", { body: { agent: "resting", description: "Not deployed." } });
  await process.refresh();
  await app.pool.query("update agent_schedules set agent = 'resting' where id = $1", [id]);
  await dueAt(app, id, minute());
  await sweep();
  const { data } = (await app.call("GET", "/v1/agents/resting/schedules")).body;
  expect(data).toMatchObject([{ schedule_id: id, last_error: { code: "agent_not_deployed" }, last_task_id: null }]);
});
