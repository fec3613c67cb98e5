import type { Step } from "@aos/workflow";
import { describe, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { eventually } from "../../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { begin, publish, waiting } from "../control.fixture.ts";

const app = useApp();
const process = useWorkerProcess(app);

const control = (run: string, body: object) => app.call("POST", `/v1/workflows/-/runs/${run}/control`, { body });
const read = async (run: string) => (await app.call("GET", `/v1/workflows/-/runs/${run}`)).body;
const untilStatus = (run: string, status: string) =>
  eventually(async () => expect(await read(run)).toMatchObject({ status }));
const stepsOf = async (run: string) =>
  Object.fromEntries(
    (await read(run)).steps.map(({ step, status, attempt }: Record<string, unknown>) => [step, [status, attempt]]),
  );

/** Fails until its input is edited: there is no such lead. */
const look = (lead: string): Step => ({
  id: "look",
  tool: { agent: "sales", name: "get_lead", arguments: { lead_id: lead } },
});
const note: Step = { id: "note", set: { company: "steps.look.output.fields.company" } };
const before: Step = { id: "before", set: { n: 1 } };

describe("retry_from", () => {
  it("does a step again with edited input and what comes after it, and keeps the attempt before", async () => {
    await process.worker();
    const workflow = await publish(app, { steps: [before, look("input.lead"), note] });
    const { run_id } = await begin(app, workflow, { input: { lead: "ld_0000" } });
    await untilStatus(run_id, "failed");
    const asked = { action: "retry_from", step: "look", input: { lead_id: "ld_1001" } };
    const shown = await control(run_id, { ...asked, preview: true });
    expect(shown.body.changes).toEqual([{ step: "look", change: "run_again", writes: false }]);
    expect((await read(run_id)).status).toBe("failed");
    expect((await control(run_id, asked)).status).toBe(202);
    await untilStatus(run_id, "completed");
    expect(await stepsOf(run_id)).toEqual({
      before: ["completed", 1],
      look: ["completed", 2],
      note: ["completed", 1],
    });
    const [, step] = (await read(run_id)).steps;
    expect(step.attempts).toMatchObject([{ attempt: 1, status: "failed", task_id: expect.stringMatching(/^tsk_/) }]);
    expect(step.action.arguments).toEqual({ lead_id: "ld_1001" });
  });

  it("refuses steps that have written, unless they are acknowledged", async () => {
    await process.worker();
    const steps = [look("input.lead"), { id: "bad", set: { n: "input.missing" } }];
    const { run_id } = await begin(app, await publish(app, { steps }), { input: { lead: "ld_1001" } });
    await untilStatus(run_id, "failed");
    const [{ task_id }] = (await read(run_id)).steps;
    await app.pool.query("update steps set action = 'wrote' where task_id = $1", [task_id]);
    const refused = await control(run_id, { action: "retry_from", step: "look" });
    expect([refused.status, refused.body.code, refused.body.steps]).toEqual([409, "writes_not_acknowledged", ["look"]]);
    expect((await control(run_id, { action: "retry_from" })).status).toBe(202);
    await untilStatus(run_id, "failed");
    const again = await control(run_id, { action: "retry_from", step: "look", acknowledge: ["look"] });
    expect(again.status, again.text).toBe(202);
  });

  it("names what does not fit", async () => {
    const { run_id } = await begin(app, await publish(app, { steps: [waiting] }));
    const faults = async (body: object) => {
      const { status, body: problem } = await control(run_id, body);
      return [
        status,
        ...(problem.errors ?? []).map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`),
      ];
    };
    expect(await faults({ action: "retry_from", step: "nowhere" })).toEqual([422, "/step unfit_step"]);
    expect(await faults({ action: "pause", step: "hold" })).toEqual([422, "/step not_allowed"]);
    expect(await faults({ action: "skip" })).toEqual([422, "/step required"]);
    expect(await faults({ step: "hold" })).toEqual([422, "/action required"]);
    expect(await faults({ action: "resume" })).toEqual([409]);
    expect(await faults({ action: "settle" })).toEqual([409]);
  });
});

describe("skip, pause, resume and cancel", () => {
  it("goes on without a step that failed", async () => {
    await process.worker();
    const workflow = await publish(app, { steps: [look("input.lead"), note] });
    const { run_id } = await begin(app, workflow, { input: { lead: "ld_0000" } });
    await untilStatus(run_id, "failed");
    await control(run_id, { action: "skip", step: "look", output: { fields: { company: "Amber" } } });
    await untilStatus(run_id, "completed");
    expect((await read(run_id)).steps[1].output).toEqual({ company: "Amber" });
  });

  it("goes on without an approval that nobody gives, which is then asked for no more", async () => {
    await process.worker();
    const ask: Step = { id: "ask", approval: { title: "'May I'", agent: "sales" } };
    const { run_id } = await begin(app, await publish(app, { steps: [ask, before] }));
    await eventually(async () => expect((await read(run_id)).steps[0].task_id).not.toBeNull());
    const { task_id } = (await read(run_id)).steps[0];
    const skipped = await control(run_id, { action: "skip", step: "ask" });
    expect(skipped.status, skipped.text).toBe(202);
    expect(skipped.body.changes).toEqual([{ step: "ask", change: "skipped" }]);
    await untilStatus(run_id, "completed");
    expect((await app.call("GET", `/v1/tasks/${task_id}`)).body.status).toBe("cancelled");
  });

  it("pauses, resumes and cancels", async () => {
    await process.worker();
    const { run_id } = await begin(app, await publish(app, { steps: [waiting, before] }));
    await untilStatus(run_id, "waiting");
    expect((await control(run_id, { action: "pause" })).body.asked).toBe("pause");
    await untilStatus(run_id, "paused");
    expect((await control(run_id, { action: "resume" })).status).toBe(202);
    await untilStatus(run_id, "waiting");
    await control(run_id, { action: "cancel", reason: "Of the test." });
    await untilStatus(run_id, "cancelled");
    expect((await control(run_id, { action: "cancel" })).status).toBe(409);
  });
});

describe("a loop", () => {
  const each = (more: Partial<Step> = {}): Step => ({
    id: "each",
    for_each: { in: "steps.list.output.leads", at_most: 10, on_error: "collect", parallel: 2 },
    tool: { agent: "sales", name: "get_lead", arguments: { lead_id: "item" } },
    ...more,
  });
  const list: Step = { id: "list", set: { leads: "input.leads" } };
  const tasksOf = async (run: string) =>
    (await app.pool.query("select count(*)::int as n from tasks where run_id = $1", [run])).rows[0].n;

  it("repeats all of its items where it had completed", async () => {
    await process.worker();
    const workflow = await publish(app, { steps: [list, each()] });
    const { run_id } = await begin(app, workflow, { input: { leads: ["ld_1001", "ld_1002"] } });
    await untilStatus(run_id, "completed");
    await control(run_id, { action: "retry_from", step: "each", reason: "Of the test." });
    await untilStatus(run_id, "completed");
    expect(await tasksOf(run_id)).toBe(4);
    const run = await read(run_id);
    expect(run.steps[1]).toMatchObject({ attempt: 2, items: { total: 2, completed: 2, failed: 0 } });
    expect(run.intervention).toMatchObject({ action: "retry_from", reason: "Of the test." });
  });

  it("takes back its items where somebody goes on without it", async () => {
    await process.worker();
    const { tool: _tool, ...loop } = each();
    const agent = { name: "sales", skill: "qualify_lead", input: { lead_id: "item" }, require_approval: true };
    const workflow = await publish(app, { steps: [list, { ...loop, agent }] });
    const { run_id } = await begin(app, workflow, { input: { leads: ["ld_1001", "ld_1002", "ld_1003"] } });
    await eventually(async () => expect(await tasksOf(run_id)).toBe(2));
    expect((await control(run_id, { action: "skip", step: "each" })).status).toBe(202);
    await untilStatus(run_id, "completed");
    const { rows } = await app.pool.query("select distinct status from tasks where run_id = $1", [run_id]);
    expect(rows).toEqual([{ status: "cancelled" }]);
  });
});

describe("migrate and replay", () => {
  it("moves a waiting run to a version that fits, and not to one that does not", async () => {
    await process.worker();
    const name = await publish(app, { steps: [before, waiting, { id: "end", set: {} }] });
    const { run_id } = await begin(app, name);
    await untilStatus(run_id, "waiting");
    await publish(
      app,
      { steps: [before, waiting, { id: "more", set: { n: 2 } }, { id: "end", set: {} }] },
      { name, version: 2 },
    );
    await publish(app, { steps: [before, { ...waiting, wait: { for: "2d" } }] }, { name, version: 3 });
    const refused = await control(run_id, { action: "migrate", version: 3 });
    expect([refused.status, refused.body.code, refused.body.obstacles[0].step]).toEqual([
      409,
      "migration_refused",
      "hold",
    ]);
    expect((await control(run_id, { action: "migrate", version: 9 })).body.errors[0].code).toBe("unknown_version");
    const moved = await control(run_id, { action: "migrate", version: 2 });
    expect(moved.body).toMatchObject({ version: 2, changes: [{ step: "more", change: "added" }] });
    await control(run_id, { action: "skip", step: "hold" });
    await untilStatus(run_id, "completed");
    expect(await stepsOf(run_id)).toMatchObject({ more: ["completed", 1] });
  });

  it("moves no run to agents beyond those that the key is limited to", async () => {
    await process.worker();
    const name = await publish(app, { steps: [waiting, look("'ld_1001'")] });
    const { run_id } = await begin(app, name);
    await untilStatus(run_id, "waiting");
    const other: Step = { id: "more", tool: { agent: "other", name: "x", arguments: {} } };
    await publish(app, { steps: [waiting, look("'ld_1001'"), other] }, { name, version: 2 });
    const issued = await app.call("POST", "/v1/admin/keys", {
      key: (await app.member("admin")).secret,
      body: { name: "narrow", role: "operator", agents: ["sales"] },
    });
    const moved = await app.call("POST", `/v1/workflows/-/runs/${run_id}/control`, {
      key: issued.body.key,
      body: { action: "migrate", version: 2 },
    });
    expect([moved.status, moved.body.missing_scope]).toEqual([403, "agent:other"]);
    expect(await read(run_id)).toMatchObject({ version: 1 });
  });

  it("starts a new run with the same input, unless its business key or concurrency is taken", async () => {
    const concurrency = { key: "input.order", limit: 1, when_full: "reject" as const };
    const keyed = await publish(app, { steps: [waiting], key: "input.order" });
    const full = await publish(app, { steps: [waiting], concurrency });
    for (const [workflow, code] of [
      [keyed, "run_already_open"],
      [full, "concurrency_full"],
    ] as const) {
      const { run_id } = await begin(app, workflow, { input: { order: "or_1" } });
      expect((await control(run_id, { action: "replay" })).body.code).toBe(code);
    }
    const { run_id } = await begin(app, await publish(app, {}), { input: { order: "or_1" } });
    const { status, body } = await control(run_id, { action: "replay" });
    expect([status, body.run_id === run_id]).toEqual([202, false]);
    expect(body).toMatchObject({ trigger: "retry", trigger_id: run_id, input: { order: "or_1" } });
  });
});
