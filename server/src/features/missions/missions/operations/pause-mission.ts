import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { askOfRuns, openRunsOf } from "../../../workflows/public.ts";
import { missionState, wrongState } from "../../errors.ts";
import { missionPaused } from "../../events.ts";
import { exampleMission } from "../../example.ts";
import { Mission, MissionReasonBody } from "../../schemas.ts";
import { aboutMission, loadMission, MissionParams } from "../stages.ts";
import { addToTimeline, lockMission, updateMission } from "../store.ts";
import { missionView } from "../view.ts";

export const pauseMission = defineOperation({
  id: "missions.pauseMission",
  method: "POST",
  path: "/v1/missions/{mission}/pause",
  listed: true,
  summary: "Pause a mission",
  description: "No further task begins until the mission is started again. Tasks that run come to their end.",
  params: MissionParams,
  body: MissionReasonBody,
  output: Mission,
  example: {
    params: { mission: exampleMission.mission_id },
    body: { reason: "Wait for the new price list." },
    output: { ...exampleMission, status: "paused" },
  },
  permission: "missions:run",
  load: loadMission,
  gate: exempt("stops work, starts none"),
  decides: exempt("stops a mission; its reason is for people"),
  compliance: governs("mission.control"),
  audit: aboutMission,
  emits: [missionPaused],
  errors: [missionState],
  async handle(ctx, { loaded, body }) {
    const mission = await lockMission(ctx, loaded.id);
    if (mission.status !== "running") throw wrongState(mission.status, "only a running mission is paused");
    const paused = await updateMission(ctx, mission.id, { status: "paused" });
    await askOfRuns(ctx, await openRunsOf(ctx, mission.id), "pause");
    ctx.emit(missionPaused, { mission_id: mission.id, goal: mission.goal, status: "paused" });
    const why = body.reason === undefined ? "" : ` ${body.reason}`;
    await addToTimeline(ctx, mission.id, { kind: "mission.paused", text: `The mission was paused.${why}` });
    return missionView(ctx, paused);
  },
});
