import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { missionState, wrongState } from "../../errors.ts";
import { missionCompleted } from "../../events.ts";
import { exampleMission } from "../../example.ts";
import { readMeasured } from "../../progress/measure-store.ts";
import { CompleteMissionBody, Mission } from "../../schemas.ts";
import { endWork } from "../lifecycle.ts";
import { isClosed } from "../rules.ts";
import { aboutMission, loadMission, MissionParams } from "../stages.ts";
import { addToTimeline, lockMission, updateMission } from "../store.ts";
import { missionView } from "../view.ts";

export const completeMission = defineOperation({
  id: "missions.completeMission",
  method: "POST",
  path: "/v1/missions/{mission}/complete",
  summary: "Complete a mission",
  description:
    "Closes the mission. Whether it reached its target says the measure, not the caller. What is still open is cancelled.",
  params: MissionParams,
  body: CompleteMissionBody,
  output: Mission,
  example: {
    params: { mission: exampleMission.mission_id },
    body: { note: "All leads of the week are done." },
    output: {
      ...exampleMission,
      status: "completed",
      health: "closed",
      outcome: { result: "missed", note: "All leads of the week are done." },
    },
  },
  permission: "missions:run",
  load: loadMission,
  gate: exempt("stops work, starts none"),
  decides: exempt("closes a mission; its note is for people"),
  compliance: governs("mission.control"),
  audit: aboutMission,
  emits: [missionCompleted],
  errors: [missionState],
  async handle(ctx, { loaded, body: { note = "" } }) {
    const mission = await lockMission(ctx, loaded.id);
    if (isClosed(mission.status)) throw wrongState(mission.status, "it is closed already");
    if (mission.started_at === null) throw wrongState(mission.status, "nothing was done yet; cancel it instead");
    await endWork(ctx, mission);
    const measured = (await readMeasured(ctx, [mission])).get(mission.id);
    const outcome = JSON.stringify({ result: measured?.reached ? "reached" : "missed", note });
    const changes = { status: "completed" as const, outcome, finished_at: new Date(ctx.now) };
    const completed = await updateMission(ctx, mission.id, changes);
    ctx.emit(missionCompleted, { mission_id: mission.id, goal: mission.goal, status: "completed" });
    await addToTimeline(ctx, mission.id, {
      kind: "mission.completed",
      text: `The mission was completed. ${note}`.trim(),
    });
    return missionView(ctx, completed);
  },
});
