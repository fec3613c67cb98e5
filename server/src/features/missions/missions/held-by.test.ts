import { beforeAll, expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { eventually } from "../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { deployOutreach, missionOf, ok, outreachModel, tasksOf, untilStatus } from "./missions.fixture.ts";

const app = useApp();
const worker = useWorkerProcess(app);
beforeAll(async () => {
  await deployOutreach(app);
  await worker.refresh();
  await worker.worker({ model: outreachModel() });
});

async function started(body: object): Promise<string> {
  const { mission_id } = await ok(app, "POST", "/v1/missions", body);
  await ok(app, "POST", `/v1/missions/${mission_id}/plan`, {});
  await ok(app, "POST", `/v1/missions/${mission_id}/start`, {});
  return mission_id;
}

/** What holds a mission, the same at the object and in the list. */
async function heldBy(mission: string) {
  const { held_by } = await ok(app, "GET", `/v1/missions/${mission}`);
  const { data } = await ok(app, "GET", "/v1/missions?limit=100");
  expect(data.find((one: { mission_id: string }) => one.mission_id === mission).held_by).toEqual(held_by);
  return held_by;
}

it("a mission whose task waits for approval says so, with the task and where people decide", async () => {
  const mission = await started(missionOf(8, 1, { cost_usd: 1, tasks: 30 }));
  await eventually(async () => expect(await tasksOf(app, mission, "write_mail")).toHaveLength(1));
  const [mail] = await tasksOf(app, mission, "write_mail");
  const by = { kind: "approval", url: `http://127.0.0.1:4000/approvals/${mail.task_id}` };
  expect(mail.held_by).toMatchObject(by);
  expect(await heldBy(mission)).toMatchObject({ ...by, text: expect.stringMatching(/^Step write_mail: Waits for/) });
  await ok(app, "POST", `/v1/missions/${mission}/pause`, {});
  expect(await heldBy(mission)).toMatchObject({
    kind: "pause",
    source: mission,
    lifted_by: "missions:run",
    text: expect.stringMatching(/^The mission is paused\. Then: Step write_mail: Waits for/),
  });
  const { run_id } = await ok(app, "GET", `/v1/missions/${mission}`);
  await eventually(async () =>
    expect((await ok(app, "GET", `/v1/workflows/-/runs/${run_id}`)).held_by).toMatchObject({
      kind: "pause",
      source: mission,
    }),
  );
});

it("a mission that is blocked names the question that it waits for, which stands in the inbox until it is answered", async () => {
  const body = { ...missionOf(8, 1, { cost_usd: 0.085, tasks: 20 }), autonomy: "within_limits" };
  const mission = await started(body);
  const { next_decision: asked } = await untilStatus(app, mission, "blocked");
  expect(await heldBy(mission)).toMatchObject({
    kind: "question",
    source: asked.decision_id,
    text: expect.stringContaining(asked.question),
    remedy: `Answer it: POST /v1/missions/${mission}/decisions/${asked.decision_id}.`,
  });
  const inbox = async () => (await ok(app, "GET", "/v1/approvals/inbox?kind=question")).data;
  expect(await inbox()).toMatchObject([{ id: asked.decision_id, who_may_act: { permission: "missions:run" } }]);
  await ok(app, "POST", `/v1/missions/${mission}/cancel`, {});
  expect([await heldBy(mission), await inbox()]).toEqual([null, []]);
});
