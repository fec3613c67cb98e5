import type { Step } from "@aos/workflow";
import { beforeAll, describe, expect, it } from "vitest";
import { createReader } from "../../../db/reader.ts";
import { useApp } from "../../../testing/app.ts";
import { approve, eventually } from "../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import type { Holding } from "../../tasks/public.ts";
import { underKillSwitch, underPause } from "../../tasks/runs/testing.ts";
import { asking, endOf, startedRun, stepOf, wakeAgain } from "../steps/steps.fixture.ts";
import { holdsOfRuns } from "./held-by.ts";

const app = useApp();
const worker = useWorkerProcess(app);
beforeAll(async () => {
  await worker.worker();
});

const ask: Step = { id: "ask", approval: { title: "'Go on?'", agent: "sales" } };
const look: Step = { id: "look", tool: { agent: "sales", name: "get_lead", arguments: { lead_id: "'ld_1001'" } } };
const read = async (run: string) => (await app.call("GET", `/v1/workflows/-/runs/${run}`)).body;
/** What holds a run, the same at the object and in the list, and what holds one of its steps. */
const heldBy = async (run: string, step: string) => {
  const one = await read(run);
  const {
    text,
    body: { data },
  } = await app.call("GET", "/v1/workflows/runs?limit=100");
  expect(data, text).toBeDefined();
  expect(data.find(({ run_id }: { run_id: string }) => run_id === run).held_by).toEqual(one.held_by);
  return [one.held_by, one.steps.find((each: { step: string }) => each.step === step).held_by];
};

describe("a run that waits for an approval", () => {
  it("says so with its step, where people decide, and nothing once they did", async () => {
    const run = await startedRun(app, { steps: [ask, look] });
    const task = await asking(app, run, "ask");
    const { approval_id } = (await app.call("GET", `/v1/approvals/${task}`)).body;
    const asked = { kind: "approval", source: approval_id, url: `http://127.0.0.1:4000/approvals/${task}` };
    const [held, step] = await heldBy(run, "ask");
    expect(held).toMatchObject({ ...asked, text: expect.stringMatching(/^Step ask: Waits for approval\. Go on\?/) });
    expect(step).toMatchObject({ ...asked, text: expect.stringMatching(/^Waits for approval\. Go on\?/) });
    await approve(app, task);
    await endOf(app, run);
    expect(await heldBy(run, "ask")).toEqual([null, null]);
  });

  it("is told at the run whose step started it, too", async () => {
    const parent = await startedRun(app, { steps: [look] });
    const child = await startedRun(app, { steps: [ask] });
    await endOf(app, parent);
    await app.pool.query("update workflow_runs set status = 'running', finished_at = null where id = $1", [parent]);
    await app.pool.query("update workflow_runs set parent_run = $2, parent_step = 'look' where id = $1", [
      child,
      parent,
    ]);
    await asking(app, child, "ask");
    const [held, step] = await heldBy(parent, "look");
    expect([held.kind, held.text]).toEqual(["approval", expect.stringMatching(/^Step look: Waits for approval/)]);
    expect(step.kind).toBe("approval");
  });
});

describe("a step that may not begin yet", () => {
  const stands = (run: string) =>
    eventually(async () =>
      expect(await stepOf(app, run, "look")).toMatchObject({ held: { code: expect.any(String) } }),
    );

  it("names the kill switch, at the run and the step, until it is released", async () => {
    await underKillSwitch(app, worker, { kind: "agent", target: "sales", mode: "drain" }, async (id) => {
      const run = await startedRun(app, { steps: [look] });
      await stands(run);
      const by = { kind: "kill_switch", source: id, lifted_by: "governance:release" };
      expect(await heldBy(run, "look")).toMatchObject([by, by]);
    });
  });

  it("names the agent's pause", async () => {
    await underPause(app, worker, "drain", async () => {
      const run = await startedRun(app, { steps: [look] });
      await stands(run);
      const by = {
        kind: "pause",
        source: "sales",
        lifted_by: "agents:pause",
        url: "http://127.0.0.1:4000/agents/sales",
      };
      expect(await heldBy(run, "look")).toMatchObject([by, by]);
    });
  });

  it("names the budget that is used up", async () => {
    const put = (limits: readonly object[]) =>
      app.call("PUT", "/v1/governance/budgets/agent:sales", { body: { limits } });
    await put([{ unit: "tasks", period: "day", hard: 0 }]);
    await worker.refresh();
    const run = await startedRun(app, { steps: [look] });
    await stands(run);
    const by = { kind: "budget", source: "agent:sales", text: expect.stringContaining("no tasks left today") };
    expect(await heldBy(run, "look")).toMatchObject([by, by]);
    await put([]);
    await worker.refresh();
    await wakeAgain(app, run);
    await endOf(app, run);
    expect(await heldBy(run, "look")).toEqual([null, null]);
  });
});

describe("a run that was paused", () => {
  it("says since when and why, and what it waits for besides", async () => {
    const run = await startedRun(app, { steps: [ask, look] });
    await asking(app, run, "ask");
    await app.call("POST", `/v1/workflows/-/runs/${run}/control`, {
      body: { action: "pause", reason: "Stocktaking." },
    });
    await eventually(async () => {
      const [held] = await heldBy(run, "ask");
      expect(held).toMatchObject({
        kind: "pause",
        source: run,
        lifted_by: "workflows:run",
        since: expect.any(String),
        text: expect.stringMatching(/^The run is paused: Stocktaking\..*Then: Step ask: Waits for approval/),
      });
    });
  });
});

it("what holds runs takes as many statements for all of a page as for one", async () => {
  const runs = [];
  for (let n = 0; n < 5; n++) {
    const run = await startedRun(app, { steps: [ask] });
    await asking(app, run, "ask");
    runs.push(run);
  }
  const { rows } = await app.pool.query("select * from workflow_runs where id = any($1)", [runs]);
  const reader = createReader(app.pool);
  const statements = async (some: typeof rows): Promise<number> => {
    let count = 0;
    const query = ((...given: Parameters<typeof reader.query>) => {
      count += 1;
      return reader.query(...given);
    }) as typeof reader.query;
    const { facts, port } = app.app;
    const ctx = { scope: app.scope, facts, port, appUrl: "", now: Date.now(), principal, db: { query } };
    await holdsOfRuns(ctx as unknown as Holding, some);
    return count;
  };
  const principal = { kind: "system", role: null, scopes: null };
  expect(await statements(rows)).toBe(await statements(rows.slice(0, 1)));
});
