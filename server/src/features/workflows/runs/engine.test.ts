import type { Compensation } from "@aos/workflow";
import { describe, expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { eventually } from "../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { changeFacts, underKillSwitch } from "../../tasks/runs/testing.ts";
import { advanceRun } from "./operations/advance-run.ts";
import { frozen, runRow, started, stepRows } from "./runs.fixture.ts";

const app = useApp();
const process = useWorkerProcess(app);

const ended = (run: string) =>
  eventually(async () => {
    await process.sweeper.sweep();
    const row = await runRow(app, run);
    expect(row.finished_at).not.toBeNull();
    return row;
  });
const look = (lead: string) => ({ agent: "sales", name: "get_lead", arguments: { lead_id: `'${lead}'` } });
const undo = (lead: string): Compensation => ({ tool: look(lead) });
const inputsOf = async (run: string) =>
  (await app.pool.query("select input::json as input from tasks where run_id = $1 order by id", [run])).rows.map(
    ({ input }) => input.lead_id,
  );
const broken = { id: "broken", tool: look("ld_none"), on_error: "compensate" } as const;

describe("undoing a run", () => {
  it("undoes what completed in reverse order, each once, with its own call", async () => {
    await process.worker();
    const run = await started(
      app,
      [
        { id: "a", tool: look("ld_1001"), compensate: undo("ld_1011") },
        { id: "b", tool: look("ld_1002"), compensate: undo("ld_1012") },
        broken,
      ],
      {},
    );
    expect(await ended(run)).toMatchObject({ status: "compensated" });
    expect(await inputsOf(run)).toEqual(["ld_1001", "ld_1002", "ld_none", "ld_1012", "ld_1011"]);
    const { rows } = await app.pool.query("select run_key from tasks where run_id = $1 order by id", [run]);
    expect(rows.map(({ run_key }) => run_key)).toEqual([
      `${run} a`,
      `${run} b`,
      `${run} broken`,
      `${run} b !undo`,
      `${run} a !undo`,
    ]);
  });

  it("waits for what undoes a run within it, however long that takes", async () => {
    await process.worker();
    const { workflow: name } = await frozen(app, [{ id: "only", set: { n: "1" } }]);
    const agent = { name: "sales", skill: "qualify_lead", input: { lead_id: "'ld_1001'" }, require_approval: true };
    const run = await started(app, [{ id: "sub", workflow: { name, version: 1 }, compensate: { agent } }, broken], {});
    const step = async () => (await stepRows(app, run)).find(({ step }) => step === "sub");
    await eventually(async () => expect((await step()).undo_task).toEqual(expect.any(String)));
    await process.inside(advanceRun, app.scope, { runs: [run] });
    expect(await step()).toMatchObject({ undo: "running" });
  });

  it("goes on past what cannot be undone, and leaves a dead letter for people", async () => {
    await process.worker();
    const run = await started(
      app,
      [
        { id: "a", tool: look("ld_1001"), compensate: undo("ld_1011") },
        { id: "b", tool: look("ld_1002"), compensate: undo("ld_gone") },
        broken,
      ],
      {},
    );
    expect(await ended(run)).toMatchObject({ status: "compensation_failed" });
    const states = Object.fromEntries((await stepRows(app, run)).map(({ step, undo }) => [step, undo]));
    expect(states).toEqual({ a: "done", b: "failed", broken: null });
    const { rows } = await app.pool.query("select reason from workflow_dead_letters where run_id = $1", [run]);
    expect(rows[0].reason).toMatch(/^Not everything could be undone\. b: /);
  });
});

describe("time", () => {
  it("ends a wait and tries a failed step again when they are due", async () => {
    await process.worker();
    const retry = { attempts: 2, backoff: "50ms" };
    const run = await started(
      app,
      [
        { id: "rest", needs: [], wait: { for: "300ms" } },
        { id: "again", needs: [], tool: look("ld_none"), retry, on_error: "continue" },
      ],
      {},
    );
    expect(await ended(run)).toMatchObject({ status: "completed" });
    const [again, rest] = (await stepRows(app, run)).sort((a, b) => (a.step < b.step ? -1 : 1));
    expect(again).toMatchObject({ status: "failed", attempt: 2 });
    const restedMs = rest.finished_at.getTime() - rest.started_at.getTime();
    expect(restedMs).toBeGreaterThanOrEqual(300);
    expect(restedMs).toBeLessThan(1_300);
  });

  it("takes a step back that is over its time limit, with its task", async () => {
    await process.worker();
    const agent = { name: "sales", skill: "qualify_lead", input: { lead_id: "'ld_1001'" }, require_approval: true };
    const run = await started(app, [{ id: "slow", agent, timeout: "100ms" }], {});
    expect(JSON.parse((await ended(run)).failure)).toMatchObject({ code: "timeout" });
    expect((await app.pool.query("select status from tasks where run_id = $1", [run])).rows).toEqual([
      { status: "cancelled" },
    ]);
  });
});

describe("what stands in the way", () => {
  it("holds a step under a kill switch and says why, and goes on when it is released", async () => {
    await process.worker();
    let run = "";
    await underKillSwitch(app, process, { kind: "agent", target: "sales" }, async () => {
      run = await started(app, [{ id: "a", tool: look("ld_1001") }], {});
      await eventually(async () => {
        const [step] = await stepRows(app, run);
        expect(step).toMatchObject({ status: "running", task_id: null });
        expect(JSON.parse(step.held)).toMatchObject({ code: "kill_switch_engaged" });
      });
    });
    expect(await ended(run)).toMatchObject({ status: "completed" });
  });

  it("finds runs whose wake-up was lost: at their start, after a look, and after a task's end", async () => {
    const worker = await process.worker();
    await worker.stop(0);
    const begun = await started(app, [{ id: "a", tool: look("ld_1001") }], {});
    const lose = () => app.pool.query("delete from graphile_worker._private_jobs");
    await lose();
    await process.worker();
    expect(await ended(begun)).toMatchObject({ status: "completed" });
    const agent = { name: "sales", skill: "qualify_lead", input: { lead_id: "'ld_1001'" }, require_approval: true };
    const run = await started(app, [{ id: "a", agent }], {});
    await eventually(async () => expect((await stepRows(app, run))[0]).toMatchObject({ task_id: expect.any(String) }));
    await app.pool.query(
      "update tasks set status = 'cancelled', finished_at = now() - interval '10 seconds' where run_id = $1",
      [run],
    );
    await app.pool.query("update workflow_steps set started_at = now() - interval '10 seconds' where run_id = $1", [
      run,
    ]);
    expect(await ended(run)).toMatchObject({ status: "failed" });
  });
});

describe("limits", () => {
  it("reserves what a step may cost before it begins, holds others meanwhile, and stops at the cent", async () => {
    await process.worker();
    const priced = (usd: number | null) =>
      changeFacts(
        app,
        process,
        "agents",
        `update agent_versions set definition = jsonb_set(definition, '{tools,0}', definition #> '{tools,0}' || jsonb_build_object('cost_usd', $1::float8))`,
        [usd ?? 0],
      );
    await priced(0.4);
    try {
      const four = ["a", "b", "c", "d"].map((id) => ({
        id,
        needs: [],
        tool: look("ld_1001"),
        on_error: "continue" as const,
      }));
      const run = await started(app, four, {}, { limits: { cost_usd: 1 } });
      const row = await ended(run);
      expect(row.cost_usd).toBeCloseTo(0.8, 6);
      const rows = await stepRows(app, run);
      expect(rows.filter(({ status }) => status === "completed")).toHaveLength(2);
      const failed = rows.filter(({ status }) => status === "failed").map(({ failure }) => JSON.parse(failure).code);
      expect(failed).toEqual(["cost_limit", "cost_limit"]);
    } finally {
      await priced(null);
    }
  });
});
