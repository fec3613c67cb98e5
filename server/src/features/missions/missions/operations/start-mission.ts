import { actorOfCall } from "../../../../kernel/actor.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, governs } from "../../../../kernel/operation.ts";
import { runStarted } from "../../../workflows/public.ts";
import { missionState, planNotAcceptable, wrongState } from "../../errors.ts";
import { missionStarted } from "../../events.ts";
import { exampleMission } from "../../example.ts";
import { findNewestPlan, findPlan, type PlanRow } from "../../plans/store.ts";
import { Mission, StartMissionBody } from "../../schemas.ts";
import { acceptPlan, carryOut, goOn, takeOver } from "../lifecycle.ts";
import { isClosed } from "../rules.ts";
import { aboutMission, gateOfAgents, loadMission, MissionParams } from "../stages.ts";
import { lockMission } from "../store.ts";
import { missionView } from "../view.ts";

export const startMission = defineOperation({
  id: "missions.startMission",
  method: "POST",
  path: "/v1/missions/{mission}/start",
  status: 202,
  listed: true,
  summary: "Start or resume a mission",
  description:
    "Accepts a plan, if it is not accepted yet, and carries it out as a run of a workflow. A mission that was paused or blocked goes on, by another plan if one is named. It acts on behalf of whoever started it last. Budget is reserved before each task, so that the mission never exceeds it.",
  params: MissionParams,
  body: StartMissionBody,
  output: Mission,
  location: ({ mission_id }) => `/v1/missions/${mission_id}`,
  example: { params: { mission: exampleMission.mission_id }, body: { plan: 1 }, output: exampleMission },
  permission: "missions:run",
  load: loadMission,
  gate: gateOfAgents,
  decides: "mission",
  compliance: governs("mission.run"),
  audit: aboutMission,
  emits: [missionStarted, runStarted],
  errors: [missionState, planNotAcceptable],
  async handle(ctx, { loaded, body }) {
    const before = await lockMission(ctx, loaded.id);
    const { status } = before;
    if (isClosed(status)) throw wrongState(status, "clone it to run it again");
    if (status === "running") throw wrongState(status, "pause it before it works by another plan");
    const number = body.plan ?? before.plan_number ?? (await findNewestPlan(ctx, before.id))?.number;
    if (number === undefined)
      throw refuse(planNotAcceptable, "The mission has no plan; propose one by POST /v1/missions/{mission}/plan.");
    const isSame = number === before.plan_number;
    if (isSame && status === "finished")
      throw wrongState(status, "its plan is done; propose another one, or complete the mission");
    const { mission, plan } = isSame
      ? { mission: before, plan: (await findPlan(ctx, before.id, number)) as PlanRow }
      : await acceptPlan(ctx, before, number);
    const actor = actorOfCall(ctx);
    if (mission.run_id !== null || isHeld(mission.status)) {
      await takeOver(ctx, mission, actor);
      return missionView(ctx, await goOn(ctx, mission));
    }
    return missionView(ctx, await carryOut(ctx, mission, { plan, actor, note: `Plan ${number}.` }));
  },
});

/** Held without a run: the plan was stopped, and only tasks added by hand go on. */
const isHeld = (status: string): boolean => status === "paused" || status === "blocked";
