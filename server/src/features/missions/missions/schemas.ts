import { type Static, Type } from "typebox";
import { HeldBy } from "../../../kernel/hold.ts";
import { Count, closed, nullable, Time } from "../../../kernel/schema-words.ts";
import { AgentName } from "../../agents/schemas.ts";

export const MISSION_LIMITS = { agents: 20, tasks: 100_000, cost_usd: 1_000_000, steps: 50, labels: 20 } as const;

export const MissionId = Type.String({ description: "The mission's id, `msn_…`." });
export const MissionSkill = Type.String({ minLength: 1, maxLength: 64, description: "A skill of one of the agents." });
const Expression = (of: string) =>
  Type.String({ minLength: 1, maxLength: 4096, description: `${of}, an expression in CEL.` });

export const missionStatuses = [
  "draft",
  "ready",
  "running",
  "paused",
  "blocked",
  "finished",
  "completed",
  "cancelled",
] as const;
export const MissionStatus = Type.Enum(missionStatuses, {
  description:
    "`draft`: no plan is accepted. `ready`: a plan is accepted and not started. `blocked`: waits for a decision of people. `finished`: all work of the plan is done, and the mission can be completed or planned further. " +
    "`completed` and `cancelled` are final.",
});
export type MissionStatus = Static<typeof MissionStatus>;

export const aggregates = ["count", "rate", "sum", "mean", "min", "max"] as const;
export const Measure = Type.Object(
  {
    skill: MissionSkill,
    where: Type.Optional(
      Expression(
        "Which results count: over `output`, `input`, `feedback` (`accepted`, `rating`, `outcome`) and `status`",
      ),
    ),
    value: Type.Optional(Expression("The number of a result, for `sum`, `mean`, `min` and `max`")),
    aggregate: Type.Enum(aggregates, {
      description:
        "`count`: results that count. `rate`: their share of all results of the skill. Else over `value` of those that count.",
    }),
    target: Type.Number({ description: "What is to be reached." }),
    direction: Type.Optional(
      Type.Enum(["at_least", "at_most"] as const, {
        description: "Which side of the target is good. Default `at_least`.",
      }),
    ),
  },
  {
    ...closed,
    description:
      "What success is: computed over the results of the mission's own tasks of a skill. No agent reports it.",
  },
);
export type Measure = Static<typeof Measure>;

export const MissionBudgetLimit = Type.Object(
  {
    cost_usd: Type.Number({ minimum: 0, maximum: MISSION_LIMITS.cost_usd, description: "US dollars." }),
    tasks: Type.Integer({ minimum: 1, maximum: MISSION_LIMITS.tasks, description: "Tasks." }),
  },
  { ...closed, description: "What the mission may use. It is reserved before each task, and never exceeded." },
);
export type MissionBudgetLimit = Static<typeof MissionBudgetLimit>;

export const Autonomy = Type.Enum(["propose", "approve_writes", "within_limits"] as const, {
  description:
    "`propose`: people approve every task before it runs. `approve_writes`: every task whose skill has a tool that writes. `within_limits`: only what policies and risk ask for. None of them lifts an approval.",
});
export type Autonomy = Static<typeof Autonomy>;

export const MissionInputs = Type.Record(Type.String({ maxLength: 64 }), Type.Unknown(), {
  description: "What the mission works on, such as a list of leads. Expressions of the plan read it as `input`.",
});

const set = {
  goal: Type.String({ minLength: 1, maxLength: 2000, description: "What is to be achieved, in words." }),
  measure: Measure,
  agents: Type.Array(AgentName, {
    minItems: 1,
    maxItems: MISSION_LIMITS.agents,
    uniqueItems: true,
    description: "Agents that may work on it. No plan uses others.",
  }),
  budget: MissionBudgetLimit,
  deadline: nullable(Time, "When it has to be done; null: no deadline."),
  autonomy: Autonomy,
  inputs: MissionInputs,
  labels: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
    maxItems: MISSION_LIMITS.labels,
    uniqueItems: true,
    description: "Labels that its tasks carry.",
  }),
};

