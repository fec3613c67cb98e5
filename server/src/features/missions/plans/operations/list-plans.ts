import { isDeepStrictEqual } from "node:util";
import { defineList } from "../../../../kernel/listing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { examplePlan } from "../../example.ts";
import { aboutMission, loadMission, MissionParams } from "../../missions/stages.ts";
import { planView } from "../../missions/view.ts";
import { dollars } from "../../progress/spend-store.ts";
import { type PlanDiff, type PlanStep, PlanVersion } from "../../schemas.ts";
import { listPlanRows, type PlanRow } from "../store.ts";

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

const compared = ["title", "agent", "skill", "inputs", "depends_on", "require_approval", "attempts", "tasks"] as const;

/** Changes to the version before, without estimates, which change by themselves. */
export function diffOf(before: PlanRow, after: PlanRow): PlanDiff {
  const [old, now] = [before.plan, after.plan];
  const find = (steps: readonly PlanStep[], id: string) => steps.find((step) => step.id === id);
  return {
    against: before.number,
    added: now.steps.filter(({ id }) => !find(old.steps, id)).map(({ id }) => id),
    removed: old.steps.filter(({ id }) => !find(now.steps, id)).map(({ id }) => id),
    changed: now.steps.flatMap((step) => {
      const other = find(old.steps, step.id);
      const members = other ? compared.filter((name) => !isDeepStrictEqual(step[name], other[name])) : [];
      return members.length > 0 ? [{ step: step.id, members }] : [];
    }),
    tasks: now.total.tasks - old.total.tasks,
    cost_usd: dollars(now.total.cost_usd.value - old.total.cost_usd.value),
  };
}
