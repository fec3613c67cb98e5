import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { beginStep, leaseOn, taskRow } from "../../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { changeFacts } from "../../runs/testing.ts";

const app = useApp();
const process = useWorkerProcess(app);

/** Gives the sample's first skill a tool that writes, to an address where nobody listens. */
const withWriter = (more: object = {}) => {
  const tool = {
    ...{
      name: "send_mail",
      kind: "http",
      effect: "write",
      request: { method: "POST", url: "http://127.0.0.1:9/mail", body: {} },
    },
    ...more,
  };
  return changeFacts(
    app,
    process,
    "agents",
    `update agent_versions set definition = definition || jsonb_build_object('tools', jsonb_build_array(definition -> 'tools' -> 0, $1::jsonb),
       'skills', jsonb_build_array((definition -> 'skills' -> 0) || '{"tools":["get_lead","send_mail"]}')) where agent = 'sales'`,
    [JSON.stringify(tool)],
  );
};

const retry = (task: string, body: object = {}) => app.call("POST", `/v1/tasks/${task}/retry`, { body });

/** A task that was cancelled while its third step was under way, a write, after its second had failed and that was reported to the model. */
async function cancelledInWrite(): Promise<string> {
  const { task_id: task } = await app.dispatch({ require_approval: false });
  const lease = leaseOn(app, task);
  await process.port.start(lease);
  const turn = await beginStep(app, lease, { number: 1, kind: "model", name: "sample-model", input: {} });
  await process.port.endStep(lease, turn as string, { state: "finished", output: { parts: [] } });
  const failed = { number: 2, kind: "tool", name: "get_lead", input: { lead_id: "ld_0" } } as const;
  await process.port.refuseStep(lease, failed, { code: "record_not_found", detail: "There is none." });
  await beginStep(app, lease, { number: 3, kind: "tool", name: "send_mail", input: {} });
  await app.call("POST", `/v1/tasks/${task}/cancel`, { body: {} });
  return task;
}

beforeEach(() => withWriter());
afterEach(() => app.pool.query("delete from graphile_worker._private_jobs"));

describe("trying a task again in which a write is in doubt", () => {
  it("asks about the write first, though a call before it failed", async () => {
    const task = await cancelledInWrite();
    expect((await retry(task)).status).toBe(202);
    await process.handed()(task);
    expect((await taskRow(app, task)).status).toBe("input_required");
    const { question } = (await app.call("GET", `/v1/tasks/${task}`)).body;
    expect(question).toMatchObject({
      kind: "outcome",
      text: expect.stringMatching(/^Did send_mail take effect\? .*Cancelled by its caller\. Look at/),
    });
  });

  it.each([{ from: "start" }, { from: "step", step: 1 }, { from: "step", step: 3 }])(
    "is refused with %j, which would forget it",
    async (body) => {
      const task = await cancelledInWrite();
      const answered = await retry(task, body);
      expect(answered.body).toMatchObject({
        status: 409,
        code: "wrong_state",
        detail: expect.stringContaining("Step 3, send_mail,"),
      });
      expect(answered.body.detail).toContain("without `from`");
    },
  );

  it("is refused from the start only where its receiver knows it by a key, which another run would not have", async () => {
    await withWriter({ idempotency: { header: "Idempotency-Key" } });
    const task = await cancelledInWrite();
    expect((await retry(task, { from: "start" })).body).toMatchObject({
      status: 409,
      detail: expect.stringContaining("send_mail"),
    });
  });

  it("is refused from a step before it also where its receiver knows it by a key, and goes on from it with that key", async () => {
    await withWriter({ idempotency: { header: "Idempotency-Key" } });
    const task = await cancelledInWrite();
    expect((await retry(task, { from: "step", step: 2 })).body).toMatchObject({
      status: 409,
      detail: expect.stringContaining("send_mail"),
    });
    expect((await retry(task, { from: "step", step: 3 })).status).toBe(202);
    const { rows } = await app.pool.query("select retry_step from tasks where id = $1", [task]);
    expect(rows).toEqual([{ retry_step: 4 }]);
  });

  it("asks about one that people had made otherwise, whatever key its receiver knows it by", async () => {
    await withWriter({ idempotency: { header: "Idempotency-Key" } });
    const task = await cancelledInWrite();
    await app.pool.query(
      "update steps set edit_approval_id = 'apr_01jd8x0000000000000000000a' where task_id = $1 and number = 3",
      [task],
    );
    const answered = await retry(task, { from: "step", step: 3 });
    expect(answered.body).toMatchObject({
      status: 409,
      detail: expect.stringContaining("it is asked then whether it took effect"),
    });
  });
});
