import { expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { insertTask } from "../../rollups/facts.fixture.ts";
import { rollUp } from "../../rollups/testing.ts";

const app = useApp();
const read = async (query = "", options = {}) =>
  (await app.call("GET", `/v1/analytics/realtime${query}`, options)).body;

it("tells what is open by state and agent, who works, and what came lately", async () => {
  const now = Date.now();
  const [minute, lease] = [
    60_000,
    (by: number) => ({ status: "running", lease_owner: `w${by}`, lease_until: new Date(now + by) }),
  ];
  await insertTask(app.pool, now - 90 * minute);
  await insertTask(app.pool, now - 2 * minute);
  await insertTask(app.pool, now - 2 * minute, { ...lease(minute), agent: "support" });
  await insertTask(app.pool, now - 3 * minute, { ...lease(-minute), agent: "support" });
  await insertTask(app.pool, now - 4 * minute, { status: "completed", finished_at: new Date(now) });
  await rollUp(app.pool);
  const body = await read();
  expect(body.states.slice(0, 2)).toMatchObject([
    { status: "queued", n: 2, oldest_at: new Date(now - 90 * minute).toISOString(), link: "/v1/tasks?status=queued" },
    { status: "running", n: 2 },
  ]);
  expect(body.agents).toMatchObject([
    { agent: "sales", queued: 2 },
    { agent: "support", running: 2 },
  ]);
  expect(body.workers).toEqual({ busy: 1, tasks: 1, lapsed: 1 });
  expect(body.minutes).toHaveLength(15);
  const total = (name: string) =>
    body.minutes.reduce((sum: number, one: Record<string, number>) => sum + (one[name] ?? 0), 0);
  expect([total("tasks"), total("completed")]).toEqual([4, 1]);
  expect(body.more).toBe(false);
  expect((await read("?agent=support")).agents).toMatchObject([{ agent: "support", running: 2 }]);
  const issued = await app.call("POST", "/v1/admin/keys", { body: { name: "n", role: "viewer", agents: ["support"] } });
  expect((await read("", { key: issued.body.key })).states).toMatchObject([{ n: 0 }, { n: 2 }, { n: 0 }, { n: 0 }]);
  expect((await read("?agent=sales", { key: issued.body.key })).agents).toEqual([]);
});
