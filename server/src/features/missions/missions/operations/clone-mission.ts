import { actorOfCall, storedDeciders, unite } from "../../../../kernel/actor.ts";
import { defineOperation, governs } from "../../../../kernel/operation.ts";
import { exampleDraft, exampleMission } from "../../example.ts";
import { groundOf, planOfSteps } from "../../plans/rules.ts";
import { findNewestPlan, findPlan, insertPlan } from "../../plans/store.ts";
import { CloneMissionBody, Mission } from "../../schemas.ts";
import { decidersOfMission } from "../accountable.ts";
import { bodyOf } from "../settle.ts";
import { aboutMission, loadMission, MissionParams, startsNothing } from "../stages.ts";
import { addToTimeline, insertMission } from "../store.ts";
import { missionView } from "../view.ts";

export const cloneMission = defineOperation({
  id: "missions.cloneMission",
  method: "POST",
  path: "/v1/missions/{mission}/clone",
  status: 201,
  summary: "Clone a mission",
  description:
    "Makes a new mission with the same settings, on other inputs if given, and proposes the same plan for it with estimates of today. The deadline is not taken over.",
  params: MissionParams,
  body: CloneMissionBody,
  output: Mission,
  location: ({ mission_id }) => `/v1/missions/${mission_id}`,
  example: {
    params: { mission: exampleMission.mission_id },
    body: { inputs: { leads: ["ld_1003"] } },
    output: { ...exampleDraft, cloned_from: exampleMission.mission_id },
  },
  permission: "missions:write",
  load: loadMission,
  gate: startsNothing,
  decides: "mission",
  compliance: governs("mission.create"),
  audit: aboutMission,
  async handle(ctx, { loaded, body }) {
    const { goal, agents, autonomy, labels, measure, inputs, budget_usd, budget_tasks } = loaded;
    const { budget = { cost_usd: budget_usd, tasks: budget_tasks }, deadline = null } = body;
    const id = ctx.newId("msn");
    const deciders = unite(storedDeciders(loaded.deciders), decidersOfMission(ctx, "input", id));
    const mission = await insertMission(
      ctx,
      { actor: actorOfCall(ctx), deciders },
      {
        id,
        goal: body.goal ?? goal,
        agents,
        autonomy,
        labels,
        measure: JSON.stringify(measure),
        inputs: body.inputs === undefined ? inputs : JSON.stringify(body.inputs),
        budget_usd: budget.cost_usd,
        budget_tasks: budget.tasks,
        cloned_from: loaded.id,
        deadline: deadline === null ? null : new Date(deadline),
      },
    );
    const number = loaded.plan_number;
    const source = number === null ? await findNewestPlan(ctx, loaded.id) : await findPlan(ctx, loaded.id, number);
    if (source) {
      const steps = source.plan.steps.map(bodyOf);
      const plan = planOfSteps(ctx, await groundOf(ctx, mission, steps), steps);
      const note = `As plan ${source.number} of ${loaded.id}.`;
      const planners = unite(storedDeciders(source.deciders), decidersOfMission(ctx, "planned", id));
      await insertPlan(ctx, id, { plan, origin: "template", note, deciders: planners });
    }
    await addToTimeline(ctx, id, { kind: "mission.created", text: `The mission was cloned from ${loaded.id}.` });
    return missionView(ctx, mission);
  },
});
