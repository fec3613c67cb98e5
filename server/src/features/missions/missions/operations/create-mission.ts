import { actorOfCall } from "../../../../kernel/actor.ts";
import { byBody } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { exampleDraft, exampleSettings } from "../../example.ts";
import { CreateMissionBody, Mission } from "../../schemas.ts";
import { decidersOfMission } from "../accountable.ts";
import { settingFaults } from "../rules.ts";
import { addToTimeline, insertMission } from "../store.ts";
import { missionView } from "../view.ts";

export const createMission = defineOperation({
  id: "missions.createMission",
  method: "POST",
  path: "/v1/missions",
  status: 201,
  listed: true,
  summary: "Create a mission",
  description:
    "States a goal with a measure that is computed from results, the agents that may work on it, a budget, a deadline and how far they may act on their own. " +
    "Nothing happens until a plan is accepted: propose one by `POST /v1/missions/{mission}/plan`, then start it.",
  body: CreateMissionBody,
  output: Mission,
  location: ({ mission_id }) => `/v1/missions/${mission_id}`,
  revision: ({ revision }) => revision,
  revisionOfPart: true,
  example: {
    body: { ...exampleSettings, agents: ["sales"], inputs: exampleDraft.inputs, labels: ["leads"] },
    output: exampleDraft,
  },
  permission: "missions:write",
  load: exempt("names no object; makes one"),
  narrowing: byBody("the agents in the body", (_ctx, { body }: { body: CreateMissionBody }) => body.agents),
  validate: (ctx, { body }) => settingFaults(ctx, body),
  gate: exempt("makes no agent act"),
  decides: "mission",
  compliance: governs("mission.create"),
  audit: ({ output }) => (output ? `mission:${output.mission_id}` : "missions"),
  async handle(ctx, { body }) {
    const { measure, budget, deadline = null, inputs = {}, labels = [], goal, agents, autonomy } = body;
    const id = ctx.newId("msn");
    const acts = { actor: actorOfCall(ctx), deciders: decidersOfMission(ctx, "input", id) };
    const mission = await insertMission(ctx, acts, {
      id,
      goal,
      agents,
      autonomy,
      labels,
      measure: JSON.stringify(measure),
      inputs: JSON.stringify(inputs),
      budget_usd: budget.cost_usd,
      budget_tasks: budget.tasks,
      deadline: deadline === null ? null : new Date(deadline),
    });
    await addToTimeline(ctx, id, { kind: "mission.created", text: "The mission was created." });
    return missionView(ctx, mission);
  },
});
