import type { Step } from "@aos/workflow";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { eventually, taskRow } from "../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { changeFacts, underPolicy } from "../../tasks/runs/testing.ts";
import { frozen } from "../runs/runs.fixture.ts";
import { createTarget, endOf, startedRun, stepOf, withTools } from "./steps.fixture.ts";

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
const args = { order: "input.order", amount: "input.amount" };
const call = (name: string, more: Partial<Step> = {}): Step => ({
  id: "act",
  tool: { agent: "sales", name, arguments: args },
  ...more,
});
const constant = { order: "'o_1'", amount: "20" };
const compensate = { tool: { agent: "sales", name: "unbook", arguments: { order: "'o_1'", amount: "20.0" } } };
const calls = (path: string) => target.received.filter((one) => one.path === path);
const orders = (path: string) => calls(path).map(({ body }) => (body as { order: string }).order);
const control = async (run: string, body: object) => {
  const { rows } = await app.pool.query("select workflow from workflow_runs where id = $1", [run]);
  return app.call("POST", `/v1/workflows/${rows[0].workflow}/runs/${run}/control`, { body });
};
/** The task that a column of the step names, once it asks people what became of its write. */
const asking = (run: string, column: "task_id" | "undo_task") =>
  eventually(async () => {
    const { rows } = await app.pool.query(
      `select ${column} as task from workflow_steps where run_id = $1 and step = 'act'`,
      [run],
    );
    expect((await taskRow(app, rows[0]?.task ?? "")).status).toBe("input_required");
    return rows[0].task as string;
  });
const inDoubt = (run: string) => asking(run, "task_id");
async function givenUp(run: string): Promise<void> {
  await app.call("POST", `/v1/tasks/${await inDoubt(run)}/cancel`, { body: {} });
  await endOf(app, run);
}
/** The end of a run whose limits of time only the sweep sees. */
const endWithSweeps = (run: string) =>
  eventually(async () => {
    await process.sweeper.sweep();
    const { rows } = await app.pool.query(
      "select status from workflow_runs where id = $1 and finished_at is not null",
      [run],
    );
    expect(rows).toHaveLength(1);
    return rows[0].status as string;
  });

