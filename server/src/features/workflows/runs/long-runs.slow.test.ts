import { expect, it, vi } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { frozen, runRow, started, stepRows } from "./runs.fixture.ts";

const app = useApp();
const process = useWorkerProcess(app);

const completed = async (run: string) => {
  const patience = { timeout: 240_000, interval: 200 };
  await vi.waitFor(async () => expect((await runRow(app, run)).finished_at).not.toBeNull(), patience);
  const row = await runRow(app, run);
  expect([row.status, row.failure]).toEqual(["completed", null]);
  return row;
};

it("goes through a loop of 2,000 items by pages: its step holds no list, and begins no more at once than it says", {
  timeout: 300_000,
}, async () => {
  await process.worker();
  const { workflow } = await frozen(app, [{ id: "same", set: { of: "input.of" } }]);
  const list = Array.from({ length: 2_000 }, (_none, at) => at);
  const loop = { in: "input.list", as: "one", at_most: 2_000, parallel: 50 };
  const call = { name: workflow, version: 1, input: { of: "one" } };
  const run = await started(app, [{ id: "each", for_each: loop, workflow: call }], { list });
  let most = 0;
  const watching = setInterval(async () => {
    const { rows } = await app.pool.query("select count(*)::int as n from workflow_items where status = 'running'");
    most = Math.max(most, rows[0].n);
  }, 200);
  await completed(run).finally(() => clearInterval(watching));
  const [step] = await stepRows(app, run);
  expect(step).toMatchObject({
    items: 2_000,
    items_completed: 2_000,
    items_failed: 0,
    action: '{"kind":"loop","total":2000}',
  });
  expect(JSON.parse(step.output)).toMatchObject({ total: 2_000, completed: 2_000, failed: 0 });
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(50);
});

it("completes a run of 10,000 steps", { timeout: 300_000 }, async () => {
  await process.worker();
  const steps = Array.from({ length: 10_000 }, (_none, at) => ({
    id: `step_${at}`,
    set: { n: at === 0 ? "1.0" : `steps.step_${at - 1}.output.n + 1.0` },
  }));
  const run = await started(app, steps, {}, { limits: { steps: 10_000 }, output: { n: "steps.step_9999.output.n" } });
  expect(JSON.parse((await completed(run)).output)).toEqual({ n: 10_000 });
});
