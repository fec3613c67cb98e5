import { refuse } from "../../../kernel/errors.ts";
import { byBody } from "../../../kernel/narrowing.ts";
import { defineOperation, governs } from "../../../kernel/operation.ts";
import { invalidBody } from "../../../kernel/problems.ts";
import { missionState, wrongState } from "../errors.ts";
import { examplePlan, exampleSteps } from "../example.ts";
import { groundOf } from "../ground.ts";
import { aboutMission, loadMission, MissionParams, startsNothing } from "../mission-params.ts";
import { isClosed } from "../model.ts";
import { planOfSteps } from "../plan-model.ts";
import { insertPlan } from "../plan-store.ts";
import { proposeSteps } from "../plan-templates.ts";
import { Plan, type PlanStepBody, ProposePlanBody } from "../schemas.ts";
import { addToTimeline, lockMission, type MissionRow } from "../store.ts";
import { findTemplate } from "../template-store.ts";
import { planView } from "../view.ts";

interface Given {
  readonly loaded: MissionRow;
  readonly body: ProposePlanBody;
}

export const planMission = defineOperation({
  id: "missions.planMission",
  method: "POST",
  path: "/v1/missions/{mission}/plan",
  status: 201,
  listed: true,
  summary: "Propose a plan",
  description:
    "Makes the next version of the plan: of the steps in the body, of a template, or proposed from goal, measure, agents and inputs. Each step says what its tasks are expected to cost, their risk, and how likely " +
    "they succeed, from past tasks of the skill. Nothing happens until somebody accepts it. A plan may be saved with errors, and is then not accepted.",
  params: MissionParams,
  body: ProposePlanBody,
  output: Plan,
  location: ({ mission_id }) => `/v1/missions/${mission_id}/plans`,
  example: {
    params: { mission: examplePlan.mission_id },
    body: { steps: exampleSteps },
    output: { ...examplePlan, status: "proposed", origin: "person", accepted_at: null, accepted_by: null },
  },
  permission: "missions:write",
  load: loadMission,
  narrowing: byBody("the mission's agents and those of the steps", (_ctx, { loaded, body }: Given) => [
    ...loaded.agents,
    ...(body.steps ?? []).map(({ agent }) => agent),
  ]),
  validate: (_ctx, { body }) =>
    body.steps && body.template !== undefined
      ? [{ pointer: "/template", code: "two_sources", detail: "cannot be given together with steps; leave one out" }]
      : duplicates(body.steps ?? []),
  gate: startsNothing,
  compliance: governs("mission.plan"),
  audit: aboutMission,
  errors: [missionState],
  async handle(ctx, { loaded, body }) {
    const mission = await lockMission(ctx, loaded.id);
    if (isClosed(mission.status)) throw wrongState(mission.status, "what is closed is not planned");
    const template = body.template === undefined ? undefined : await stepsOf(ctx, body.template);
    const steps = body.steps ?? template ?? proposeSteps(ctx, mission);
    const plan = planOfSteps(ctx, await groundOf(ctx, mission, steps), steps);
    const row = await insertPlan(ctx, mission.id, {
      ...{ plan, note: body.note ?? "" },
      origin: body.steps ? "person" : "template",
    });
    await addToTimeline(ctx, mission.id, { kind: "plan.proposed", text: `Plan ${row.number} was proposed.` });
    return planView(row, mission.plan_number);
  },
});

async function stepsOf(ctx: Parameters<typeof findTemplate>[0], name: string): Promise<PlanStepBody[]> {
  const template = await findTemplate(ctx, name);
  if (template) return [...template.steps];
  const detail = `names no template: ${name}; GET /v1/missions/templates lists them`;
  throw refuse(invalidBody, `/template: ${detail}`, {
    errors: [{ pointer: "/template", code: "unknown_template", detail }],
  });
}

const duplicates = (steps: readonly PlanStepBody[]) =>
  steps.flatMap(({ id }, at) =>
    steps.findIndex((other) => other.id === id) === at
      ? []
      : [{ pointer: `/steps/${at}/id`, code: "id_taken", detail: `is the id of another step: ${id}` }],
  );
