import { beforeAll, describe, expect, it } from "vitest";
import { createReader } from "../../../db/reader.ts";
import type { SweepParts } from "../../../kernel/machines.ts";
import { useApp } from "../../../testing/app.ts";
import { eventually } from "../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { deadlineSweep } from "./jobs/settle.ts";
import {
  deployOutreach,
  leads,
  missionOf,
  ok,
  outreachModel,
  readMission,
  tasksOf,
  untilStatus,
} from "./missions.fixture.ts";

const app = useApp();
const process = useWorkerProcess(app);
let broken = false;

beforeAll(async () => {
  await deployOutreach(app);
  await process.refresh();
  await process.worker({ model: outreachModel(() => broken) });
});

const created = async (body: object): Promise<string> => (await ok(app, "POST", "/v1/missions", body)).mission_id;

describe("a mission on leads", () => {
  it("goes from its goal to a report: judges all, writes to the best once people approve, and is measured by what they accept", async () => {
    const mission = await created(missionOf(20, 3, { cost_usd: 1, tasks: 30 }));
    const plan = await ok(app, "POST", `/v1/missions/${mission}/plan`, {});
    expect(plan).toMatchObject({
      plan: 1,
      status: "proposed",
      findings: [],
      steps: [
        { id: "qualify_lead", tasks: 20, require_approval: false, cost_usd: { value: 0.2, high: 0.4 } },
        { id: "write_mail", tasks: 3, require_approval: true, depends_on: ["qualify_lead"] },
      ],
      total: { tasks: 23 },
    });
    await ok(app, "POST", `/v1/missions/${mission}/start`, { plan: 1 });
    await eventually(async () => expect(await tasksOf(app, mission, "write_mail")).toHaveLength(3));
    const mails = await tasksOf(app, mission, "write_mail");
    for (const { task_id } of mails)
      await app.call("POST", `/v1/approvals/${task_id}/approve`, { key: "approver", body: {} });
    await untilStatus(app, mission, "finished");
    const inputs = await app.pool.query(
      "select input::json ->> 'lead_id' as lead from tasks where run_step = 'write_mail' order by 1",
    );
    expect(inputs.rows.map(({ lead }) => lead)).toEqual(["ld_1018", "ld_1019", "ld_1020"]);

    for (const [at, { task_id }] of mails.entries())
      await ok(app, "POST", `/v1/tasks/${task_id}/feedback`, { accepted: at < 2 });
    const report = await ok(app, "GET", `/v1/missions/${mission}/report`);
    expect(report).toMatchObject({
      measured: { value: 2, target: 3, reached: false, results: 3 },
      tasks: { planned: 23, completed: 23, failed: 0 },
      budget: { spent_usd: 0.2, reserved_usd: 0, forecast_usd: { value: 0.2 } },
      steps: [{ completed: 20, success: { value: 1 } }, { completed: 3 }],
    });
    const markdown = await app.call("GET", `/v1/missions/${mission}/report`, { headers: { accept: "text/markdown" } });
    expect(markdown.text).toContain("**2**, target at least 3: not reached");
    const { outcome, status } = await ok(app, "POST", `/v1/missions/${mission}/complete`, { note: "Good enough." });
    expect({ outcome, status }).toEqual({ status: "completed", outcome: { result: "missed", note: "Good enough." } });
  });

  it("stops before it could cost more than its budget, and goes on once people have raised it", async () => {
    const body = { ...missionOf(8, 1, { cost_usd: 0.085, tasks: 20 }), autonomy: "within_limits" };
    const mission = await created(body);
    // Past tasks of the skill cost a cent each, and may cost two.
    await ok(app, "POST", `/v1/missions/${mission}/plan`, {});
    await ok(app, "POST", `/v1/missions/${mission}/start`, {});
    const blocked = await untilStatus(app, mission, "blocked");
    expect(blocked).toMatchObject({ health: "blocked", next_decision: { kind: "budget", asked_by: "service" } });
    await eventually(async () => expect((await readMission(app, mission)).spend.reserved_usd).toBe(0));
    expect((await readMission(app, mission)).spend).toMatchObject({ spent_usd: 0.07, left_usd: 0.015 });
    await ok(app, "PATCH", `/v1/missions/${mission}`, { budget: { cost_usd: 0.11, tasks: 20 } });
    const { decision_id } = blocked.next_decision;
    await ok(app, "POST", `/v1/missions/${mission}/decisions/${decision_id}`, { answer: "continue" });
    const { spend, tasks } = await untilStatus(app, mission, "finished");
    expect(spend).toMatchObject({ spent_usd: 0.08, reserved_usd: 0 });
    expect(tasks).toMatchObject({ completed: 9, failed: 0 });
  });

  it("does a failed step again within what was accepted, then asks people", async () => {
    const mission = await created({
      ...missionOf(1, 1, { cost_usd: 1, tasks: 20 }),
      autonomy: "within_limits",
      inputs: { lead_id: "ld_1001" },
    });
    const plan = await ok(app, "POST", `/v1/missions/${mission}/plan`, {});
    expect(plan.steps).toMatchObject([{ id: "write_mail", tasks: 1 }]);
    broken = true;
    await ok(app, "POST", `/v1/missions/${mission}/start`, {});
    const { next_decision, plan: number } = await untilStatus(app, mission, "blocked");
    expect(number).toBe(3);
    expect(next_decision).toMatchObject({ kind: "failure", context: { step: "write_mail" } });
    const [failed] = await tasksOf(app, mission, "write_mail");
    const retried = await app.call("POST", `/v1/tasks/${failed.task_id}/retry`, { body: {} });
    expect([retried.status, retried.body.detail]).toEqual([409, expect.stringContaining("works for the mission")]);
    broken = false;
    const path = `/v1/missions/${mission}/decisions/${next_decision.decision_id}`;
    expect((await app.call("POST", path, { body: { answer: "perhaps" } })).status).toBe(422);
    await ok(app, "POST", path, { answer: "retry", comment: "The model is mended." });
    await untilStatus(app, mission, "finished");
    const again = await app.call("POST", path, { body: { answer: "retry" } });
    expect([again.status, again.body.code]).toEqual([409, "decision_answered"]);
    const { data } = await ok(app, "GET", `/v1/missions/${mission}/plans`);
    expect(data.map(({ origin, diff }: { origin: string; diff: unknown }) => [origin, diff !== null])).toEqual([
      ["replan", true],
      ["replan", true],
      ["replan", true],
      ["template", false],
    ]);
  });

  it("asks people instead of doing a failed step again that has written", async () => {
    const mission = await created({
      ...missionOf(1, 1, { cost_usd: 1, tasks: 20 }),
      autonomy: "within_limits",
      inputs: { lead_id: "ld_1001" },
    });
    await ok(app, "POST", `/v1/missions/${mission}/plan`, {});
    await app.pool.query(
      `create function written() returns trigger language plpgsql as $$ begin
         insert into effects (organization, environment, key, origin, action, tool, outcome, before, task_id, step_id)
         values (new.organization, new.environment, new.id, new.run_key, 'sealed', 'send_mail', 'done', 'none', new.id, new.id);
         return new; end $$;
       create trigger written after insert on tasks for each row when (new.run_key is not null) execute function written()`,
    );
    try {
      broken = true;
      await ok(app, "POST", `/v1/missions/${mission}/start`, {});
      const { next_decision, plan } = await untilStatus(app, mission, "blocked");
      expect(plan).toBe(1);
      expect(next_decision.question).toContain("It has written before that");
      expect(await tasksOf(app, mission, "write_mail")).toHaveLength(1);
    } finally {
      broken = false;
      await app.pool.query("drop trigger written on tasks; drop function written()");
    }
  });

  it("is held as a whole, takes tasks by hand, and reports what was done when it is cancelled", async () => {
    const mission = await created({ ...missionOf(4, 1, { cost_usd: 1, tasks: 20 }), autonomy: "propose" });
    await ok(app, "POST", `/v1/missions/${mission}/plan`, {});
    await ok(app, "POST", `/v1/missions/${mission}/start`, {});
    await eventually(async () => expect(await tasksOf(app, mission, "qualify_lead")).toHaveLength(4));
    const tasks = await tasksOf(app, mission, "qualify_lead");
    expect(tasks.map(({ status }) => status)).toEqual(Array(4).fill("awaiting_approval"));
    const paused = await ok(app, "POST", `/v1/missions/${mission}/pause`, { reason: "Lunch." });
    expect(paused).toMatchObject({ status: "paused", tasks: { waiting: 4 } });
    const added = await ok(app, "POST", `/v1/missions/${mission}/tasks`, {
      agent: "outreach",
      skill: "write_mail",
      input: { lead_id: "ld_1004" },
    });
    const held = "select held from workflow_steps where step = $1";
    await eventually(async () =>
      expect((await app.pool.query(held, [added.step])).rows[0]?.held).toContain("mission_holds"),
    );
    expect(await tasksOf(app, mission, added.step)).toEqual([]);
    await ok(app, "POST", `/v1/missions/${mission}/start`, {});
    await eventually(async () => expect(await tasksOf(app, mission, added.step)).toMatchObject([{ by_hand: true }]));
    const { report } = await ok(app, "POST", `/v1/missions/${mission}/cancel`, { reason: "Called off." });
    expect(report).toMatchObject({ status: "cancelled", outcome: { result: "abandoned", note: "Called off." } });
    await eventually(async () =>
      expect(await readMission(app, mission)).toMatchObject({ tasks: { waiting: 0, cancelled: 5 } }),
    );
    const kinds = (await ok(app, "GET", `/v1/missions/${mission}/timeline?limit=100`)).data.map(
      ({ kind }: { kind: string }) => kind,
    );
    expect(kinds).toEqual(
      expect.arrayContaining(["mission.created", "mission.paused", "task.added", "task.cancelled"]),
    );
  });

  it("takes the end of work that came while it was paused, once it goes on", async () => {
    const body = { ...missionOf(1, 1, { cost_usd: 1, tasks: 9 }), autonomy: "propose", inputs: { lead_id: "ld_1001" } };
    const mission = await created(body);
    await ok(app, "POST", `/v1/missions/${mission}/plan`, {});
    const { run_id } = await ok(app, "POST", `/v1/missions/${mission}/start`, {});
    await eventually(async () => expect(await tasksOf(app, mission, "write_mail")).toHaveLength(1));
    await ok(app, "POST", `/v1/missions/${mission}/pause`, {});
    const [{ task_id }] = await tasksOf(app, mission, "write_mail");
    await app.call("POST", `/v1/approvals/${task_id}/approve`, { key: "approver", body: {} });
    const ended = "select 1 from tasks where id = $1 and status = 'completed'";
    await eventually(async () => expect((await app.pool.query(ended, [task_id])).rowCount).toBe(1));
    expect(await readMission(app, mission)).toMatchObject({ status: "paused", run_id });
    await ok(app, "POST", `/v1/missions/${mission}/start`, {});
    await untilStatus(app, mission, "finished");
  });

  it("takes the answer to a question of people for what it says, though it reads like one to the service", async () => {
    const body = { ...missionOf(1, 1, { cost_usd: 1, tasks: 9 }), autonomy: "propose", inputs: { lead_id: "ld_1001" } };
    const mission = await created(body);
    await ok(app, "POST", `/v1/missions/${mission}/plan`, {});
    const { run_id } = await ok(app, "POST", `/v1/missions/${mission}/start`, {});
    const question = { question: "Skip the welcome or try again?", blocks: true };
    const { decision_id } = await ok(app, "POST", `/v1/missions/${mission}/decisions`, question);
    await ok(app, "POST", `/v1/missions/${mission}/decisions/${decision_id}`, { answer: "retry" });
    expect(await readMission(app, mission)).toMatchObject({ status: "running", run_id, plan: 1 });
    await ok(app, "POST", `/v1/missions/${mission}/cancel`, {});
  });

  it("does again what has other inputs now, and nothing else, whatever was merely proposed", async () => {
    const mission = await created({ ...missionOf(2, 1, { cost_usd: 1, tasks: 20 }), autonomy: "within_limits" });
    const { steps } = await ok(app, "POST", `/v1/missions/${mission}/plan`, {});
    await ok(app, "POST", `/v1/missions/${mission}/start`, {});
    await untilStatus(app, mission, "finished");
    // biome-ignore lint/suspicious/noExplicitAny: steps as they were answered
    const bodies = steps.map(({ id, agent, skill, inputs }: any) => ({ id, agent, skill, inputs }));
    const other = bodies.map((step: object) => ({ ...step, inputs: { input: { lead_id: "'ld_1'", minutes: "1.0" } } }));
    await ok(app, "POST", `/v1/missions/${mission}/plan`, { steps: other.slice(0, 1) });
    const again = await ok(app, "POST", `/v1/missions/${mission}/plan`, { steps: bodies });
    await ok(app, "POST", `/v1/missions/${mission}/start`, { plan: again.plan });
    await untilStatus(app, mission, "finished");
    expect((await readMission(app, mission)).tasks.completed).toBe(2);
    await ok(app, "PATCH", `/v1/missions/${mission}`, { inputs: { leads: leads(9).slice(6) } });
    const further = await ok(app, "POST", `/v1/missions/${mission}/plan`, { steps: bodies });
    await ok(app, "POST", `/v1/missions/${mission}/start`, { plan: further.plan });
    await untilStatus(app, mission, "finished");
    expect((await readMission(app, mission)).tasks.completed).toBe(6);
  });

  it("ends with the last task that was added after its plan was stopped", async () => {
    const body = { ...missionOf(1, 1, { cost_usd: 1, tasks: 9 }), inputs: { lead_id: "ld_1001" } };
    const mission = await created({ ...body, autonomy: "within_limits" });
    await ok(app, "POST", `/v1/missions/${mission}/plan`, {});
    broken = true;
    await ok(app, "POST", `/v1/missions/${mission}/start`, {});
    const { next_decision } = await untilStatus(app, mission, "blocked");
    broken = false;
    await ok(app, "POST", `/v1/missions/${mission}/decisions/${next_decision.decision_id}`, { answer: "stop" });
    expect(await readMission(app, mission)).toMatchObject({ status: "finished" });
    const added = { agent: "outreach", skill: "write_mail", input: { lead_id: "ld_1004" } };
    await ok(app, "POST", `/v1/missions/${mission}/tasks`, added);
    const { tasks } = await untilStatus(app, mission, "finished");
    expect(tasks.completed).toBe(1);
  });

  it("has people asked about it although another one, whose deadline passed before, cannot be looked after", async () => {
    const body = { ...missionOf(2, 1, { cost_usd: 1, tasks: 20 }), autonomy: "propose" };
    const [faulty, other] = [await created(body), await created(body)];
    await ok(app, "POST", `/v1/missions/${other}/plan`, {});
    await ok(app, "POST", `/v1/missions/${other}/start`, {});
    await app.pool.query(
      "update missions set status = 'running', deadline = now() - case id when $1 then interval '2 minutes' else interval '1 minute' end where id in ($1, $2)",
      [faulty, other],
    );
    const inside: SweepParts["inside"] = (operation, scope, params) =>
      (params as { mission?: string }).mission === faulty
        ? Promise.reject(new Error("the statement took too long"))
        : process.inside(operation, scope, params);
    const parts = {
      db: createReader(process.database.pool),
      inside,
      facts: app.app.facts,
      port: app.app.port,
      now: Date.now(),
    };
    await expect(deadlineSweep.run(parts)).rejects.toThrow("1 missions could not be asked about");
    expect((await readMission(app, faulty)).status).toBe("running");
    expect((await readMission(app, other)).next_decision.kind).toBe("deadline");
    for (const id of [faulty, other]) await ok(app, "POST", `/v1/missions/${id}/cancel`, {});
  });

  it("asks people when its deadline has passed, and goes on once they have moved it", async () => {
    const mission = await created({ ...missionOf(2, 1, { cost_usd: 1, tasks: 20 }), autonomy: "propose" });
    await ok(app, "POST", `/v1/missions/${mission}/plan`, {});
    await ok(app, "POST", `/v1/missions/${mission}/start`, {});
    await app.pool.query("update missions set deadline = now() - interval '1 minute' where id = $1", [mission]);
    await process.sweeperWith([deadlineSweep]).sweep();
    const { status, next_decision } = await readMission(app, mission);
    expect([status, next_decision.kind]).toEqual(["blocked", "deadline"]);
    const path = `/v1/missions/${mission}/decisions/${next_decision.decision_id}`;
    const early = await app.call("POST", path, { body: { answer: "continue" } });
    expect([early.status, early.body.errors[0].code]).toEqual([422, "deadline_passed"]);
    await ok(app, "PATCH", `/v1/missions/${mission}`, { deadline: null });
    await ok(app, "POST", path, { answer: "continue" });
    expect(await readMission(app, mission)).toMatchObject({ status: "running", next_decision: null });
    await ok(app, "POST", `/v1/missions/${mission}/cancel`, {});
  });
});
