import { describe, expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { eventually } from "../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { runRow, started, stepRows } from "../runs/runs.fixture.ts";

const app = useApp();
const process = useWorkerProcess(app);

const look = { agent: "sales", name: "get_lead", arguments: { lead_id: "lead" } };
const leads = (...ids: string[]) => ids.map((id) => `'${id}'`).join(", ");
const ended = (run: string) =>
  eventually(async () => {
    await process.sweeper.sweep();
    const row = await runRow(app, run);
    expect(row.finished_at).not.toBeNull();
    return row;
  });
const itemsOf = async (run: string) =>
  (await app.pool.query("select * from workflow_items where run_id = $1 order by attempt, number", [run])).rows;

describe("a loop of a workflow", () => {
  it("makes a task per item, collects failures, and answers counts and outputs", async () => {
    await process.worker();
    const loop = { in: `[${leads("ld_1001", "ld_1002", "ld_none", "ld_1003")}]`, as: "lead", at_most: 10, parallel: 3 };
    const run = await started(app, [{ id: "each", for_each: { ...loop, on_error: "collect" }, tool: look }], {});
    expect(await ended(run)).toMatchObject({ status: "completed" });
    const [step] = await stepRows(app, run);
    expect(step).toMatchObject({ status: "completed", items: 4, items_begun: 4, items_completed: 3, items_failed: 1 });
    expect(JSON.parse(step.output)).toMatchObject({
      total: 4,
      completed: 3,
      failed: 1,
      failures: [{ index: 2, code: "record_not_found" }],
      outputs: [{ id: "ld_1001" }, { id: "ld_1002" }, null, { id: "ld_1003" }],
    });
    expect(new Set((await itemsOf(run)).map(({ task_id }) => task_id)).size).toBe(4);
  });

  it("ends at the first failure unless it collects them, begins no further item, and leaves a dead letter", async () => {
    await process.worker();
    const loop = { in: `[${leads("ld_1001", "ld_none", "ld_1002")}]`, as: "lead", at_most: 10 };
    const run = await started(app, [{ id: "each", for_each: loop, tool: look }], {});
    expect(await ended(run)).toMatchObject({ status: "failed" });
    expect((await itemsOf(run)).map(({ status }) => status)).toEqual(["completed", "failed", "pending"]);
    const { rows } = await app.pool.query("select reason, settled_at from workflow_dead_letters where run_id = $1", [
      run,
    ]);
    expect(rows).toMatchObject([{ reason: expect.stringContaining("each: item 1:"), settled_at: null }]);
  });

  it("repeats with another attempt only the items that failed", async () => {
    await process.worker();
    const loop = { in: `[${leads("ld_1001", "ld_none")}]`, as: "lead", at_most: 10 };
    const retry = { attempts: 2, backoff: "10ms" };
    const run = await started(app, [{ id: "each", for_each: loop, tool: look, retry }], {});
    expect(await ended(run)).toMatchObject({ status: "failed" });
    const items = await itemsOf(run);
    expect(items).toMatchObject([
      { attempt: 1, status: "completed" },
      { attempt: 1, status: "failed" },
      { attempt: 2, status: "completed", task_id: items[0].task_id },
      { attempt: 2, status: "failed" },
    ]);
    expect(items[3].task_id).not.toBe(items[1].task_id);
    const { rows } = await app.pool.query("select attempt, status from workflow_attempts where run_id = $1", [run]);
    expect(rows).toEqual([{ attempt: 1, status: "failed" }]);
  });

  it("is over at once where the list is empty, and fails where it is longer than at_most", async () => {
    await process.worker();
    const loop = { as: "lead", at_most: 1 };
    const none = await started(app, [{ id: "each", for_each: { ...loop, in: "input.list" }, tool: look }], {
      list: [],
    });
    expect(await ended(none)).toMatchObject({ status: "completed" });
    const list = ["ld_1001", "ld_1002"];
    const long = await started(app, [{ id: "each", for_each: { ...loop, in: "input.list" }, tool: look }], { list });
    expect(JSON.parse((await ended(long)).failure)).toMatchObject({ code: "expression_failed" });
    expect(await itemsOf(long)).toEqual([]);
  });

  it("takes its items' tasks back when its run is cancelled", async () => {
    const loop = { in: `[${leads("ld_1001", "ld_1002", "ld_1003")}]`, as: "lead", at_most: 10, parallel: 2 };
    const asking = { name: "sales", skill: "qualify_lead", input: { lead_id: "lead" }, require_approval: true };
    await process.worker();
    const run = await started(app, [{ id: "each", for_each: loop, agent: asking }], {});
    await eventually(async () =>
      expect((await itemsOf(run)).filter(({ task_id }) => task_id !== null)).toHaveLength(2),
    );
    await app.pool.query(
      `update workflow_runs set journal = '{"asked":"cancel"}', revision = revision + 1, wake_at = now() where id = $1`,
      [run],
    );
    expect(await ended(run)).toMatchObject({ status: "cancelled" });
    const tasks = await app.pool.query("select status from tasks where run_id = $1", [run]);
    expect(tasks.rows).toEqual([{ status: "cancelled" }, { status: "cancelled" }]);
  });
});
