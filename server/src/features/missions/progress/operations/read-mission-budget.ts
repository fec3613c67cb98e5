import { defineRead, governs } from "../../../../kernel/operation.ts";
import { exampleBudget, exampleMission } from "../../example.ts";
import { aboutMission, loadMission, MissionParams } from "../../missions/stages.ts";
import { MissionBudget } from "../../schemas.ts";
import { type Known, readKnown } from "../known.ts";
import { readBudget } from "../report.ts";

export const readMissionBudget = defineRead({
  id: "missions.readMissionBudget",
  path: "/v1/missions/{mission}/budget",
  summary: "Read a mission's budget",
  description: "What is planned, reserved and spent, by step, and what the mission will have cost at its end.",
  params: MissionParams,
  output: MissionBudget,
  example: { params: { mission: exampleMission.mission_id }, output: exampleBudget },
  permission: "missions:read",
  load: loadMission,
  compliance: governs("mission.read"),
  audit: aboutMission,
  async handle(ctx, { loaded }) {
    const [known] = (await readKnown(ctx, [loaded])) as [Known];
    return readBudget(ctx, known);
  },
});
