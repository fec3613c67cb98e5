import { afterEach, describe, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { lookingUp, scriptedModel } from "../../../../testing/models.ts";
import { approvalOf, approve, eventsOf, eventually, insideRecordsOf, taskRow } from "../../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { changeFacts } from "../../runs/testing.ts";

const app = useApp();
const process = useWorkerProcess(app);

const queued = async (body: Record<string, unknown> = {}) =>
  (await app.dispatch({ require_approval: false, ...body })).task_id;
const reaches = (task: string, status: string) =>
  eventually(async () => expect((await taskRow(app, task)).status).toBe(status));
const retry = (task: string, body: object = {}) => app.call("POST", `/v1/tasks/${task}/retry`, { body });
/** Looks the record up, and fails in its second turn. */
const failing = () =>
  scriptedModel((turn) =>
    turn === 1 ? { calls: [{ tool: "get_lead", input: { lead_id: "ld_1001" } }] } : { text: "no object" },
  );
const limit = (limits: object) =>
  changeFacts(
    app,
    process,
    "agents",
    "update agent_versions set definition = jsonb_set(definition, '{skills,0,limits}', $1) where agent = 'sales'",
    [JSON.stringify(limits)],
  );
const stepsOf = async (task: string) =>
  (await app.pool.query("select attempt, number, kind from steps where task_id = $1 order by id", [task])).rows.map(
    ({ attempt, number, kind }) => `${attempt}: ${number} ${kind}`,
  );

/** A task that failed in its third step. */
async function failed(): Promise<string> {
  const worker = await process.worker({ model: failing() });
  const task = await queued();
  await reaches(task, "failed");
  await worker.stop(20_000);
  return task;
}

async function runs(task: string, until = "completed"): Promise<void> {
  const worker = await process.worker({ model: lookingUp() });
  await reaches(task, until);
  await worker.stop(20_000);
}

afterEach(() => app.pool.query("delete from graphile_worker._private_jobs"));

describe("trying a task again", () => {
  it("goes on from the step that failed: what was done before is not done again", async () => {
    const task = await failed();
    const answered = await retry(task);
    expect(answered.status).toBe(202);
    expect(answered.body).toMatchObject({ status: "queued", failure: null, finished_at: null });
    await runs(task);
    expect(await taskRow(app, task)).toMatchObject({ status: "completed", attempt: 2, failure: null });
    expect(await stepsOf(task)).toEqual(["1: 1 model", "1: 2 tool", "1: 3 model", "2: 3 model"]);
    expect((await insideRecordsOf(app, task)).filter((record) => record.startsWith("tasks.callTool"))).toHaveLength(1);
    expect(await eventsOf(app, task)).toEqual(
      ["created", "started", "failed", "started", "completed"].map((name) => `task.${name}`),
    );
  });

  it("goes on from a chosen step, or begins again", async () => {
    const [second, anew] = [await failed(), await failed()];
    expect((await retry(second, { from: "step", step: 2 })).status).toBe(202);
    expect((await retry(anew, { from: "start" })).status).toBe(202);
    const worker = await process.worker({ model: lookingUp() });
    for (const task of [second, anew]) await reaches(task, "completed");
    await worker.stop(20_000);
    expect(await stepsOf(second)).toEqual(["1: 1 model", "1: 2 tool", "1: 3 model", "2: 2 tool", "2: 3 model"]);
    expect(await stepsOf(anew)).toEqual([
      "1: 1 model",
      "1: 2 tool",
      "1: 3 model",
      "2: 1 model",
      "2: 2 tool",
      "2: 3 model",
    ]);
  });

  it("counts its limits again", async () => {
    await limit({ tokens: 40 });
    const worker = await process.worker({ model: lookingUp({ tokens: { input: 30, output: 10 } }) });
    const task = await queued();
    await reaches(task, "failed");
    expect((await taskRow(app, task)).failure).toMatchObject({ code: "token_limit" });
    expect((await retry(task)).status).toBe(202);
    await reaches(task, "completed");
    expect((await app.call("GET", `/v1/tasks/${task}`)).body.tokens).toBe(80);
    await worker.stop(20_000);
    await limit({});
  });

  it("counts its steps again", async () => {
    const worker = await process.worker({ model: lookingUp() });
    await limit({ steps: 2 });
    const task = await queued();
    await reaches(task, "failed");
    expect((await taskRow(app, task)).failure).toMatchObject({ code: "step_limit" });
    expect((await retry(task)).status).toBe(202);
    await reaches(task, "completed");
    await worker.stop(20_000);
    await limit({});
  });

  it("asks people again who had not approved, and not those who had", async () => {
    const { task_id: asked } = await app.dispatch();
    await app.call("POST", `/v1/tasks/${asked}/cancel`, { body: {} });
    expect((await retry(asked)).body).toMatchObject({ status: "queued", failure: null });
    await runs(asked, "awaiting_approval");
    expect(await approvalOf(app, asked)).toBe("pending");
    const { task_id: approved } = await app.dispatch();
    await approve(app, approved);
    const worker = await process.worker({ model: failing() });
    await reaches(approved, "failed");
    await worker.stop(20_000);
    await retry(approved);
    await runs(approved);
    expect(await approvalOf(app, approved)).toBe("consumed");
  });

  it("is refused with wrong_state where the task goes on, waits or is over for good", async () => {
    const waiting = await queued();
    const done = await queued();
    await app.pool.query("update tasks set status = 'completed' where id = $1", [done]);
    for (const [task, status] of [
      [waiting, "queued"],
      [done, "completed"],
    ] as const) {
      const { body } = await retry(task);
      expect(body).toMatchObject({ status: 409, code: "wrong_state", detail: expect.stringContaining(status) });
    }
  });

  it.each([
    [{ from: "step" }, "required"],
    [{ step: 2 }, "not_allowed"],
    [{ from: "step", step: 9 }, "unknown_step"],
  ])("says what is wrong with %j", async (body, code) => {
    const task = await failed();
    const answered = await retry(task, body);
    expect(answered.status).toBe(422);
    expect(answered.body.errors).toMatchObject([{ pointer: "/step", code }]);
  });

  it("is refused where its deadline has passed", async () => {
    const task = await failed();
    await app.pool.query("update tasks set deadline = now() - interval '1 second' where id = $1", [task]);
    expect((await retry(task)).body.errors).toMatchObject([{ pointer: "/deadline", code: "past" }]);
  });

  it("takes another deadline, or none, in place of the one that it has", async () => {
    const task = await failed();
    await app.pool.query("update tasks set deadline = now() - interval '1 second' where id = $1", [task]);
    expect((await retry(task, { deadline: "2001-01-01T00:00:00Z" })).body.errors).toMatchObject([
      { pointer: "/deadline", code: "past" },
    ]);
    expect((await retry(task, { deadline: "2100-01-01T00:00:00Z" })).body).toMatchObject({
      deadline: "2100-01-01T00:00:00.000Z",
    });
    const other = await failed();
    await app.pool.query("update tasks set deadline = now() - interval '1 second' where id = $1", [other]);
    expect((await retry(other, { deadline: null })).body).toMatchObject({ status: "queued", deadline: null });
  });
});
