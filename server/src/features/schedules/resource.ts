import { Type } from "typebox";
import { refuse } from "../../kernel/errors.ts";
import { isId } from "../../kernel/ids.ts";
import { exempt } from "../../kernel/operation.ts";
import { defineResource } from "../../resources/resource.ts";
import { computed, json } from "../../resources/rows.ts";
import { erasedBy, evidence, ownTables, untilRemoved } from "../../resources/tables.ts";
import { findKnownAgent, type KnownAgent } from "../agents/public.ts";
import { AgentName } from "../agents/schemas.ts";
import { taskRows } from "../tasks/shared-rows.ts";
import { scheduleNotPossible } from "./errors.ts";
import { exampleSchedule } from "./example.ts";
import { AgentSchedule, AgentScheduleId } from "./schemas.ts";
import { type ScheduleJson, type ScheduleRow, type ScheduleSpent, scheduleView } from "./view.ts";

export const owned = ownTables({
  agent_schedules: {
    keeps: untilRemoved("A schedule is deleted by people."),
    personal: {
      columns: ["definition", "principal", "author", "actor", "paused_by", "pause_reason", "last_error"],
      erased: erasedBy("agents.removeSchedule"),
    },
  },
  agent_schedule_runs: {
    keeps: evidence("The schedule's use of its budget is a sum over its runs."),
    personal: exempt("names a schedule and a task"),
  },
});

/** Schedules that an agent has in an environment at most. */
export const mostSchedules = 50;

/** What the tasks of this month have cost so far, in US dollars. */
const spentMonth = `(select coalesce(sum(coalesce(u.cost_usd, t.cost_usd, 0)), 0)::float8
  from agent_schedule_runs u
  left join ${taskRows} t on u.cost_usd is null and t.organization = u.organization and t.environment = u.environment and t.id = u.task
  where u.organization = r.organization and u.environment = r.environment and u.schedule = r.id and u.at >= date_trunc('month', now(), 'UTC'))`;

const seen = ({ agent, labels }: KnownAgent) => ({ agent: { name: agent, labels } });

export interface LoadedSchedule {
  readonly row: ScheduleRow;
  readonly known: KnownAgent;
}

export const schedules = defineResource({
  table: owned.agent_schedules,
  key: "id",
  isKey: (text) => isId(text, "sch"),
  json: json<ScheduleJson>()("definition"),
  computed: computed<ScheduleSpent>({ spent_month_usd: spentMonth }),
  limit: {
    most: mostSchedules,
    lock: "schedules",
    per: ["agent"],
    refuse: (_ctx, { agent }) =>
      refuse(scheduleNotPossible, `${agent} has ${mostSchedules} schedules here, which is the most; remove one first.`),
  },
  path: "/v1/agents/{agent}/schedules",
  params: Type.Object({ agent: AgentName }),
  member: Type.Object({ agent: AgentName, schedule: AgentScheduleId }),
  parent: (ctx, { agent }) => findKnownAgent(ctx, agent),
  async load(ctx, { agent, schedule }): Promise<LoadedSchedule | undefined> {
    const known = findKnownAgent(ctx, agent);
    const row = await schedules.rows.find(ctx, schedule);
    return known && row?.agent === agent ? { row, known } : undefined;
  },
  rowOf: ({ row }) => row,
  item: AgentSchedule,
  identity: "schedule_id",
  example: { params: { agent: exampleSchedule.agent, schedule: exampleSchedule.schedule_id }, item: exampleSchedule },
  view: (row, { now }) => scheduleView(row, now),
  revision: ({ revision }) => revision,
  revisionOfPart: true,
  object: "schedule",
  objects: ({ agent }) => `agent:${agent}`,
  permission: { read: "agents:read", change: "agents:write" },
  governs: { read: "agent.read", change: "agent.schedule" },
  facts: { all: (_ctx, { loaded }) => seen(loaded), one: (_ctx, { loaded }) => seen(loaded.known) },
  decides: "trigger",
});