export const CreateMissionBody = Type.Object(
  {
    goal: set.goal,
    measure: set.measure,
    agents: set.agents,
    budget: set.budget,
    autonomy: set.autonomy,
    deadline: Type.Optional(set.deadline),
    inputs: Type.Optional(set.inputs),
    labels: Type.Optional(set.labels),
  },
  closed,
);
export type CreateMissionBody = Static<typeof CreateMissionBody>;

export const ChangeMissionBody = Type.Object(
  {
    goal: Type.Optional(set.goal),
    measure: Type.Optional(set.measure),
    agents: Type.Optional(set.agents),
    budget: Type.Optional(set.budget),
    deadline: Type.Optional(set.deadline),
    autonomy: Type.Optional(set.autonomy),
    inputs: Type.Optional(set.inputs),
    labels: Type.Optional(set.labels),
  },
  { ...closed, minProperties: 1 },
);
export type ChangeMissionBody = Static<typeof ChangeMissionBody>;

export const Estimate = (of: string) =>
  Type.Object(
    { value: Type.Number(), low: Type.Number(), high: Type.Number() },
    { description: `${of}, with its 95 % interval.` },
  );

export const Measured = Type.Object(
  {
    value: nullable(Type.Number(), "What the measure comes to now; null without a result."),
    low: nullable(Type.Number(), "Lower bound of its 95 % interval. Counts, sums and extremes are exact."),
    high: nullable(Type.Number(), "Upper bound."),
    target: Type.Number(),
    direction: Type.Enum(["at_least", "at_most"] as const),
    reached: Type.Boolean({ description: "Whether the value is on the good side of the target." }),
    results: Count("Tasks of the skill that have ended."),
    counted: Count("Those that count."),
    faults: Count("Results over which the expressions could not be evaluated; they do not count."),
  },
  { description: "The measure, computed from the results of the mission's tasks." },
);
export type Measured = Static<typeof Measured>;

export const TaskCounts = Type.Object({
  planned: Count("Tasks of the accepted plan and tasks added by hand, at most."),
  open: Count("Queued or running."),
  waiting: Count("Waiting for people."),
  completed: Count("Completed."),
  failed: Count("Failed, rejected, expired or blocked."),
  cancelled: Count("Cancelled."),
  not_made: Count("Could not be made: no such task exists. The timeline says why."),
});
export type TaskCounts = Static<typeof TaskCounts>;

export const MissionSpend = Type.Object(
  {
    limit_usd: Type.Number({ description: "The budget." }),
    planned_usd: nullable(Type.Number(), "What the accepted plan is expected to cost; null: none is accepted."),
    reserved_usd: Type.Number({ description: "Held for tasks that have not ended." }),
    spent_usd: Type.Number({ description: "Cost of the tasks so far." }),
    left_usd: Type.Number({ description: "Neither spent nor reserved." }),
    limit_tasks: Count("Tasks that the budget allows."),
    used_tasks: Count("Tasks that were begun."),
  },
  { description: "Spend against the budget." },
);
export type MissionSpend = Static<typeof MissionSpend>;

export const missionHealth = ["not_started", "on_track", "at_risk", "blocked", "off_track", "closed"] as const;
export const MissionHealth = Type.Enum(missionHealth, {
  description:
    "`at_risk`: see `GET /v1/missions/{mission}/risks`. `off_track`: the deadline has passed, or the plan is done and the target is not reached.",
});

export const MissionSummary = Type.Object({
  mission_id: MissionId,
  goal: set.goal,
  status: MissionStatus,
  health: MissionHealth,
  agents: Type.Array(AgentName),
  autonomy: Autonomy,
  measure: Measure,
  measured: Measured,
  tasks: TaskCounts,
  spend: MissionSpend,
  deadline: set.deadline,
  plan: nullable(Type.Integer({ minimum: 1 }), "The plan version that is accepted; null: none."),
  open_decisions: Count("Questions that wait for people."),
  held_by: HeldBy,
  labels: set.labels,
  created_by: Type.String({ description: "Who created it, by id." }),
  created_at: Time,
  updated_at: Time,
  started_at: nullable(Time),
  finished_at: nullable(Time, "When it was completed or cancelled."),
});
export type MissionSummary = Static<typeof MissionSummary>;
