import type { Step } from "@aos/workflow";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { approve, eventually, taskRow } from "../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { approvalsOf, underPolicy } from "../../tasks/runs/testing.ts";
import { frozen } from "../runs/runs.fixture.ts";
import { asking, createTarget, endOf, startedRun, stepOf, withTools } from "./steps.fixture.ts";

const app = useApp();
const process = useWorkerProcess(app);
const target = createTarget();

beforeAll(async () => {
  await target.listen();
  await withTools(app, process, target);
  await process.worker();
});
afterAll(() => target.close());
afterEach(() => {
  target.received.length = 0;
  target.answer = () => ({ status: 200 });
});

const given = { order: "o_1", amount: 20 };
const call = (name: string, more: Partial<Step> = {}): Step => ({
  id: "act",
  tool: {
    agent: "sales",
    name,
    arguments: { order: "input.order", ...(name === "price" ? {} : { amount: "input.amount" }) },
  },
  ...more,
});
const taskOf = (run: string) =>
  eventually(async () => {
    const task = (await stepOf(app, run, "act"))?.task_id;
    expect(task).toBeTruthy();
    return task as string;
  });

describe("a step that calls a tool over HTTP", () => {
  it("answers what the service says, and later steps read it", async () => {
    target.answer = () => ({ status: 200, body: { amount: 12.5 } });
    const steps: Step[] = [call("price"), { id: "twice", set: { amount: "steps.act.output.amount * 2.0" } }];
    const run = await startedRun(app, { steps, given });
    expect(await endOf(app, run)).toMatchObject({ status: "completed", failure: null });
    expect(target.received).toMatchObject([{ path: "/price/o_1" }]);
    expect((await stepOf(app, run, "twice"))?.output).toEqual({ amount: 25 });
  });

  it("keeps an output of more than 256 KiB with its task, and says where", async () => {
    target.answer = () => ({ status: 200, body: { text: "x".repeat(300_000) } });
    const run = await startedRun(app, { steps: [call("price")], given });
    expect(await endOf(app, run)).toMatchObject({ status: "completed", failure: null });
    const task = await taskOf(run);
    const artifact = { task_id: task, bytes: 300_011, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) };
    expect((await stepOf(app, run, "act"))?.output).toEqual({ artifact });
    expect((await app.call("GET", `/v1/tasks/${task}/result`)).body.output.text).toHaveLength(300_000);
  });

  it("writes without asking where neither risk nor policy wants it, once", async () => {
    const run = await startedRun(app, { steps: [call("note")], given });
    expect(await endOf(app, run)).toMatchObject({ status: "completed", failure: null });
    expect(target.received).toMatchObject([{ path: "/note", body: given }]);
    const { rows } = await app.pool.query("select kind, name, state from steps where task_id = $1", [
      await taskOf(run),
    ]);
    expect(rows).toEqual([{ kind: "tool", name: "note", state: "finished" }]);
  });

  it("is asked for once where a policy of its call demands people, not again when it is made", async () => {
    const people = { name: "people", scope: { actions: ["tool.call"] }, effect: "require_approval" };
    await underPolicy(app, process, { ...people, when: 'tool.name == "note"', params: { approvers: 2 } }, async () => {
      const run = await startedRun(app, { steps: [call("note")], given });
      const task = await asking(app, run, "act");
      expect(target.received).toEqual([]);
      await approve(app, task);
      await approve(app, task);
      expect(await endOf(app, run)).toMatchObject({ status: "completed", failure: null });
      expect(await approvalsOf(app, task)).toMatchObject([{ status: "consumed", approvers: 2 }]);
      expect(target.received).toHaveLength(1);
    });
  });

  it("fails with the reason of the service where that refuses", async () => {
    target.answer = () => ({ status: 422, body: { error: "no such order" } });
    const run = await startedRun(app, { steps: [call("note")], given });
    const { status, failure } = await endOf(app, run);
    expect([status, failure?.detail]).toEqual(["failed", expect.stringContaining("422")]);
    expect(target.received).toHaveLength(1);
  });

  it("asks people what became of a write whose answer never came, and goes on with what they say", async () => {
    target.answer = () => ({ status: 0 });
    const run = await startedRun(app, { steps: [call("note")], given });
    const task = await taskOf(run);
    await eventually(async () => expect((await taskRow(app, task)).status).toBe("input_required"));
    expect(target.received).toHaveLength(1);
    const { body } = await app.call("GET", `/v1/tasks/${task}`);
    const said = await app.call("POST", `/v1/tasks/${task}/input`, { body: { answer: body.question.options[0] } });
    expect(said.status, said.text).toBe(202);
    expect(await endOf(app, run)).toMatchObject({ status: "completed", failure: null });
    expect(target.received).toHaveLength(1);
  });

  it("is not repeated by another attempt of the loop or the run around it where nobody knows whether it was done", async () => {
    target.answer = () => ({ status: 0 });
    const cancelledAt = async (run: string) => {
      const task = await eventually(async () => {
        const { rows } = await app.pool.query(
          "select id from tasks where status = 'input_required' and run_id in (select id from workflow_runs where $1 in (id, parent_run))",
          [run],
        );
        expect(rows).toHaveLength(1);
        return rows[0].id;
      });
      expect((await app.call("POST", `/v1/tasks/${task}/cancel`, { body: {} })).status).toBeLessThan(300);
      expect(await endOf(app, run)).toMatchObject({ status: "failed" });
      return stepOf(app, run, "act");
    };
    const retry = { attempts: 2, backoff: "10ms" };
    const steps = [call("note", { for_each: { in: "[1]", at_most: 1 }, retry })];
    const loop = await startedRun(app, { steps, given });
    expect(await cancelledAt(loop)).toMatchObject({ status: "outcome_unknown", attempt: 1 });
    const { workflow: name } = await frozen(app, [call("note")]);
    const sub: Step = { id: "act", workflow: { name, version: 1, input: { order: "'o_1'", amount: "20" } }, retry };
    const around = await startedRun(app, { steps: [sub] });
    expect(await cancelledAt(around)).toMatchObject({ status: "outcome_unknown", attempt: 1 });
    expect(target.received).toHaveLength(2);
  });
});
