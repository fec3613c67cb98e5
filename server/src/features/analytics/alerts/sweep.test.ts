import { beforeEach, describe, expect, it } from "vitest";
import type { Mail } from "../../../kernel/identity.ts";
import { createPorts, join } from "../../../kernel/port.ts";
import { useApp } from "../../../testing/app.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { signInPort } from "../../admin/public.ts";
import { insertTask, judge } from "../rollups/facts.fixture.ts";
import { rollUp } from "../rollups/testing.ts";
import { createAlertMailJob } from "./mail.ts";
import { alertSweep } from "./sweep.ts";

const portSendingTo = (sent: Mail[]) =>
  createPorts(
    [join(signInPort, { sendMail: async (mail) => void sent.push(mail), challenges: {} as never })],
    [signInPort],
  );

const app = useApp();
const machines = useWorkerProcess(app);
const path = "/v1/analytics/alerts";

/** Looks at all alerts as if they were due. */
async function look(): Promise<void> {
  await rollUp(app.pool);
  await app.pool.query("update analytics_alerts set due_at = now() where not paused");
  await machines.sweeperWith([alertSweep]).sweep();
  expect(machines.faults).toEqual([]);
}

const create = async (body: object): Promise<string> => {
  const made = await app.call("POST", path, { body: { name: "Watched", ...body } });
  expect(made.status).toBe(201);
  return made.body.alert_id;
};
const read = async (alert: string) => (await app.call("GET", `${path}/${alert}`)).body;
const told = async (alert: string): Promise<{ type: string; body: Record<string, unknown> }[]> => {
  const { rows } = await app.pool.query(
    "select type, body from events where type like 'analytics.alert.%' order by id",
  );
  return rows.map(({ type, body }) => ({ type, body: JSON.parse(body) })).filter(({ body }) => body.alert_id === alert);
};
const sales = { filters: { agent: ["sales"] } };

beforeEach(async () => {
  await app.pool.query("delete from analytics_alerts");
});

describe("the sweep of alerts", () => {
  it("fires once, clears once, and tells webhook endpoints and members", async () => {
    const { memberId } = await app.member("builder");
    await app.pool.query("update members set email = 'ann@example.com' where id = $1", [memberId]);
    const above = (threshold: number) => ({ kind: "above", threshold });
    const alert = await create({ ...sales, measure: "tasks", condition: above(2), notify: { members: [memberId] } });
    await look();
    expect(await read(alert)).toMatchObject({ state: "ok", value: 0, error: null });
    for (let task = 0; task < 3; task++) await insertTask(app.pool, Date.now() - 300_000);
    await look();
    await look();
    const firing = await read(alert);
    expect(firing).toMatchObject({ state: "firing", fired: true, value: 3, n: 3 });
    expect(firing.history.map(({ state, event }: Record<string, unknown>) => [state, event])).toEqual([
      ["firing", "fired"],
      ["ok", null],
    ]);
    await app.call("PATCH", `${path}/${alert}`, { body: { condition: above(10) } });
    await look();
    await look();
    expect(await read(alert)).toMatchObject({ state: "ok", fired: false });
    const events = await told(alert);
    expect(events.map(({ type }) => type)).toEqual(["analytics.alert.fired", "analytics.alert.cleared"]);
    expect(events[0]?.body).toMatchObject({ alert_id: alert, agent: "sales", measure: "tasks", value: 3 });
    const { rows } = await app.pool.query("select payload from graphile_worker._private_jobs where key like $1", [
      `${alert}%`,
    ]);
    const sent: Mail[] = [];
    const send = createAlertMailJob({
      db: { query: async (text, values) => (await app.pool.query(text, values as unknown[])).rows as never },
      port: portSendingTo(sent),
    });
    for (const { payload } of rows) await send(payload);
    expect(sent.map(({ to, subject }) => [to, subject])).toEqual([
      ["ann@example.com", "Alert in development: Watched"],
      ["ann@example.com", "Cleared in development: Watched"],
    ]);
  });

  it("has no data where too little was measured, and fires nothing then", async () => {
    const task = await insertTask(app.pool, Date.now() - 120_000, { agent: "support", status: "completed" });
    await judge(app.pool, task, 0);
    const condition = { kind: "below", threshold: 0.9 };
    const alert = await create({ filters: { agent: ["support"] }, measure: "accepted_rate", condition, least_n: 2 });
    await look();
    expect(await read(alert)).toMatchObject({ state: "no_data", fired: false, value: 0, n: 1 });
    await app.call("PATCH", `${path}/${alert}`, { body: { least_n: 1, for_minutes: 5 } });
    await look();
    expect(await read(alert)).toMatchObject({ state: "pending", fired: false });
    expect(await told(alert)).toEqual([]);
  });

  it("looks at nothing while it is paused, and says why it cannot measure", async () => {
    const paused = await create({ ...sales, measure: "tasks", condition: { kind: "above", threshold: 0 } });
    await app.call("PATCH", `${path}/${paused}`, { body: { paused: true } });
    const strange = await create({ measure: "tasks", condition: { kind: "above", threshold: 0 } });
    const filters = { "label:customer": ["acme"] }; // of a label that is not declared any more
    await app.pool.query("update analytics_alerts set filters = $2 where id = $1", [strange, JSON.stringify(filters)]);
    await look();
    expect(await read(paused)).toMatchObject({ state: "waiting", looked_at: null });
    expect(await read(strange)).toMatchObject({ state: "no_data", error: expect.stringContaining("customer") });
  });

  it("compares with the same window of earlier weeks", async () => {
    const week = 7 * 86_400_000;
    const at = Date.now() - 600_000;
    for (let back = 1; back <= 5; back++)
      for (const beside of [-3_600_000, 0, 3_600_000])
        for (let task = 0; task < 3; task++) await insertTask(app.pool, at - back * week + beside, { agent: "night" });
    for (let task = 0; task < 30; task++) await insertTask(app.pool, at, { agent: "night" });
    const condition = { kind: "anomaly", direction: "high", once_in: 100 };
    const alert = await create({ filters: { agent: ["night"] }, measure: "tasks", condition });
    await look();
    expect(await read(alert)).toMatchObject({ state: "firing", value: 30 });
  });
});
