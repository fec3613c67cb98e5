import type { Step } from "@aos/workflow";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { eventually, taskRow } from "../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
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
const call = (name: string, more: Partial<Step> = {}): Step => ({
  id: "act",
  tool: { agent: "sales", name, arguments: { order: "input.order", amount: "input.amount" } },
  ...more,
});
const retry = { attempts: 3, backoff: "200ms" };
/** What the target answers to one call after the other; 0 breaks the connection off. */
const answering = (...statuses: number[]) => {
  target.answer = () => ({ status: statuses.shift() ?? 200 });
};
const keys = (path: string) => target.received.filter((one) => one.path === path).map(({ key }) => key);
const control = async (run: string, body: object) => {
  const { rows } = await app.pool.query("select workflow from workflow_runs where id = $1", [run]);
  return app.call("POST", `/v1/workflows/${rows[0].workflow}/runs/${run}/control`, { body });
};
/** The task of the step, once it asks people what became of its write. */
const inDoubt = (run: string) =>
  eventually(async () => {
    const task = (await stepOf(app, run, "act"))?.task_id;
    expect((await taskRow(app, task ?? "")).status).toBe("input_required");
    return task as string;
  });
/** Ends the task while its write is in doubt, and so the run. */
async function givenUp(run: string): Promise<void> {
  await app.call("POST", `/v1/tasks/${await inDoubt(run)}/cancel`, { body: {} });
  await endOf(app, run);
  expect(await stepOf(app, run, "act")).toMatchObject({ status: "outcome_unknown", attempt: 1 });
}

describe("the write of a workflow's step", () => {
  it("has one key over all attempts of the step", async () => {
    answering(422, 422);
    const run = await startedRun(app, { steps: [call("book", { retry })], given });
    expect(await endOf(app, run)).toMatchObject({ status: "completed" });
    expect(keys("/book")).toHaveLength(3);
    expect(new Set(keys("/book")).size).toBe(1);
    const { rows } = await app.pool.query("select outcome, tool from effects where origin = $1", [`${run} act`]);
    expect(rows).toEqual([{ outcome: "done", tool: "book" }]);
  });

  it("is not taken for refused where the connection broke and the target was gone when it was sent again", async () => {
    answering(0, 503, 503);
    const run = await startedRun(app, { steps: [call("book", { retry })], given });
    const task = await inDoubt(run);
    expect(new Set(keys("/book")).size).toBe(1);
    await app.call("POST", `/v1/tasks/${task}/input`, { body: { answer: "it_did_not" } });
    expect(await endOf(app, run)).toMatchObject({ status: "completed" });
    expect(keys("/book")).toHaveLength(4);
    expect(new Set(keys("/book")).size).toBe(1);
  });

  it("that is in doubt is sent with its key where the run is done again from its step", async () => {
    answering(0, 503, 503);
    const run = await startedRun(app, { steps: [call("book", { retry })], given });
    await givenUp(run);
    expect((await control(run, { action: "retry_from", step: "act" })).status).toBe(202);
    expect(await endOf(app, run)).toMatchObject({ status: "completed" });
    expect(keys("/book")).toHaveLength(4);
    expect(new Set(keys("/book")).size).toBe(1);
  });

  it.each([
    ["it_took_effect", 1],
    ["it_did_not", 2],
  ])(
    "that is in doubt is asked about where its target knows no key, and after %j was sent %i times",
    async (answer, times) => {
      answering(0);
      const run = await startedRun(app, { steps: [call("note", { retry })], given });
      await givenUp(run);
      await control(run, { action: "retry_from", step: "act" });
      const { body } = await app.call("GET", `/v1/tasks/${await inDoubt(run)}`);
      expect(body.question).toMatchObject({ kind: "outcome", text: expect.stringContaining("Did note take effect?") });
      expect(keys("/note")).toHaveLength(1);
      await app.call("POST", `/v1/tasks/${body.task_id}/input`, { body: { answer } });
      expect(await endOf(app, run)).toMatchObject({ status: "completed" });
      expect(keys("/note")).toHaveLength(times);
    },
  );

  it("that is in doubt is asked about before another one is made in its place", async () => {
    answering(0, 503, 503);
    const run = await startedRun(app, { steps: [call("book")], given });
    await givenUp(run);
    await control(run, { action: "retry_from", step: "act", input: { order: "o_2" } });
    const task = await inDoubt(run);
    expect(target.received).toHaveLength(3);
    await app.call("POST", `/v1/tasks/${task}/input`, { body: { answer: "it_did_not" } });
    expect(await endOf(app, run)).toMatchObject({ status: "completed" });
    expect(target.received.at(-1)?.body).toMatchObject({ order: "o_2" });
  });

  it("that is in doubt keeps another run from being started in its place, until somebody says that it may be done twice", async () => {
    answering(0, 503, 503);
    const run = await startedRun(app, { steps: [call("book")], given });
    await givenUp(run);
    const refused = await control(run, { action: "replay" });
    expect(refused.body).toMatchObject({ status: 409, code: "writes_not_acknowledged", steps: ["act"] });
  });

  it("is not made again where the run within a run that made it is begun again", async () => {
    target.answer = (path) => ({ status: path === "/note" && keys("/note").length === 1 ? 422 : 200 });
    const after: Step = { ...call("note"), id: "after", needs: ["act"] };
    const { workflow: name } = await frozen(app, [call("book"), after]);
    const sub: Step = { id: "sub", workflow: { name, version: 1, input: { order: "'o_1'", amount: "20" } }, retry };
    const run = await startedRun(app, { steps: [sub] });
    expect(await endOf(app, run)).toMatchObject({ status: "completed" });
    expect([keys("/book").length, keys("/note").length]).toEqual([1, 2]);
  });

  it("is made again, as another one, where it was undone in between", async () => {
    const compensate = {
      tool: { agent: "sales", name: "unbook", arguments: { order: "input.order", amount: "input.amount" } },
    };
    answering(200, 422, 200, 200);
    const steps: Step[] = [
      call("book", { compensate }),
      { ...call("note"), id: "after", needs: ["act"], on_error: "compensate" },
    ];
    const run = await startedRun(app, { steps, given });
    expect(await endOf(app, run)).toMatchObject({ status: "compensated" });
    expect((await control(run, { action: "retry_from", step: "act" })).status).toBe(202);
    expect(await endOf(app, run)).toMatchObject({ status: "completed" });
    expect(new Set(keys("/book")).size).toBe(2);
    expect(keys("/unbook")).toHaveLength(1);
  });

  it("is made again, as another one, where it is done and somebody asks for it knowingly", async () => {
    const run = await startedRun(app, { steps: [call("book")], given });
    await endOf(app, run);
    expect((await control(run, { action: "retry_from", step: "act" })).body.code).toBe("writes_not_acknowledged");
    await control(run, { action: "retry_from", step: "act", acknowledge: ["act"] });
    await eventually(async () => expect(keys("/book")).toHaveLength(2));
    expect(await endOf(app, run)).toMatchObject({ status: "completed" });
    expect(new Set(keys("/book")).size).toBe(2);
  });
});
