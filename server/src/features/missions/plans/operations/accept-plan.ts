import { Type } from "typebox";
import { defineOperation, governs } from "../../../../kernel/operation.ts";
import { ordinal } from "../../../../kernel/whole-numbers.ts";
import { missionState, planNotAcceptable, wrongState } from "../../errors.ts";
import { examplePlan } from "../../example.ts";
import { acceptPlan as accept } from "../../missions/lifecycle.ts";
import { isClosed } from "../../missions/rules.ts";
import { aboutMission, loadMission, MissionParams, startsNothing } from "../../missions/stages.ts";
import { lockMission } from "../../missions/store.ts";
import { planView } from "../../missions/view.ts";
import { Plan } from "../../schemas.ts";

export const acceptPlan = defineOperation({
  id: "missions.acceptPlan",
  method: "POST",
  path: "/v1/missions/{mission}/plans/{plan}/accept",
  summary: "Accept a plan without starting it",
  description:
    "The plan is judged again. If the mission works by another plan, steps of that which have not begun are dropped; steps of the new plan that equal completed ones are not repeated.",
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
    const { plan } = await accept(ctx, mission, params.plan);
    return planView(plan, plan.number);
  },
});
