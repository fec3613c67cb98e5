import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { missionState, wrongState } from "../../errors.ts";
import { missionCancelled } from "../../events.ts";
import { exampleMission, exampleReport } from "../../example.ts";
import { reportOf } from "../../progress/report.ts";
import { CancelledMission, MissionReasonBody } from "../../schemas.ts";
import { endWork } from "../lifecycle.ts";
import { isClosed } from "../rules.ts";
import { aboutMission, loadMission, MissionParams } from "../stages.ts";
import { addToTimeline, lockMission, updateMission } from "../store.ts";
import { missionView } from "../view.ts";

const outcome = { result: "abandoned", note: "" } as const;

export const cancelMission = defineOperation({
  id: "missions.cancelMission",
  method: "POST",
  path: "/v1/missions/{mission}/cancel",
  listed: true,
  summary: "Cancel a mission",
  description:
    "Ends the mission: tasks that are open are cancelled, questions are withdrawn, and the answer reports what was done. What was done is not undone.",
  params: MissionParams,
  body: MissionReasonBody,
  output: CancelledMission,
  example: {
    params: { mission: exampleMission.mission_id },
    body: { reason: "The campaign was called off." },
    output: {
      mission: { ...exampleMission, status: "cancelled", health: "closed", outcome },
      report: { ...exampleReport, status: "cancelled", outcome },
    },
  },
  permission: "missions:run",
  load: loadMission,
  gate: exempt("stops work, starts none"),
  decides: exempt("stops a mission; its reason is for people"),
  compliance: governs("mission.control"),
  audit: aboutMission,
  emits: [missionCancelled],
  errors: [missionState],
  async handle(ctx, { loaded, body: { reason = "" } }) {
    const mission = await lockMission(ctx, loaded.id);
    if (isClosed(mission.status)) throw wrongState(mission.status, "it is closed already");
    await endWork(ctx, mission);
    const closed = { result: "abandoned", note: reason };
    const changes = { status: "cancelled" as const, outcome: JSON.stringify(closed), finished_at: new Date(ctx.now) };
    const row = await updateMission(ctx, mission.id, changes);
    ctx.emit(missionCancelled, { mission_id: mission.id, goal: mission.goal, status: "cancelled" });
    await addToTimeline(ctx, mission.id, {
      kind: "mission.cancelled",
      text: `The mission was cancelled. ${reason}`.trim(),
    });
    return { mission: await missionView(ctx, row), report: await reportOf(ctx, row) };
  },
});
