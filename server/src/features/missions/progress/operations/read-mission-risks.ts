import { defineRead, governs } from "../../../../kernel/operation.ts";
import { exampleMission } from "../../example.ts";
import { aboutMission, loadMission, MissionParams } from "../../missions/stages.ts";
import { MissionRisks } from "../../schemas.ts";
import { type Known, readKnown } from "../known.ts";
import { risksOf } from "../risks.ts";

export const readMissionRisks = defineRead({
  id: "missions.readMissionRisks",
  path: "/v1/missions/{mission}/risks",
  summary: "Read a mission's risks and blockers",
  description: "What puts it at risk now, blockers first, each with what to do.",
  params: MissionParams,
  output: MissionRisks,
  example: {
    params: { mission: exampleMission.mission_id },
    output: {
      risks: [
        {
          code: "awaiting_people",
          detail: "3 tasks wait for people.",
          severity: "low",
          blocks: false,
          remedy: "Decide on them in the approvals' inbox.",
          task_id: null,
          decision_id: null,
        },
      ],
    },
  },
  permission: "missions:read",
  load: loadMission,
  compliance: governs("mission.read"),
  audit: aboutMission,
  async handle(ctx, { loaded }) {
    const [known] = (await readKnown(ctx, [loaded])) as [Known];
    return { risks: risksOf(known).sort((a, b) => Number(b.blocks) - Number(a.blocks)) };
  },
});
