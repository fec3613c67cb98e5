import { expect, it } from "vitest";
import type { FactsReader } from "../../../kernel/facts.ts";
import type { Statements } from "../../../kernel/machines.ts";
import { useApp } from "../../../testing/app.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { triggerSweep } from "./jobs/sweep.ts";
import { add, dueAt, published, runsOf, triggersOf } from "./triggers.fixture.ts";

const app = useApp();
const process = useWorkerProcess(app);
const sweep = () => process.sweeperWith([triggerSweep]).sweep();

const minutely = { schedule: "* * * * *", input: { n: 1 } };
/** The minute that has begun, and those before it. */
const minute = (ago = 0): Date => new Date(Math.floor(Date.now() / 60_000 - ago) * 60_000);

it("starts a run as the trigger's account, once for each time, and says so at the trigger", async () => {
  const name = await published(app, { triggers: [minutely] });
  await dueAt(app, name, minute());
  await sweep();
  await sweep();
  const [run, ...more] = await runsOf(app, name);
  expect(more).toEqual([]);
  const [trigger] = await triggersOf(app, name);
  expect(run).toMatchObject({ trigger: "schedule", trigger_id: trigger.trigger_id, principal: trigger.runs_as });
  expect(JSON.parse(run.input)).toEqual({ n: 1 });
  expect(trigger).toMatchObject({ last_run: run.id, last_at: minute().toISOString(), last_error: null });
  expect(new Date(trigger.next_at).getTime()).toBeGreaterThan(Date.now());
});

it("two processes that look at the same time start one run for each time", async () => {
  const name = await published(app, { triggers: [{ ...minutely, missed: "run_all", overlap: "allow" }] });
  await dueAt(app, name, minute(3));
  const { inside, database } = process;
  const query = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows;
  const parts = { db: { query } as Statements, inside, facts: {} as FactsReader, port: app.app.port };
  await Promise.all([1, 2, 3].map(() => triggerSweep.run({ ...parts, now: Date.now() })));
  const times = (await app.pool.query("select trigger_id from workflow_firings where workflow = $1", [name])).rows;
  expect([(await runsOf(app, name)).length, times]).toEqual([4, []]);
});

it("while a run is not over, skips the next time, lets it wait, or starts another, as the schedule says", async () => {
  const names: string[] = [];
  for (const overlap of ["skip", "queue", "allow"] as const) {
    const name = await published(app, { triggers: [{ ...minutely, overlap, missed: "run_all" }] });
    await dueAt(app, name, minute(1));
    names.push(name);
  }
  const counts = () => Promise.all(names.map(async (name) => (await runsOf(app, name)).length));
  await sweep();
  await sweep();
  expect(await counts()).toEqual([1, 1, 2]);
  await app.pool.query("update workflow_runs set status = 'completed' where workflow = any($1)", [names]);
  await sweep();
  expect(await counts()).toEqual([1, 2, 2]);
});

it("says at the trigger why it started no run: input that does not fit, or an account that lost its role, which stops it", async () => {
  const input = { type: "object", properties: { n: { type: "string" } } };
  const unfit = await published(app, { input, triggers: [minutely] });
  const { secret } = await app.member("builder");
  const orphan = await published(app, {}, { key: secret });
  await add(app, orphan, minutely, { key: secret });
  await app.pool.query(
    "update members set roles = '{}' where id = (select principal from workflow_triggers where workflow = $1)",
    [orphan],
  );
  for (const name of [unfit, orphan]) await dueAt(app, name, minute());
  await sweep();
  const shown = async (name: string) => (await triggersOf(app, name))[0];
  expect(await shown(unfit)).toMatchObject({
    last_error: { code: "invalid_body", detail: expect.stringContaining("/n") },
    stopped_reason: null,
  });
  expect(await shown(orphan)).toMatchObject({
    last_error: { code: "trigger_not_permitted" },
    next_at: null,
    active: false,
    stopped_reason: expect.stringContaining("Stopped: "),
  });
});

it("a paused workflow misses its times, and goes on with the next once it is resumed", async () => {
  const name = await published(app, { triggers: [minutely] });
  await app.call("POST", `/v1/workflows/${name}/pause`, { body: { reason: "holidays" } });
  await dueAt(app, name, minute());
  await sweep();
  expect(await runsOf(app, name)).toEqual([]);
  await app.call("POST", `/v1/workflows/${name}/resume`, { body: {} });
  await sweep();
  expect(await runsOf(app, name)).toEqual([]);
  expect(new Date((await triggersOf(app, name))[0].next_at).getTime()).toBeGreaterThan(Date.now());
});
