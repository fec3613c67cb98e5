import { describe, expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { eventually } from "../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { frozen, runRow, started, stepRows } from "../runs/runs.fixture.ts";

const app = useApp();
const process = useWorkerProcess(app);

const ended = (run: string) =>
  eventually(async () => {
    await process.sweeper.sweep();
    const row = await runRow(app, run);
    expect(row.finished_at).not.toBeNull();
    return row;
  });
const childrenOf = async (run: string) =>
  (await app.pool.query("select * from workflow_runs where parent_run = $1 order by id", [run])).rows;

describe("a step that runs another workflow", () => {
  it("takes its output once it has completed", async () => {
    await process.worker();
    const input = { type: "object", required: ["n"], properties: { n: { type: "number" } } };
    const { workflow } = await frozen(app, [{ id: "twice", set: { n: "input.n * 2.0" } }], {
      input,
      output: { n: "steps.twice.output.n" },
    });
    const call = { name: workflow, version: 1, input: { n: "input.n" } };
    const run = await started(app, [{ id: "sub", workflow: call }], { n: 4 }, { output: { n: "steps.sub.output.n" } });
    expect(JSON.parse((await ended(run)).output)).toEqual({ n: 8 });
    expect(await childrenOf(run)).toMatchObject([{ workflow, trigger: "workflow", parent_step: "sub", depth: 1 }]);
  });

  it("fails with the reason where the input does not fit, where there is no such version, and where the run fails", async () => {
    await process.worker();
    const { workflow } = await frozen(app, [{ id: "no", end: { status: "failed", reason: "'not today'" } }], {
      input: { type: "object", required: ["n"] },
    });
    const failureOf = async (call: { name: string; version?: number; input?: Record<string, unknown> }) =>
      JSON.parse((await ended(await started(app, [{ id: "sub", workflow: call }], {}))).failure);
    expect(await failureOf({ name: workflow, version: 1 })).toMatchObject({ code: "invalid_call" });
    expect(await failureOf({ name: workflow })).toMatchObject({ code: "workflow_not_there" });
    const failed = await failureOf({ name: workflow, version: 1, input: { n: 1 } });
    expect(failed).toEqual({ code: "ended", detail: "sub: not today" });
    const letters = await app.pool.query(
      "select l.run_id from workflow_dead_letters l join workflow_runs r on r.id = l.run_id where r.parent_run is not null",
    );
    expect(letters.rows).toEqual([]);
  });

  it("refuses runs that start themselves without end", async () => {
    await process.worker();
    const self = { workflow: "self", input: { type: "object" } };
    const { workflow } = await frozen(app, [{ id: "again", workflow: { name: "self", version: 1 } }], self);
    const run = await started(app, [{ id: "sub", workflow: { name: workflow, version: 1 } }], {});
    expect(JSON.parse((await ended(run)).failure)).toMatchObject({ code: "too_deep" });
  });

  it("is cancelled with the run that it belongs to, also in a loop", async () => {
    await process.worker();
    const { workflow } = await frozen(app, [{ id: "rest", wait: { for: "1h" } }]);
    const loop = { in: "[1, 2]", at_most: 2, parallel: 2 };
    const run = await started(
      app,
      [
        { id: "sub", needs: [], workflow: { name: workflow, version: 1 } },
        { id: "each", needs: [], for_each: loop, workflow: { name: workflow, version: 1 } },
      ],
      {},
    );
    await eventually(async () => expect(await childrenOf(run)).toMatchObject(Array(3).fill({ status: "waiting" })));
    await app.pool.query(
      `update workflow_runs set journal = '{"asked":"cancel"}', revision = revision + 1, wake_at = now() where id = $1`,
      [run],
    );
    expect(await ended(run)).toMatchObject({ status: "cancelled" });
    expect(await childrenOf(run)).toMatchObject(Array(3).fill({ status: "cancelled" }));
    expect(await stepRows(app, run)).toMatchObject(Array(2).fill({ status: "cancelled" }));
  });
});
