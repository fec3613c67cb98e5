import { Type } from "typebox";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { exampleMission } from "../../example.ts";
import { Mission, MissionId } from "../../schemas.ts";
import { findMission } from "../store.ts";
import { missionView } from "../view.ts";

export const readMission = defineRead({
  id: "missions.readMission",
  path: "/v1/missions/{mission}",
  listed: true,
  summary: "Read a mission",
  description:
    "Progress against the measure, the accepted plan and a newer proposal, tasks, spend, blockers and the next decision.",
  params: Type.Object({ mission: MissionId }),
  output: Mission,
  revision: ({ revision }) => revision,
  revisionOfPart: true,
  example: { params: { mission: exampleMission.mission_id }, output: exampleMission },
  permission: "missions:read",
  load: (ctx, { mission }) => findMission(ctx, mission),
  compliance: governs("mission.read"),
  audit: ({ params }) => `mission:${params.mission}`,
  handle: (ctx, { loaded }) => missionView(ctx, loaded),
});
