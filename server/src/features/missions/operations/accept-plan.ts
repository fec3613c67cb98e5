import { Type } from "typebox";
import { defineOperation, governs } from "../../../kernel/operation.ts";
import { ordinal } from "../../../kernel/whole-numbers.ts";
import { missionState, planNotAcceptable, wrongState } from "../errors.ts";
import { examplePlan } from "../example.ts";
import { acceptPlan as accept, again } from "../lifecycle.ts";
import { aboutMission, loadMission, MissionParams, startsNothing } from "../mission-params.ts";
import { isClosed } from "../model.ts";
import { findPlan, type PlanRow } from "../plan-store.ts";
import { Plan } from "../schemas.ts";
import { lockMission } from "../store.ts";
import { planView } from "../view.ts";

export const acceptPlan = defineOperation({
  id: "missions.acceptPlan",
  method: "POST",
  path: "/v1/missions/{mission}/plans/{plan}/accept",
  summary: "Accept a plan without starting it",
  description:
    "The plan is judged anew as things stand now. If the mission works by another plan, what has not begun of that is not begun any more; steps of the new plan that say the same as completed ones are not done again.",
  params: Type.Object({ ...MissionParams.properties, plan: ordinal("The number of the plan version.") }),
  output: Plan,
  example: { params: { mission: examplePlan.mission_id, plan: 1 }, output: examplePlan },
  permission: "missions:run",
  load: loadMission,
  gate: startsNothing,
  decides: "mission",
  compliance: governs("mission.plan"),
  audit: aboutMission,
  errors: [missionState, planNotAcceptable],
  async handle(ctx, { loaded, params }) {
    const mission = await lockMission(ctx, loaded.id);
    if (isClosed(mission.status)) throw wrongState(mission.status, "its plans stay as they are");
    if (mission.status === "running") throw wrongState("running", "pause it before it works by another plan");
    await accept(ctx, mission, params.plan);
    const { plan_number } = await again(ctx, mission);
    return planView((await findPlan(ctx, mission.id, params.plan)) as PlanRow, plan_number);
  },
});
