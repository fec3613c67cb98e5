import { hash } from "node:crypto";
import { canonicalJson } from "@aos/strict-json";
import { afterEach, describe, expect, it } from "vitest";
import { createReader } from "../../../db/reader.ts";
import { useApp } from "../../../testing/app.ts";
import { lookingUp, scriptedModel } from "../../../testing/models.ts";
import { approve, eventually, lapse, leaseOn, sealsOf, taskRow } from "../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { sealEarlierTasks } from "../steps/backfill-seals.ts";

const app = useApp();
const worker = useWorkerProcess(app);

const sha256 = (text: string): string => hash("sha256", text, "hex");
const get = (path: string) => app.call("GET", path);
const edit = (change: string, task: string) => app.pool.query(`update tasks set ${change} where id = $1`, [task]);

/** A task that ran to its end, with an approval before it or not, and with an answer that fits or not. */
async function ended({ asked = false, fits = true } = {}): Promise<string> {
  const { task_id } = await app.dispatch({ require_approval: asked });
  if (asked) await approve(app, task_id);
  worker.say(scriptedModel(() => ({ text: fits ? '{"qualified":true,"reason":"It fits."}' : "nothing" })));
  await worker.handed()(task_id);
  expect((await taskRow(app, task_id)).status).toBe(fits ? "completed" : "failed");
  return task_id;
}

afterEach(() => app.pool.query("delete from graphile_worker._private_jobs"));

describe("a result that was changed in the database", () => {
  it.each([
    ["the output", `output = '{"qualified":false,"reason":"Forged."}'`],
    ["the input", `input = '{"lead_id":"ld_forged"}'`],
    ["the trust score", "trust_score = 0.9999"],
    ["the state", "status = 'failed'"],
    ["the version", "version_id = 'ver_forged'"],
    ["the seal", "result_seal = null"],
    ["the record that it names", "result_ref = 'aud_01jd8x0000000000000000000a'"],
  ])("is not served: %s", async (_what, change) => {
    const task = await ended();
    const { result_ref } = (await get(`/v1/tasks/${task}/result`)).body;
    await edit(change, task);
    for (const path of [`/v1/tasks/${task}`, `/v1/tasks/${task}/result`]) {
      const { status, body } = await get(path);
      expect(body).toMatchObject({ status: 500, code: "result_not_intact", retryable: false, task_id: task });
      expect(status).toBe(500);
      if (!change.startsWith("result_ref"))
        expect(body).toMatchObject({ result_ref, detail: expect.stringContaining(result_ref) });
    }
  });

  it.each(["predictions = null", `predictions = '{"/qualified":[{"value":true,"probability":1}]}'`])(
    "is not served with other predictions: %s",
    async (change) => {
      const { task_id } = await app.dispatch({ require_approval: false });
      const lease = leaseOn(app, task_id);
      await worker.port.start(lease);
      const predictions = {
        "/qualified": [
          { value: true, probability: 0.9 },
          { value: null, probability: 0.05, none: true as const },
        ],
      };
      expect(await worker.port.complete(lease, { qualified: true }, {}, predictions)).toBe(true);
      for (const path of [`/v1/tasks/${task_id}`, `/v1/tasks/${task_id}/result`])
        expect((await get(path)).body).toMatchObject({ predictions });
      expect((await get("/v1/tasks?agent=sales&limit=1")).body.data).toMatchObject([{ task_id, predictions }]);
      await edit(change, task_id);
      expect((await get(`/v1/tasks/${task_id}/result`)).body).toMatchObject({ code: "result_not_intact" });
    },
  );

  it.each([{ asked: true }, { fits: false }])("is not served whichever way its task ended: %j", async (way) => {
    const task = await ended(way);
    expect((await get(`/v1/tasks/${task}`)).status).toBe(200);
    await edit("output = '{}', failure = null, status = 'completed'", task);
    expect((await get(`/v1/tasks/${task}/result`)).body).toMatchObject({ code: "result_not_intact" });
  });

  it("is not made good by the seal of another task", async () => {
    const [task, other] = [await ended(), await ended()];
    const copied =
      "output = o.output, result_ref = o.result_ref, result_seal = o.result_seal from (select * from tasks where id = $2) o";
    await app.pool.query(`update tasks t set ${copied} where t.id = $1`, [task, other]);
    expect((await get(`/v1/tasks/${task}`)).body).toMatchObject({ code: "result_not_intact" });
  });

  it("stands in lists without what was changed, beside those that hold", async () => {
    const [task, other] = [await ended(), await ended()];
    await edit(`output = '{"qualified":false}', input = '{"lead_id":"ld_forged"}'`, task);
    const { data } = (await get("/v1/tasks?limit=2")).body;
    const of = (id: string) => data.find(({ task_id }: { task_id: string }) => task_id === id);
    expect(of(task)).toMatchObject({ input: {}, output: null, failure: { code: "result_not_intact" } });
    expect(of(other)).toMatchObject({ output: { qualified: true }, failure: null });
  });

  it("is not served as what a task has that still waits", async () => {
    const { task_id } = await app.dispatch({ require_approval: false });
    await edit(`output = '{"qualified":true}'`, task_id);
    expect((await get(`/v1/tasks/${task_id}`)).body).toMatchObject({ status: "queued", output: null });
    await edit("status = 'completed'", task_id);
    expect((await get(`/v1/tasks/${task_id}`)).body).toMatchObject({ code: "result_not_intact", result_ref: null });
  });
});

