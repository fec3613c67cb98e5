import { decidersOf, storedDeciders, unite } from "../../../../kernel/actor.ts";
import type { ReadContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { byBody, type Concerned } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { fault, refuseFaults, templateExists } from "../../errors.ts";
import { exampleSteps } from "../../example.ts";
import { bodyOf } from "../../missions/settle.ts";
import { startsNothing } from "../../missions/stages.ts";
import { findMission, type MissionRow } from "../../missions/store.ts";
import { MissionTemplate, type PlanStepBody, SaveTemplateBody } from "../../schemas.ts";
import { findNewestPlan, findPlan } from "../store.ts";
import { builtInTemplates, insertTemplate } from "../templates.ts";

export const saveTemplate = defineOperation({
  id: "missions.saveTemplate",
  method: "POST",
  path: "/v1/missions/templates",
  status: 201,
  summary: "Save a mission template",
  description:
    "Keeps a mission's settings and plan under a name, for missions on other inputs: its goal, measure, agents, autonomy and labels, without inputs, budget and deadline. Or steps alone.",
  body: SaveTemplateBody,
  output: MissionTemplate,
  example: {
    body: { name: "weekly-leads", description: "Every Monday.", steps: exampleSteps },
    output: {
      name: "weekly-leads",
      description: "Every Monday.",
      origin: "saved",
      mission: {},
      steps: exampleSteps,
      created_by: "mbr_01jd8x0000000000000000000e",
      created_at: "2026-11-23T09:00:00.000Z",
    },
  },
  permission: "missions:write",
  load: exempt("names no object; the mission stands in the body"),
  narrowing: byBody("the agents of the mission and of the steps", concerned),
  gate: startsNothing,
  decides: "mission",
  compliance: governs("mission.create"),
  audit: "missions",
  errors: [templateExists],
  async handle(ctx, { body: { name, description = "", mission_id, steps } }) {
    const mission = mission_id === undefined ? undefined : await findMission(ctx, mission_id);
    if (mission_id !== undefined && !mission)
      refuseFaults([fault("/mission_id", "unknown_mission", "names no mission of this environment")]);
    const plan = mission && (await planOf(ctx, mission));
    const planned = steps ?? plan?.plan.steps.map(bodyOf);
    if (!planned)
      refuseFaults([fault("/steps", "no_steps", "is needed: no mission with a plan is named by mission_id")]);
    const isTaken = builtInTemplates.some((one) => one.name === name);
    const given = { name, description, mission: mission ? settingsOf(mission) : {}, steps: planned as PlanStepBody[] };
    const earlier = steps ? [] : storedDeciders(plan?.deciders);
    const deciders = unite(earlier, decidersOf(ctx, "planned", `template:${name}`));
    const saved = isTaken ? undefined : await insertTemplate(ctx, given, deciders);
    if (!saved) throw refuse(templateExists, `There is already a template ${name}.`);
    return saved;
  },
});

async function concerned(ctx: ReadContext, { body }: { body: SaveTemplateBody }): Promise<Concerned> {
  const mission = body.mission_id === undefined ? undefined : await findMission(ctx, body.mission_id);
  return [...(mission?.agents ?? []), ...(body.steps ?? []).map(({ agent }) => agent)];
}

const planOf = (ctx: Parameters<typeof findNewestPlan>[0], { id, plan_number }: MissionRow) =>
  plan_number === null ? findNewestPlan(ctx, id) : findPlan(ctx, id, plan_number);

const settingsOf = ({ goal, measure, agents, autonomy, labels }: MissionRow): MissionTemplate["mission"] => ({
  goal,
  measure,
  agents,
  autonomy,
  labels,
});
