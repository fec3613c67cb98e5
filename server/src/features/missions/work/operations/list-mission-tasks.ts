import { Type } from "typebox";
import { defineList } from "../../../../kernel/listing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { commaList } from "../../../../kernel/schema-words.ts";
import { holdsOfTasks } from "../../../tasks/public.ts";
import { TaskStatus } from "../../../tasks/schemas.ts";
import { exampleMission, exampleTask } from "../../example.ts";
import { aboutMission, loadMission, MissionParams } from "../../missions/stages.ts";
import { findPlan } from "../../plans/store.ts";
import { MissionTask } from "../../schemas.ts";
import { listTasksOf, taskOfMissionView } from "../store.ts";

const filters = {
  step: Type.Optional(Type.String({ description: "Tasks of this step." })),
  status: commaList(TaskStatus, "States"),
};

export const listMissionTasks = defineList({
  id: "missions.listMissionTasks",
  path: "/v1/missions/{mission}/tasks",
  summary: "List a mission's tasks",
  description:
    "Newest first, each with its step and the steps that were over before it. The steps themselves stand in the plan.",
  params: MissionParams,
  filters,
  item: MissionTask,
  example: { params: { mission: exampleMission.mission_id }, item: exampleTask },
  permission: "missions:read",
  load: loadMission,
  compliance: governs("mission.read"),
  audit: aboutMission,
  async read(ctx, filter, page, { id, plan_number }) {
    const plan = plan_number === null ? undefined : await findPlan(ctx, id, plan_number);
    const steps = plan?.plan.steps ?? [];
    const rows = await listTasksOf(ctx, id, filter, page);
    const holds = await holdsOfTasks(ctx, rows);
    return rows.map((row) => ({ row, steps, held: holds.get(row.id) ?? null }));
  },
  position: ({ row }) => row.id,
  view: ({ row, steps, held }) => taskOfMissionView(row, steps, held),
});
