import type { Environment } from "../../src/kernel/principal.ts";
import type { TestApp } from "../../src/testing/app.ts";
import { type Arrange, type Arrangements, nothing } from "./arranged.ts";

export const missionBody = {
  goal: "Qualify the leads.",
  measure: { skill: "qualify_lead", where: "status == 'completed'", aggregate: "count", target: 2 },
  agents: ["sales"],
  budget: { cost_usd: 5, tasks: 20 },
  autonomy: "within_limits",
  inputs: { leads: ["ld_1001", "ld_1002"] },
};

const made = async (
  app: TestApp,
  environment: Environment,
  path: string,
  body: object,
): Promise<Record<string, string>> => {
  const answered = await app.call("POST", path, { environment, body });
  if (answered.status >= 300) throw new Error(`POST ${path} answered ${answered.status}: ${answered.text}`);
  return answered.body;
};

const newMission = async (app: TestApp, environment: Environment): Promise<string> =>
  (await made(app, environment, "/v1/missions", missionBody)).mission_id as string;

/** Its first plan is proposed. */
const planned = async (app: TestApp, environment: Environment): Promise<string> => {
  await app.deploy(environment);
  const mission = await newMission(app, environment);
  await made(app, environment, `/v1/missions/${mission}/plan`, {});
  return mission;
};

/** It runs, whatever its agents' gates say: no worker does anything in the services of these tests. */
const running = async (app: TestApp, environment: Environment): Promise<string> => {
  const mission = await planned(app, environment);
  await made(app, environment, `/v1/missions/${mission}/plans/1/accept`, {});
  await app.pool.query("update missions set status = 'running', started_at = now() where id = $1", [mission]);
  return mission;
};

const on =
  (make: (app: TestApp, environment: Environment) => Promise<string>, body?: object): Arrange =>
  async (app, environment) => ({ params: { mission: await make(app, environment) }, ...(body && { body }) });

const decision: Arrange = async (app, environment) => {
  const mission = await running(app, environment);
  const asked = await made(app, environment, `/v1/missions/${mission}/decisions`, { question: "Go on?", blocks: true });
  return { params: { mission, decision: asked.decision_id as string }, body: { answer: "Yes." } };
};

let named = 0;

export const arrange: Arrangements = {
  "missions.listMissions": nothing,
  "missions.createMission": async () => ({ params: {}, body: missionBody }),
  "missions.readMission": on(newMission),
  "missions.changeMission": on(newMission, { goal: "Qualify them all." }),
  "missions.planMission": on(newMission, {}),
  "missions.acceptPlan": async (app, environment) => ({
    params: { mission: await planned(app, environment), plan: "1" },
    body: {},
  }),
  "missions.listPlans": on(planned),
  "missions.startMission": on(planned, {}),
  "missions.pauseMission": on(running, {}),
  "missions.cancelMission": on(running, {}),
  "missions.completeMission": on(running, {}),
  "missions.listMissionTasks": on(newMission),
  "missions.addTask": on(running, { agent: "sales", skill: "qualify_lead", input: { lead_id: "ld_1003" } }),
  "missions.readMissionBudget": on(newMission),
  "missions.readMissionRisks": on(newMission),
  "missions.listTimeline": on(newMission),
  "missions.askDecision": on(newMission, { question: "Go on?" }),
  "missions.answerDecision": decision,
  "missions.readReport": on(newMission),
  "missions.cloneMission": on(newMission, {}),
  "missions.listTemplates": nothing,
  "missions.saveTemplate": async (app, environment) => ({
    params: {},
    body: { name: `arranged-${++named}`, mission_id: await planned(app, environment) },
  }),
};
