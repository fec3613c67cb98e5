import { unite } from "../../../../kernel/actor.ts";
import { nothingUsed } from "../../../../kernel/budget.ts";
import type { WriteContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { byBody } from "../../../../kernel/narrowing.ts";
import { defineOperation, governs } from "../../../../kernel/operation.ts";
import { invalidBody } from "../../../../kernel/problems.ts";
import { connectionPort, findConnection } from "../../../admin/public.ts";
import { missionState, wrongState } from "../../errors.ts";
import { examplePlan, exampleSteps } from "../../example.ts";
import { decidersOfMission } from "../../missions/accountable.ts";
import { isClosed } from "../../missions/rules.ts";
import { aboutMission, loadMission, MissionParams, startsNothing } from "../../missions/stages.ts";
import { addToTimeline, lockMission, type MissionRow } from "../../missions/store.ts";
import { planView } from "../../missions/view.ts";
import { Plan, type PlanStepBody, ProposePlanBody } from "../../schemas.ts";
import { groundOf, planOfSteps } from "../rules.ts";
import { insertPlan } from "../store.ts";
import { findTemplate, proposeSteps } from "../templates.ts";
import { planningModel, writePlan } from "../writing.ts";

interface Given {
  readonly loaded: MissionRow;
  readonly body: ProposePlanBody;
}

/** Tokens reserved for a plan before a model is asked: two answers with their prompts. */
const mostTokens = 60_000;
const asksModel = (body: ProposePlanBody): boolean => body.steps === undefined && body.template === undefined;

export const planMission = defineOperation({
  id: "missions.planMission",
  method: "POST",
  path: "/v1/missions/{mission}/plan",
  status: 201,
  listed: true,
  summary: "Propose a plan",
  description:
    "Makes the next version of the plan: of the steps in the body, of a template, or else written by the model of one of the agents where a provider is connected, and proposed from goal, measure, agents and inputs where none is. " +
    "Each step says what its tasks are expected to cost, their risk, and how likely they succeed, from past tasks of the skill. Nothing happens until somebody accepts it. A plan may be saved with errors, and is then not accepted. Takes up to three minutes with a model.",
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
  validate: (_ctx, { body }) => bodyFaults(body),
  gate: startsNothing,
  decides: "mission",
  compliance: governs("mission.plan", () => ({}), {
    spends: (ctx, { loaded, body }: Given) => ({
      agent: "",
      keyId: ctx.principal.keyId,
      principal: ctx.principal.id,
      demand: asksModel(body) && planningModel(ctx, loaded) ? { tokens: mostTokens, usdUnknown: true } : {},
    }),
  }),
  audit: aboutMission,
  errors: [missionState],
  async handle(ctx, { loaded, body }) {
    ctx.spent(nothingUsed);
    const written = asksModel(body) ? await byModel(ctx, loaded) : undefined;
    const mission = await lockMission(ctx, loaded.id);
    if (isClosed(mission.status)) throw wrongState(mission.status, "what is closed is not planned");
    const template = body.template === undefined ? undefined : await templateOf(ctx, body.template);
    const steps = body.steps ?? template?.steps ?? written?.steps ?? proposeSteps(ctx, mission);
    const plan = planOfSteps(ctx, await groundOf(ctx, mission, steps), steps);
    const origin = body.steps ? "person" : written ? "model" : "template";
    const deciders = unite(template?.deciders, decidersOfMission(ctx, "planned", mission.id));
    const note = body.note ?? written?.note ?? "";
    const row = await insertPlan(ctx, mission.id, { plan, origin, note, deciders });
    await addToTimeline(ctx, mission.id, { kind: "plan.proposed", text: `Plan ${row.number} was proposed.` });
    return planView(row, mission.plan_number);
  },
});

/** Steps written by a connected model; undefined: no model, or no steps. */
async function byModel(
  ctx: WriteContext,
  mission: MissionRow,
): Promise<{ steps: PlanStepBody[]; note: string } | undefined> {
  const model = planningModel(ctx, mission);
  if (!model || isClosed(mission.status)) return undefined;
  const connection = await findConnection(ctx.db, ctx.port(connectionPort).credentialKey, ctx.scope, model.connection);
  if (!connection || connection.kind === "http") return undefined;
  const judge = async (steps: readonly PlanStepBody[]) => planOfSteps(ctx, await groundOf(ctx, mission, steps), steps);
  const { steps, tokens, usd } = await writePlan(ctx, { connection, model: model.name, mission }, judge);
  ctx.spent({ tokens, ...(usd === null ? { usdUnknown: true as const } : { usd }) });
  return steps && { steps, note: `Written by ${model.name} of ${model.connection}.` };
}

async function templateOf(ctx: WriteContext, name: string) {
  const template = await findTemplate(ctx, name);
  if (template) return template;
  const detail = `names no template: ${name}; GET /v1/missions/templates lists them`;
  throw refuse(invalidBody, `/template: ${detail}`, {
    errors: [{ pointer: "/template", code: "unknown_template", detail }],
  });
}

function bodyFaults({ steps = [], template }: ProposePlanBody) {
  if (steps.length > 0 && template !== undefined)
    return [
      { pointer: "/template", code: "two_sources", detail: "cannot be given together with steps; leave one out" },
    ];
  return steps.flatMap(({ id }, at) =>
    steps.findIndex((other) => other.id === id) === at
      ? []
      : [{ pointer: `/steps/${at}/id`, code: "id_taken", detail: `is the id of another step: ${id}` }],
  );
}
