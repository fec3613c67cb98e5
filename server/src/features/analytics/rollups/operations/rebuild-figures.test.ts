import { expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { expectedCells, insertDelivery, insertStep, insertTask, judge, storedCells } from "../facts.fixture.ts";
import { rollUp } from "../testing.ts";

const app = useApp();
const rebuild = (body: object = {}) => app.call("POST", "/v1/analytics/rebuild", { body });
const read = async () => (await app.call("GET", "/v1/analytics/rebuild")).body;

it("is not found before the first rebuild", async () => {
  const { status, body } = await app.call("GET", "/v1/analytics/rebuild");
  expect([status, body.detail]).toEqual([404, "Figures of development were never rebuilt."]);
});

it("makes figures of the tables again, whatever was wrong with them, and goes on with what changes", async () => {
  const { pool } = app;
  for (const days of [40, 3, 3, 1, 0]) {
    const task = await insertTask(pool, Date.now() - days * 86_400_000 - 60_000);
    await insertStep(pool, task);
    await pool.query("update tasks set status = 'completed', finished_at = created_at + interval '3 s' where id = $1", [
      task,
    ]);
    await judge(pool, task, 1);
  }
  await rollUp(pool);
  const right = await storedCells(pool);
  await pool.query("delete from analytics_facts where random() < 0.5");
  await pool.query("delete from analytics_blocks where random() < 0.5");
  expect(await rebuild()).toMatchObject({ status: 202, body: { state: "running", share: 0, counted: 0 } });
  await rollUp(pool);
  expect(await storedCells(pool)).toEqual(right);
  expect(await storedCells(pool)).toEqual(await expectedCells(pool, Date.now()));
  expect(await read()).toMatchObject({ state: "finished", share: 1, counted: 5 });
});

it("counts tasks by a label that was declared after them", async () => {
  const labels = ["customer:acme", "vip"];
  await app.dispatch({ labels });
  await rollUp(app.pool);
  const { headers } = await app.call("GET", "/v1/admin/settings");
  const body = { settings: { analytics: { labels: ["customer"] } } };
  const ifMatch = { "if-match": headers.get("etag") ?? "" };
  expect((await app.call("PATCH", "/v1/admin/settings", { body, headers: ifMatch })).status).toBe(200);
  await rebuild();
  await rollUp(app.pool);
  const { rows } = await app.pool.query("select value from analytics_values where dimension = 'label:customer'");
  expect(rows).toEqual([{ value: "acme" }]);
  expect(await storedCells(app.pool)).toEqual(await expectedCells(app.pool, Date.now()));
});

it("keeps what is counted of deliveries that were removed since", async () => {
  const id = await insertDelivery(app.pool, Date.now());
  await rollUp(app.pool);
  const before = await storedCells(app.pool);
  await app.pool.query("delete from deliveries where id = $1", [id]);
  await rebuild();
  await rollUp(app.pool);
  expect(await storedCells(app.pool)).toEqual(before);
});

it("is one at a time, and of a time that has begun", async () => {
  await rebuild();
  expect(await rebuild()).toMatchObject({ status: 409, body: { code: "wrong_state" } });
  await rollUp(app.pool);
  const late = await rebuild({ from: "2036-01-01T00:00:00Z" });
  expect(late).toMatchObject({ status: 422, body: { errors: [{ pointer: "/from", code: "out_of_order" }] } });
});
