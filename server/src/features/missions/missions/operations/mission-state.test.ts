import { expect, it } from "vitest";
import { type Arrange, arrange } from "../../../../../test/arrangements.ts";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();
const arranged = async (id: string) => (arrange[id] as Arrange)(app, "development");

it.each([
  ["plan", "missions.planMission"],
  ["start", "missions.startMission"],
  ["pause", "missions.pauseMission"],
  ["cancel", "missions.cancelMission"],
  ["complete", "missions.completeMission"],
  ["tasks", "missions.addTask"],
  ["decisions", "missions.askDecision"],
  ["plans/1/accept", "missions.acceptPlan"],
])("refuses %s once a mission is closed", async (path, id) => {
  const { params, body } = await arranged(id);
  await app.pool.query("update missions set status = 'completed' where id = $1", [params.mission]);
  const { status, body: problem } = await app.call("POST", `/v1/missions/${params.mission}/${path}`, { body });
  expect([status, problem.code]).toEqual([409, "mission_state"]);
});

it("refuses to start what runs, to complete what was never started, and to answer twice", async () => {
  const running = (await arranged("missions.pauseMission")).params.mission;
  expect((await app.call("POST", `/v1/missions/${running}/start`, { body: {} })).body.code).toBe("mission_state");
  const draft = (await arranged("missions.planMission")).params.mission;
  expect((await app.call("POST", `/v1/missions/${draft}/complete`, { body: {} })).body.code).toBe("mission_state");
  const { params, body } = await arranged("missions.answerDecision");
  const answer = () => app.call("POST", `/v1/missions/${params.mission}/decisions/${params.decision}`, { body });
  expect((await answer()).body).toMatchObject({ status: "answered", answer: "Yes." });
  expect((await answer()).body.code).toBe("decision_answered");
});

it("keeps a mission's settings and plan as a template, once under a name", async () => {
  const { body } = await arranged("missions.saveTemplate");
  const save = (more: object = {}) =>
    app.call("POST", "/v1/missions/templates", { body: { ...(body as object), ...more } });
  const saved = await save();
  expect(saved.body).toMatchObject({
    origin: "saved",
    mission: { agents: ["sales"] },
    steps: [{ id: "qualify_lead" }],
  });
  expect((await save()).body.code).toBe("template_exists");
  expect((await save({ name: "each-of-a-list" })).body.code).toBe("template_exists");
  expect((await save({ name: "other", mission_id: "msn_none" })).status).toBe(422);
  const { data } = (await app.call("GET", "/v1/missions/templates?limit=2")).body;
  expect(data.map(({ origin }: { origin: string }) => origin)).toEqual(["built_in", "built_in"]);
});
