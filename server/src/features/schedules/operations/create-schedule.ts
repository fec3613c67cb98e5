import { Type } from "typebox";
import { refuse } from "../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { nextTime } from "../../../kernel/schedule.ts";
import { findKnownAgent, type KnownAgent } from "../../agents/public.ts";
import { AgentName } from "../../agents/schemas.ts";
import { agentNotDeployed } from "../../tasks/public.ts";
import { scheduleNotPossible } from "../schedule-errors.ts";
import { exampleSchedule } from "../schedule-example.ts";
import { actorFor, definitionFaults, definitionOf, requireLive } from "../schedule-model.ts";
import { countSchedules, findSchedule, insertSchedule, mostSchedules, type ScheduleRow } from "../schedule-store.ts";
import { scheduleView } from "../schedule-view.ts";
import { AgentSchedule, CreateAgentScheduleBody } from "../schemas.ts";

const { task, input, schedule, time_zone, budget } = exampleSchedule;

export const createSchedule = defineOperation({
  id: "agents.createSchedule",
  method: "POST",
  path: "/v1/agents/{agent}/schedules",
  status: 201,
  summary: "Create a schedule",
  description:
    "Dispatches a task of whichever version is live in the environment of the key, at each time of the schedule, exactly once. Gate, policies, budgets and approvals hold as for any dispatch, " +
    "on behalf of the service account that `as` names, else of the caller, as far as they may at that time.",
  params: Type.Object({ agent: AgentName }),
  body: CreateAgentScheduleBody,
  output: AgentSchedule,
  example: {
    params: { agent: exampleSchedule.agent },
    body: { task, input, schedule, time_zone, budget: { ...budget } },
    output: { ...exampleSchedule, last_at: null, last_task_id: null, spent_month_usd: 0 },
  },
  revision: ({ revision }) => revision,
  revisionOfPart: true,
  location: ({ agent }) => `/v1/agents/${agent}/schedules`,
  permission: "agents:write",
  load(ctx, { agent }) {
    const known = findKnownAgent(ctx, agent);
    return known?.archived ? undefined : known;
  },
  validate: ({ now }, { body, loaded }) => definitionFaults(loaded, body, now),
  gate: exempt("makes no agent act yet; each task that it dispatches passes the gate"),
  decides: "trigger",
  compliance: governs("agent.schedule", (_ctx, { loaded }: { loaded: KnownAgent }) => ({
    agent: { name: loaded.agent, labels: loaded.labels },
  })),
  audit: ({ params, output }) => (output ? `schedule:${output.schedule_id}` : `agent:${params.agent}`),
  errors: [agentNotDeployed, scheduleNotPossible],
  async handle(ctx, { loaded, body }) {
    requireLive(ctx, loaded);
    const { agent } = loaded;
    if ((await countSchedules(ctx, agent)) >= mostSchedules)
      throw refuse(
        scheduleNotPossible,
        `${agent} has ${mostSchedules} schedules here, which is the most; remove one first.`,
      );
    const definition = definitionOf(body);
    const actor = await actorFor(ctx, body.as);
    const id = ctx.newId("sch");
    await insertSchedule(ctx, actor, { id, agent, definition, next_at: nextTime(definition, ctx.now) });
    return scheduleView((await findSchedule(ctx, id)) as ScheduleRow, ctx.now);
  },
});
