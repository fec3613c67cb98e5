import { timestamp } from "../../../../kernel/clock.ts";
import { defineList } from "../../../../kernel/listing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { exampleMission } from "../../example.ts";
import { aboutMission, loadMission, MissionParams } from "../../missions/stages.ts";
import { TimelineEntry } from "../../schemas.ts";
import { listTimeline as readPage } from "../store.ts";

export const listTimeline = defineList({
  id: "missions.listTimeline",
  path: "/v1/missions/{mission}/timeline",
  summary: "List what happened in a mission",
  description: "Newest first: what people and the service did with it, and how its tasks began and ended.",
  params: MissionParams,
  item: TimelineEntry,
  example: {
    params: { mission: exampleMission.mission_id },
    item: {
      id: "mev_01jd8x0000000000000000000v",
      at: "2026-11-23T09:02:00.000Z",
      kind: "plan.accepted",
      text: "Plan 1 was accepted.",
      actor: exampleMission.created_by,
      step: null,
      task_id: null,
      run_id: null,
    },
  },
  permission: "missions:read",
  load: loadMission,
  compliance: governs("mission.read"),
  audit: aboutMission,
  sort: "-at",
  read: (ctx, _filter, page, { id }) => readPage(ctx, id, page),
  position: ({ ms, id }) => ({ keys: [ms], id }),
  view: ({ ms, ...row }) => ({ ...row, at: timestamp(ms) }),
});
