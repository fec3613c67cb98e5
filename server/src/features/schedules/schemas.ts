import { type Static, type TSchema, Type } from "typebox";
import { closed, nullable, stoppedMembers, Time } from "../../kernel/schema-words.ts";
import { AgentName } from "../agents/schemas.ts";

export const AgentScheduleId = Type.String({ description: "The schedule's id, `sch_…`." });

const Usd = (description: string) => Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000, description });

export const AgentScheduleBudget = Type.Object(
  {
    per_run_usd: Type.Optional(Usd("What one task may cost at most, in US dollars, where its skill allows more.")),
    per_month_usd: Type.Optional(
      Usd("What the tasks of a calendar month (UTC) may cost together; where it is used up, nothing is dispatched."),
    ),
  },
  { ...closed, minProperties: 1, description: "Limits besides the budgets of agent, key and environment." },
);

/** What a schedule is made of, with what its members mean. */
const work = {
  task: Type.String({ maxLength: 64, description: "One of the agent's skills." }),
  input: Type.Record(Type.String(), Type.Unknown(), { description: "The skill's input, the same each time." }),
};
const clock = {
  schedule: Type.String({
    maxLength: 100,
    description: "Five fields: minute, hour, day, month, weekday; such as `0 7 * * MON-FRI`.",
  }),
  time_zone: Type.String({ maxLength: 64, description: "Such as `Europe/Vienna`. Default `UTC`." }),
};
const rules = {
  overlap: Type.Enum(["skip", "queue", "cancel_previous"] as const, {
    description:
      "While the task before is not over: leave this time out (default), dispatch once it is over (at most one waits, the newest), or cancel it and dispatch.",
  }),
  missed: Type.Enum(["skip", "run_once"] as const, {
    description:
      "Times that passed while the service did not run: leave them out, or make up for the last one (default).",
  }),
  labels: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
    maxItems: 19,
    uniqueItems: true,
    description: "Labels of its tasks, besides `schedule:<schedule_id>`, by which they can be listed.",
  }),
  priority: Type.Integer({ minimum: -10, maximum: 10, description: "Higher runs earlier; default 0." }),
  require_approval: Type.Boolean({ description: "Each task waits for people." }),
  note: Type.String({ maxLength: 500, description: "What it is for, for people." }),
};
const asAccount = Type.String({
  maxLength: 200,
  description: "A service account, by name, whose permissions the tasks have. Default: the caller.",
});
const optional = <T extends Record<string, TSchema>>(members: T) =>
  Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, Type.Optional(schema)])) as {
    [N in keyof T]: ReturnType<typeof Type.Optional<T[N]>>;
  };

const definition = {
  task: work.task,
  input: Type.Optional(work.input),
  schedule: clock.schedule,
  time_zone: Type.Optional(clock.time_zone),
  ...optional(rules),
  budget: Type.Optional(AgentScheduleBudget),
};

/** What is stored of what the caller sent. */
export const AgentScheduleDefinition = Type.Object(definition, closed);
export type AgentScheduleDefinition = Static<typeof AgentScheduleDefinition>;

export const CreateAgentScheduleBody = Type.Object(
  { ...definition, as: Type.Optional(asAccount) },
  { ...closed, description: "A dispatch that recurs." },
);
export type CreateAgentScheduleBody = Static<typeof CreateAgentScheduleBody>;

export const ChangeAgentScheduleBody = Type.Object(
  {
    ...optional(work),
    ...optional(clock),
    ...optional(rules),
    budget: Type.Optional(nullable(AgentScheduleBudget, "Null: no limit of its own.")),
    as: Type.Optional(asAccount),
    paused: Type.Optional(Type.Boolean({ description: "True: times are left out until it is resumed with false." })),
    reason: Type.Optional(Type.String({ maxLength: 500, description: "Why it is paused." })),
  },
  { ...closed, minProperties: 1, description: "Each member that is given takes the place of the schedule's." },
);
export type ChangeAgentScheduleBody = Static<typeof ChangeAgentScheduleBody>;

export const AgentScheduleFailure = Type.Object(
  {
    code: Type.String({ description: "For programs, as in problems." }),
    detail: Type.String({ description: "For people." }),
    at: Time,
  },
  { description: "Why a schedule dispatched nothing." },
);

export const AgentSchedule = Type.Object(
  {
    schedule_id: AgentScheduleId,
    agent: AgentName,
    ...work,
    ...clock,
    ...rules,
    budget: nullable(AgentScheduleBudget),
    spent_month_usd: Type.Number({ description: "What its tasks of this calendar month (UTC) have cost." }),
    runs_as: Type.String({ description: "The member or service account whose permissions its tasks have, by id." }),
    paused: nullable(
      Type.Object({ since: Time, by: Type.String(), reason: nullable(Type.String()) }),
      "Null: it dispatches.",
    ),
    ...stoppedMembers,
    next_at: nullable(Time, "When it is due next. Null: it is paused, or never comes again."),
    next_times: Type.Array(Time, { description: "The next five times, as if it were not paused." }),
    waiting_since: nullable(Time, "The time whose task is still to be dispatched; null: none."),
    last_at: nullable(Time, "The time for which it last dispatched a task."),
    last_task_id: nullable(Type.String(), "The task that it last dispatched."),
    last_skipped: nullable(
      Type.Object({ at: Time, reason: Type.Enum(["overlap", "missed"] as const) }),
      "The last time that was left out by `overlap` or `missed`.",
    ),
    last_error: nullable(
      AgentScheduleFailure,
      "Why it last dispatched nothing; null: it never failed, or has dispatched since.",
    ),
    revision: Type.Integer(),
    created_by: Type.String({ description: "Who made it, by id." }),
    created_at: Time,
    updated_at: Time,
  },
  { description: "A recurring dispatch of an agent, in one environment." },
);
export type AgentSchedule = Static<typeof AgentSchedule>;

export const RemovedAgentSchedule = Type.Object({ schedule_id: AgentScheduleId, removed: Type.Literal(true) });
