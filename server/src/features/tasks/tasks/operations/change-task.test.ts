import { describe, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { approve, eventsOf, eventually, leaseOn } from "../../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";

let ahead = 0;
const app = useApp({ clock: { now: () => Date.now() + ahead } });
const process = useWorkerProcess(app);
const inAnHour = (more = 0) => new Date(Date.now() + 3_600_000 + more).toISOString();
const change = (task: string, body: Record<string, unknown>, headers: Record<string, string> = {}) =>
  app.call("PATCH", `/v1/tasks/${task}`, { key: "operator", body, headers });
const waiting = async (body: Record<string, unknown> = {}) => (await app.dispatch(body)).task_id;
const queued = (body: Record<string, unknown> = {}) => waiting({ require_approval: false, ...body });
/** What waits to wake a worker for the task, in the order in which it will. */
const wakeUps = async (task: string): Promise<{ priority: number; run_at: Date }[]> => {
  const { rows } = await app.pool.query(
    "select priority, run_at from graphile_worker._private_jobs where payload ->> 'task' = $1 order by priority",
    [task],
  );
  return rows;
};
const sentBack = async (): Promise<string> => {
  const task = await waiting();
  const { digest } = (await app.call("GET", `/v1/approvals/${task}`)).body;
  const body = { note: "Another lead, please.", digest };
  const { status, text } = await app.call("POST", `/v1/approvals/${task}/request-changes`, { key: "approver", body });
  if (status !== 200) throw new Error(text);
  return task;
};

describe("changing a task that waits", () => {
  it("changes each field that is named, and no other", async () => {
    const times = { deadline: inAnHour(1000), not_before: inAnHour() };
    const task = await waiting({ labels: ["first"], priority: 1 });
    const before = (await app.call("GET", `/v1/tasks/${task}`)).body;
    const steps: Record<string, unknown>[] = [
      { priority: 7 },
      { labels: ["urgent", "b2b"] },
      { deadline: times.deadline },
      { not_before: times.not_before },
    ];
    let expected = before;
    for (const step of steps) {
      const { status, body } = await change(task, step);
      expected = { ...expected, ...step, updated_at: expect.any(String) };
      expect([status, body]).toEqual([200, expected]);
    }
    const { body } = await change(task, { deadline: null, not_before: null, labels: [] });
    expect(body).toMatchObject({
      deadline: null,
      not_before: null,
      labels: [],
      priority: 7,
      status: "awaiting_approval",
    });
    expect((await app.call("GET", `/v1/tasks/${task}`)).body).toEqual(body);
  });

  it("wakes a worker again where it says when a queued task runs, once however often it is changed", async () => {
    const task = await queued();
    await change(task, { priority: 3 });
    await change(task, { priority: 9 });
    expect((await wakeUps(task)).map(({ priority }) => priority)).toEqual([-9, 0]);
    const not_before = inAnHour();
    await change(task, { not_before });
    const [later] = await wakeUps(task);
    expect(later).toEqual({ priority: -9, run_at: new Date(not_before) });
  });

  it("lets others go before a task that was put back, and itself before others where it was put forward", async () => {
    const [back, plain, forward] = [await queued({ priority: 5 }), await queued(), await queued({ priority: -5 })];
    await change(back, { priority: -9 });
    await change(forward, { priority: 9 });
    const worker = await process.worker({ concurrency: 1 });
    const started = () =>
      app.pool.query("select id from tasks where id = any($1) and started_at is not null order by started_at", [
        [back, plain, forward],
      ]);
    await eventually(async () => expect((await started()).rows.map(({ id }) => id)).toEqual([forward, plain, back]));
    await worker.stop(1_000);
  });

  it("wakes nobody for a change of labels, nor for a task that waits for people", async () => {
    const [free, bound] = [await queued(), await waiting()];
    await change(free, { labels: ["urgent"] });
    await change(bound, { priority: 9 });
    expect([(await wakeUps(free)).length, (await wakeUps(bound)).length]).toEqual([1, 0]);
    await approve(app, bound);
    expect((await wakeUps(bound)).map(({ priority }) => priority)).toEqual([-9]);
  });

  it("keeps a worker from a task whose time was put off", async () => {
    const task = await queued();
    expect(await process.port.isReady(app.scope, task)).toBe(true);
    await change(task, { not_before: inAnHour() });
    expect(await process.port.isReady(app.scope, task)).toBe(false);
  });

  it.each(["running", "completed", "failed", "cancelled", "blocked", "expired", "rejected"])(
    "is refused while it is %s, naming that",
    async (status) => {
      const task = await waiting();
      await app.pool.query("update tasks set status = $2 where id = $1", [task, status]);
      const { status: answered, body } = await change(task, { priority: 1 });
      expect([answered, body.code, body.detail]).toEqual([
        409,
        "wrong_state",
        expect.stringContaining(`The task is ${status}`),
      ]);
    },
  );

  it("is seen by policies on task.change, with the input as it would be", async () => {
    const task = await waiting();
    const { secret } = await app.member("operator");
    const when = 'has(input.lead_id) && input.lead_id == "ld_1001" && has(skill.name) && skill.name == "qualify_lead"';
    await app.policy({
      scope: { actions: ["task.change"], agents: ["sales"] },
      when: `${when} && principal.role == "builder"`,
      effect: "deny",
    });
    expect((await app.call("PATCH", `/v1/tasks/${task}`, { key: secret, body: { priority: 1 } })).status).toBe(200);
    expect((await app.call("PATCH", `/v1/tasks/${task}`, { key: "builder", body: { priority: 1 } })).body.code).toBe(
      "policy_blocked",
    );
  });

  it("is judged as a dispatch of the new input, where it has one", async () => {
    const scope = { actions: ["task.dispatch"] };
    await app.policy({ scope, when: 'has(input.lead_id) && input.lead_id == "ld_1151"', effect: "deny" });
    const two = { effect: "require_approval", params: { approvers: 2 }, message: "Two look at this." };
    await app.policy({ scope, when: 'has(input.lead_id) && input.lead_id == "ld_1152"', ...two });
    const task = await sentBack();
    const denied = await change(task, { input: { lead_id: "ld_1151" } });
    expect([denied.status, denied.body.code]).toEqual([403, "policy_blocked"]);
    expect((await change(task, { input: { lead_id: "ld_1152" } })).status).toBe(200);
    const { body } = await app.call("GET", `/v1/approvals/${task}`);
    expect(body).toMatchObject({
      status: "pending",
      round: 2,
      approvers: 2,
      reasons: expect.arrayContaining(["Two look at this."]),
    });
  });
});

describe("the times of a task that is changed", () => {
  it("are held against each other, whichever of them is given", async () => {
    const task = await queued({ deadline: inAnHour() });
    const late = await change(task, { not_before: inAnHour(1000) });
    expect([late.status, late.body.errors[0].pointer]).toEqual([422, "/not_before"]);
    expect((await change(task, { not_before: inAnHour(1000), deadline: inAnHour(2000) })).status).toBe(200);
    const early = await change(task, { deadline: inAnHour() });
    expect([early.status, early.body.errors[0].pointer]).toEqual([422, "/deadline"]);
    expect((await change(task, { deadline: null })).status).toBe(200);
  });

  it("cannot be past where they end it, but a change that was made is answered again after that", async () => {
    const task = await queued();
    const body = { deadline: inAnHour() };
    const headers = { "idempotency-key": "put off" };
    const first = await change(task, body, headers);
    expect(first.status).toBe(200);
    ahead = 7_200_000;
    try {
      const again = await change(task, body, headers);
      expect([again.status, again.text, again.headers.get("idempotent-replayed")]).toEqual([200, first.text, "true"]);
      const late = await change(task, body, { "idempotency-key": "too late" });
      expect([late.status, late.body.errors[0]]).toEqual([
        422,
        expect.objectContaining({ pointer: "/deadline", code: "past" }),
      ]);
    } finally {
      ahead = 0;
    }
  });
});

describe("the input of a task", () => {
  it("can be changed where people asked for changes, and goes before them again", async () => {
    const task = await sentBack();
    const before = (await app.call("GET", `/v1/tasks/${task}`)).body;
    const { status, body } = await change(task, { input: { lead_id: "ld_1002" } });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: "awaiting_approval", input: { lead_id: "ld_1002" } });
    expect(body.approval_id).not.toBe(before.approval_id);
    expect((await app.call("GET", `/v1/approvals/${task}`)).body).toMatchObject({
      approval_id: body.approval_id,
      status: "pending",
    });
    expect((await eventsOf(app, task)).at(-1)).toBe("task.approval_required");
    expect((await change(task, { input: { lead_id: "ld_1001" } })).body.code).toBe("input_is_bound");
  });

  it("is changed together with the rest, or not at all", async () => {
    const task = await sentBack();
    const wrong = await change(task, { priority: 8, input: { lead_id: 7 } });
    expect([wrong.status, wrong.body.errors[0].pointer]).toEqual([422, "/input/lead_id"]);
    expect((await app.call("GET", `/v1/tasks/${task}`)).body).toMatchObject({
      priority: 0,
      input: { lead_id: "ld_1001" },
    });
    const { body } = await change(task, { priority: 8, input: { lead_id: "ld_1002" } });
    expect(body).toMatchObject({ priority: 8, input: { lead_id: "ld_1002" } });
  });

  it("is bound while people decide about it, after they did, and where nobody was asked", async () => {
    const [asked, free, approved] = [await waiting(), await queued(), await waiting()];
    await approve(app, approved);
    for (const task of [asked, free, approved]) {
      const { status, body } = await change(task, { input: { lead_id: "ld_1002" } });
      expect([status, body.code]).toEqual([409, "input_is_bound"]);
      expect((await app.call("GET", `/v1/tasks/${task}`)).body.input).toEqual({ lead_id: "ld_1001" });
    }
    expect(await process.port.start(leaseOn(app, approved))).toMatchObject({ claimed: true });
  });
});
