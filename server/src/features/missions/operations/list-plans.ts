import { defineList } from "../../../kernel/listing.ts";
import { governs } from "../../../kernel/operation.ts";
import { examplePlan } from "../example.ts";
import { aboutMission, loadMission, MissionParams } from "../mission-params.ts";
import { diffOf } from "../plan-diff.ts";
import { listPlanRows } from "../plan-store.ts";
import { PlanVersion } from "../schemas.ts";
import { planView } from "../view.ts";

export const listPlans = defineList({
  id: "missions.listPlans",
  path: "/v1/missions/{mission}/plans",
  summary: "List a mission's plans",
  description: "All versions of the plan, newest first, each with what differs from the version before.",
  params: MissionParams,
  item: PlanVersion,
  example: { params: { mission: examplePlan.mission_id }, item: { ...examplePlan, diff: null } },
  permission: "missions:read",
  load: loadMission,
  compliance: governs("mission.read"),
  audit: aboutMission,
  sort: "-plan",
  async read(ctx, _filter, { after, take }, { id }) {
    const before = after === undefined ? 2 ** 31 - 1 : Number(after.keys[0]);
    const rows = await listPlanRows(ctx, id, before, take + 1);
    return rows.slice(0, take).map((row, at) => ({ row, previous: rows[at + 1] }));
  },
  position: ({ row }) => ({ keys: [row.number], id: String(row.number) }),
  view: ({ row, previous }, _ctx, { plan_number }) => ({
    ...planView(row, plan_number),
    diff: previous ? diffOf(previous, row) : null,
  }),
});