describe("the record of a task's end", () => {
  it.each([{}, { asked: true }, { fits: false }])(
    "commits to exactly what is served, and to its input: %j",
    async (way) => {
      const task = await ended(way);
      const { input } = (await get(`/v1/tasks/${task}`)).body;
      const { result_ref, output, failure, status, task_id, trust_score } = (await get(`/v1/tasks/${task}/result`))
        .body;
      const record = (await get(`/v1/audit/events/${result_ref}`)).body;
      expect(record).toMatchObject({
        task_id: task,
        action: status === "failed" ? "tasks.failTask" : "tasks.completeTask",
      });
      // Written out by hand here: members in their canonical order, texts and numbers as JSON has them.
      const end = `{"failure":${sorted(failure)},"output":${sorted(output)},"status":"${status}","task_id":"${task_id}","trust_score":${trust_score}}`;
      expect(sha256(record.openings.response + sha256(end))).toBe(record.commitments.response);
      expect(sha256(record.openings.request + sha256(sorted(input)))).toBe(record.commitments.request);
    },
  );

  it("is another one where the task was tried again and completed", async () => {
    const task = await ended({ fits: false });
    const before = (await get(`/v1/tasks/${task}/result`)).body.result_ref;
    expect((await app.call("POST", `/v1/tasks/${task}/retry`, { body: { from: "start" } })).body).toMatchObject({
      status: "queued",
    });
    worker.say(scriptedModel(() => ({ text: '{"qualified":true,"reason":"Now."}' })));
    await worker.handed()(task);
    const { result_ref, status } = (await get(`/v1/tasks/${task}/result`)).body;
    expect(status).toBe("completed");
    expect(result_ref).not.toBe(before);
  });
});

describe("the record of a call of a tool", () => {
  it("commits to its arguments and to what the service found", async () => {
    const { task_id: task } = await app.dispatch({ require_approval: false });
    worker.say(lookingUp());
    await worker.handed()(task);
    const step = (await get(`/v1/tasks/${task}/steps`)).body.data[1];
    const { audit_ref } = await eventually(async () => {
      const { data } = (await get(`/v1/audit/events?task=${task}&limit=100`)).body;
      const found = data.find(({ action }: { action: string }) => action === "tasks.callTool");
      expect(found).toBeDefined();
      return found;
    });
    const { openings, commitments } = (await get(`/v1/audit/events/${audit_ref}`)).body;
    expect(sha256(openings.request + sha256(sorted(step.input)))).toBe(commitments.request);
    expect(sha256(openings.response + sha256(canonicalJson(step.output)))).toBe(commitments.response);
  });
});

describe("what a step answered that was changed in the database", () => {
  const forged = '{"id":"ld_1001","fields":{"company":"Forged"}}';

  it("is not listed", async () => {
    const { task_id: task } = await app.dispatch({ require_approval: false });
    worker.say(lookingUp());
    await worker.handed()(task);
    const listed = async () => (await get(`/v1/tasks/${task}/steps`)).body.data;
    expect((await listed()).map(({ output }: { output: unknown }) => output)).not.toContain(null);
    await app.pool.query("update steps set output = $2 where task_id = $1 and kind = 'tool'", [task, forged]);
    expect((await listed())[1]).toMatchObject({
      name: "get_lead",
      output: null,
      failure: { code: "result_not_intact" },
    });
  });

  it("is nothing that a run goes on with: a look-up is made again", async () => {
    const { task_id: task } = await app.dispatch({ require_approval: false });
    worker.say(lookingUp());
    // Its second turn never comes to anything: its worker is lost.
    const lost = worker.handed({ complete: () => new Promise(() => undefined) });
    void lost(task);
    await eventually(async () =>
      expect((await app.pool.query("select from steps where task_id = $1", [task])).rowCount).toBe(3),
    );
    await app.pool.query("update steps set output = $2 where task_id = $1 and kind = 'tool'", [task, forged]);
    await lapse(app, task);
    await worker.sweeper.sweep();
    await worker.handed()(task);
    const { output } = await taskRow(app, task);
    expect(JSON.stringify(output)).toContain("company");
    expect(JSON.stringify(output)).not.toContain("Forged");
  });
});

/** JSON of a flat object with its members in order; of null, `null`. */
const sorted = (value: object | null): string =>
  JSON.stringify(value && Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))));

it("of an earlier release, which sealed none, is served after the upgrade, and refused once it is changed", async () => {
  const task = await ended();
  await app.pool.query("update tasks set result_seal = null, result_ref = null");
  await app.pool.query("update steps set seal = null");
  expect((await get(`/v1/tasks/${task}`)).status).toBe(500);
  const seals = await sealsOf(app);
  const reader = createReader(app.pool);
  expect(await sealEarlierTasks(reader, seals)).toBeGreaterThan(1);
  expect(await sealEarlierTasks(reader, seals)).toBe(0);
  expect((await get(`/v1/tasks/${task}`)).status).toBe(200);
  const { body } = await get(`/v1/tasks/${task}/steps`);
  expect(
    body.data.some(({ failure }: { failure: { code: string } | null }) => failure?.code === "result_not_intact"),
  ).toBe(false);
  await edit(`output = '{"qualified":false,"reason":"Forged."}'`, task);
  expect((await get(`/v1/tasks/${task}`)).body).toMatchObject({ code: "result_not_intact" });
});
