import { defineRead, governs } from "../../../../kernel/operation.ts";
import { exampleMission, exampleReport } from "../../example.ts";
import { aboutMission, loadMission, MissionParams } from "../../missions/stages.ts";
import { MissionReport } from "../../schemas.ts";
import { reportMarkdown, reportOf } from "../report.ts";

export const readReport = defineRead({
  id: "missions.readReport",
  path: "/v1/missions/{mission}/report",
  summary: "Report on a mission",
  description:
    "The outcome against the measure, with its interval; tasks, spend and success of each step; what people decided. As Markdown with `Accept: text/markdown`.",
  params: MissionParams,
  output: MissionReport,
  writes: { "text/markdown": { etag: "md", write: reportMarkdown } },
  example: { params: { mission: exampleMission.mission_id }, output: exampleReport },
  permission: "missions:read",
  load: loadMission,
  compliance: governs("mission.read"),
  audit: aboutMission,
  handle: (ctx, { loaded }) => reportOf(ctx, loaded),
});