describe("a write that is done again", () => {
  it("is asked about where its tool has got a key since it was sent without one", async () => {
    target.answer = () => ({ status: 0 });
    const run = await startedRun(app, { steps: [call("note")], given });
    await givenUp(run);
    const withKey = `update agent_versions set definition = jsonb_set(definition, '{tools,3,idempotency}', $1::jsonb) where agent = 'sales'`;
    await changeFacts(app, process, "agents", withKey, ['{"header":"Idempotency-Key"}']);
    try {
      await control(run, { action: "retry_from", step: "act" });
      await inDoubt(run);
      expect(calls("/note")).toHaveLength(1);
    } finally {
      await withTools(app, process, target);
    }
  });

  it("is refused without consent where a step before it is done again, so that its loop may have other items", async () => {
    target.answer = (path) => {
      if (path.startsWith("/price")) return { status: 200, body: { items: ["A", "B", "C"] } };
      return { status: orders("/book").at(-1) === "C" ? 422 : 200 };
    };
    const book = { agent: "sales", name: "book", arguments: { order: "one", amount: "1.0" } };
    const steps: Step[] = [
      { id: "list", tool: { agent: "sales", name: "price", arguments: { order: "'x'" } } },
      { id: "each", needs: ["list"], for_each: { in: "steps.list.output.items", as: "one", at_most: 9 }, tool: book },
    ];
    const run = await startedRun(app, { steps, given });
    expect(await endOf(app, run)).toMatchObject({ status: "failed" });
    const refused = await control(run, { action: "retry_from", step: "list" });
    expect(refused.body).toMatchObject({ code: "writes_not_acknowledged", steps: ["each"] });
    target.answer = () => ({ status: 200 });
    await control(run, { action: "retry_from", step: "each" });
    expect(await endOf(app, run)).toMatchObject({ status: "completed" });
    expect(orders("/book")).toEqual(["A", "B", "C", "C"]);
  });

  it("is refused without consent where the run within a run that made it gets other input", async () => {
    target.answer = (path) => ({ status: path === "/note" ? 422 : 200 });
    const after: Step = { ...call("note"), id: "after", needs: ["act"] };
    const { workflow: name } = await frozen(app, [call("book"), after]);
    const sub: Step = { id: "sub", workflow: { name, version: 1, input: constant } };
    const run = await startedRun(app, { steps: [sub] });
    expect(await endOf(app, run)).toMatchObject({ status: "failed" });
    const refused = await control(run, { action: "retry_from", step: "sub", input: { order: "o_2", amount: 30 } });
    expect(refused.body).toMatchObject({ code: "writes_not_acknowledged", steps: ["sub"] });
  });

  it("is refused without consent where people said that it took effect", async () => {
    target.answer = () => ({ status: 0 });
    const run = await startedRun(app, { steps: [call("note")], given });
    await givenUp(run);
    await control(run, { action: "retry_from", step: "act" });
    await app.call("POST", `/v1/tasks/${await inDoubt(run)}/input`, { body: { answer: "it_took_effect" } });
    expect(await endOf(app, run)).toMatchObject({ status: "completed" });
    const refused = await control(run, { action: "retry_from", step: "act", input: { order: "o_2" } });
    expect(refused.body).toMatchObject({ code: "writes_not_acknowledged", steps: ["act"] });
  });

  it("is not handed on with placeholders of another task: the step that would read it fails, and nothing is sent", async () => {
    const redact = {
      name: "hide",
      scope: { actions: ["tool.call"] },
      effect: "redact",
      params: { kinds: ["email"] },
    };
    await underPolicy(app, process, { ...redact, when: 'tool.name == "book"' }, async () => {
      target.answer = (path) =>
        path === "/book" ? { status: 200, body: { contact: "ann.lee@example.com" } } : { status: 422 };
      const note = { agent: "sales", name: "note", arguments: { order: "steps.act.output.contact", amount: "1.0" } };
      const after: Step = { id: "after", needs: ["act"], tool: note };
      const { workflow: name } = await frozen(app, [call("book"), after]);
      const retry = { attempts: 2, backoff: "200ms" };
      const run = await startedRun(app, {
        steps: [{ id: "sub", workflow: { name, version: 1, input: constant }, retry }],
      });
      const { failure } = await endOf(app, run);
      expect(failure?.detail).toContain("took effect in an earlier attempt");
      expect([calls("/book").length, calls("/note").length]).toEqual([1, 1]);
    });
  });

  it("is undone though a step of the run within it is named undo and made the same call", async () => {
    const { workflow: name } = await frozen(app, [{ ...call("unbook"), id: "undo" }]);
    const steps: Step[] = [
      { id: "act", workflow: { name, version: 1, input: constant }, compensate },
      { ...call("note"), id: "after", needs: ["act"], on_error: "compensate" },
    ];
    target.answer = (path) => ({ status: path === "/note" ? 422 : 200 });
    expect(await endOf(app, await startedRun(app, { steps, given }))).toMatchObject({ status: "compensated" });
    expect(calls("/unbook")).toHaveLength(2);
  });

  it("is refused while nobody knows whether it was undone", async () => {
    target.answer = (path) => ({ status: path === "/book" ? 200 : path === "/note" ? 422 : 0 });
    const steps: Step[] = [
      call("book", { compensate }),
      { ...call("note"), id: "after", needs: ["act"], on_error: "compensate" },
    ];
    const run = await startedRun(app, { steps, given });
    const task = await asking(run, "undo_task");
    await app.call("POST", `/v1/tasks/${task}/cancel`, { body: {} });
    expect(await endOf(app, run)).toMatchObject({ status: "compensation_failed" });
    const refused = await control(run, { action: "retry_from", step: "act", acknowledge: ["act"] });
    expect(refused.body).toMatchObject({ status: 409, detail: expect.stringContaining("whether act of") });
  });
});

describe("a write in doubt", () => {
  it("keeps its step in doubt where the next attempt is refused before it begins", async () => {
    target.answer = () => ({ status: 0 });
    const run = await startedRun(app, { steps: [call("note", { compensate, on_error: "compensate" })], given });
    await givenUp(run);
    await control(run, { action: "retry_from", step: "act", input: { order: 5 } });
    await eventually(async () => expect((await stepOf(app, run, "act"))?.attempt).toBe(2));
    expect(await endOf(app, run)).toMatchObject({ status: "compensation_failed" });
    expect(await stepOf(app, run, "act")).toMatchObject({ status: "outcome_unknown" });
  });

  it("keeps a run within a run in doubt that is over its time limit, and is not taken for undone", async () => {
    target.answer = () => ({ status: 0 });
    const { workflow: name } = await frozen(app, [call("note")]);
    const sub: Step = {
      id: "act",
      workflow: { name, version: 1, input: constant },
      timeout: "2s",
      on_error: "compensate",
      compensate,
    };
    expect(await endWithSweeps(await startedRun(app, { steps: [sub] }))).toBe("compensation_failed");
  });

  it("keeps a loop in doubt that is over its time limit, and is not taken for undone", async () => {
    target.answer = () => ({ status: 0 });
    const loop: Step = {
      id: "act",
      for_each: { in: "['o_1']", as: "one", at_most: 5 },
      tool: { agent: "sales", name: "note", arguments: { order: "one", amount: "1.0" } },
      timeout: "2s",
      on_error: "compensate",
      compensate,
    };
    expect(await endWithSweeps(await startedRun(app, { steps: [loop] }))).toBe("compensation_failed");
  });
});
