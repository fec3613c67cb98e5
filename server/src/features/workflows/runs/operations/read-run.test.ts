import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { begin, plain, publish } from "../control.fixture.ts";

const app = useSharedApp();

it("shows every step of the version, those that have not begun too", async () => {
  const workflow = await publish(app, { steps: [plain, { id: "next", set: {} }] });
  const { run_id } = await begin(app, workflow);
  const { body } = await app.call("GET", `/v1/workflows/${workflow}/runs/${run_id}`);
  expect(body.steps.map(({ step, status, attempt }: Record<string, unknown>) => [step, status, attempt])).toEqual([
    ["only", "pending", 0],
    ["next", "pending", 0],
  ]);
  expect(body.steps_after).toBeNull();
});

it("pages steps when there are more than 500", async () => {
  const steps = Array.from({ length: 501 }, (_, n) => ({ id: `s${n}`, set: {} }));
  const workflow = await publish(app, { steps });
  const { run_id } = await begin(app, workflow);
  const path = `/v1/workflows/${workflow}/runs/${run_id}`;
  const { body } = await app.call("GET", path);
  expect([body.steps.length, body.steps_after]).toEqual([500, "s499"]);
  const rest = await app.call("GET", `${path}?steps_after=${body.steps_after}`);
  expect(rest.body.steps.map(({ step }: { step: string }) => step)).toEqual(["s500"]);
});

it("does not find a run under another workflow's name", async () => {
  const { run_id } = await begin(app, await publish(app, {}));
  expect((await app.call("GET", `/v1/workflows/${await publish(app, {})}/runs/${run_id}`)).status).toBe(404);
});

it("costs what its tasks have cost, open ones and those of the runs that it started too", async () => {
  const workflow = await publish(app, { steps: [plain] });
  const [run, child] = [await begin(app, workflow), await begin(app, workflow)];
  const tasks = await Promise.all([app.dispatch(), app.dispatch()]);
  for (const [at, { run_id }] of [run, child].entries())
    await app.pool.query("update tasks set run_id = $2, cost_usd = $3 where id = $1", [
      tasks[at]?.task_id,
      run_id,
      at === 0 ? 0.1 : 0.2,
    ]);
  await app.pool.query("update workflow_runs set parent_run = $2, parent_step = 'only' where id = $1", [
    child.run_id,
    run.run_id,
  ]);
  expect((await app.call("GET", `/v1/workflows/${workflow}/runs/${run.run_id}`)).body.cost_usd).toBe(0.3);
  const { body } = await app.call("GET", `/v1/workflows/${workflow}/runs`);
  const costs = body.data.map((one: { run_id: string; cost_usd: number }) => [one.run_id, one.cost_usd]);
  expect(new Map(costs).get(child.run_id)).toBe(0.2);
});
