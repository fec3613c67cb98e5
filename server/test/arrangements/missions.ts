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

/** A new mission that nobody has planned. */
const mission =
  (body?: object): Arrange =>
  async (app, environment) => ({
    params: { mission: await newMission(app, environment) },
    ...(body && { body }),
  });

export const arrange: Arrangements = {
  "missions.listMissions": nothing,
  "missions.createMission": async () => ({ params: {}, body: missionBody }),
  "missions.readMission": mission(),
  "missions.changeMission": mission({ goal: "Qualify them all." }),
};
