import { Type } from "typebox";
import { defineList } from "../../../../kernel/listing.ts";
import { limitedTo } from "../../../../kernel/narrowing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { commaList } from "../../../../kernel/schema-words.ts";
import { exampleSummary } from "../../example.ts";
import { readKnown } from "../../progress/known.ts";
import { MissionStatus, MissionSummary } from "../../schemas.ts";
import { listMissionRows } from "../store.ts";
import { summaryOf } from "../view.ts";

const filters = {
  status: commaList(MissionStatus, "States"),
  agent: Type.Optional(Type.String({ description: "Missions that this agent may work on." })),
  label: Type.Optional(Type.String({ description: "Missions that carry this label." })),
};

export const listMissions = defineList({
  id: "missions.listMissions",
  path: "/v1/missions",
  listed: true,
  summary: "List missions",
  description:
    "Newest first, each with its measure, tasks, spend and health as they are now. A key that is narrowed to agents sees missions that use no others.",
  filters,
  item: MissionSummary,
  example: { item: exampleSummary },
  permission: "missions:read",
  narrowing: limitedTo("lists missions of the key's agents"),
  compliance: governs("mission.read"),
  audit: "missions",
  read: async (ctx, filter, page) => readKnown(ctx, await listMissionRows(ctx, filter, page)),
  position: ({ row }) => row.id,
  view: summaryOf,
});
