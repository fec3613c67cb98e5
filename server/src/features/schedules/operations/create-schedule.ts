import { defineOperation, exempt } from "../../../kernel/operation.ts";
import { nextTime } from "../../../kernel/schedule.ts";
import { findKnownAgent } from "../../agents/public.ts";
import { agentNotDeployed } from "../../tasks/public.ts";
import { scheduleNotPossible } from "../errors.ts";
import { exampleSchedule } from "../example.ts";
import { schedules } from "../resource.ts";
import { actorFor, definitionFaults, definitionOf, requireLive } from "../rules.ts";
import { CreateAgentScheduleBody } from "../schemas.ts";
import { insertSchedule } from "../store.ts";

const { agent, task, input, schedule, time_zone, budget } = exampleSchedule;

export const createSchedule = defineOperation({
  ...schedules.changeOfAll(),
  ...schedules.answer,
  id: "agents.createSchedule",
  method: "POST",
  status: 201,
  summary: "Create a schedule",
  description:
    "Dispatches a task of whichever version is live in the environment of the key, at each time of the schedule, exactly once. Gate, policies, budgets and approvals hold as for any dispatch, " +
    "on behalf of the service account that `as` names, else of the caller, as far as they may at that time.",
  body: CreateAgentScheduleBody,
  example: {
    params: { agent },
    body: { task, input, schedule, time_zone, budget: { ...budget } },
    output: { ...exampleSchedule, last_at: null, last_task_id: null, spent_month_usd: 0 },
  },
  location: (made) => `/v1/agents/${made.agent}/schedules`,
  load(ctx, { agent: name }) {
    const known = findKnownAgent(ctx, name);
    return known?.archived ? undefined : known;
  },
  validate: ({ now }, { body, loaded }) => definitionFaults(loaded, body, now),
  gate: exempt("makes no agent act yet; each task that it dispatches passes the gate"),
  audit: ({ params, output }) => (output ? `schedule:${output.schedule_id}` : `agent:${params.agent}`),
  errors: [agentNotDeployed, scheduleNotPossible],
  async handle(ctx, { loaded, body }) {
    requireLive(ctx, loaded);
    const definition = definitionOf(body);
    const actor = await actorFor(ctx, body.as);
    const id = ctx.newId("sch");
    const next_at = nextTime(definition, ctx.now);
    const row = await insertSchedule(ctx, actor, { id, agent: loaded.agent, definition, next_at });
    return schedules.view(row, ctx);
  },
});
