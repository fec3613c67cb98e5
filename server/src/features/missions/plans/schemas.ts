import { type Static, Type } from "typebox";
import { Count, closed, nullable, Time } from "../../../kernel/schema-words.ts";
import { ordinal } from "../../../kernel/whole-numbers.ts";
import { AgentName } from "../../agents/schemas.ts";
import { Estimate, MISSION_LIMITS, MissionId, MissionSkill } from "../missions/schemas.ts";

const StepId = Type.String({
  pattern: "^[a-z][a-z0-9_]{0,39}$",
  description: "The step's id: lowercase letters, digits and `_`.",
});
const Expression = (of: string) =>
  Type.String({ minLength: 1, maxLength: 4096, description: `${of}, an expression in CEL.` });
const AtMost = Type.Integer({ minimum: 1, maximum: MISSION_LIMITS.tasks });

export const StepInputs = Type.Object(
  {
    each: Type.Optional(Expression("One task per item of this list, over `input` and `steps`, such as `input.leads`")),
    best: Type.Optional(
      Type.Object(
        {
          of: StepId,
          count: AtMost,
          by: Expression("The number by which results are ordered, highest first: over `item.input` and `item.output`"),
          where: Type.Optional(Expression("Which results come into question")),
        },
        { ...closed, description: "One task for each of the best results of an earlier step." },
      ),
    ),
    at_most: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MISSION_LIMITS.tasks, description: "Tasks of `each` at most." }),
    ),
    parallel: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: "Tasks at once. Default 5." })),
    input: Type.Record(Type.String({ maxLength: 200 }), Type.Unknown(), {
      description:
        "The skill's input. Texts are expressions in CEL over `input`, `steps` and, with `each` or `best`, `item`; numbers, true, false and null stand for themselves.",
    }),
  },
  {
    ...closed,
    description:
      "Where the inputs of the step's tasks come from: one task, `each` of a list, or the `best` of an earlier step.",
  },
);
export type StepInputs = Static<typeof StepInputs>;

export const PlanStepBody = Type.Object(
  {
    id: StepId,
    title: Type.Optional(Type.String({ maxLength: 200, description: "What it does, in words." })),
    agent: AgentName,
    skill: MissionSkill,
    inputs: StepInputs,
    depends_on: Type.Optional(
      Type.Array(StepId, {
        maxItems: MISSION_LIMITS.steps,
        uniqueItems: true,
        description: "Steps that have to be over before. Default: those whose results it uses.",
      }),
    ),
    require_approval: Type.Optional(
      Type.Boolean({ description: "Whether people approve its tasks, whatever the autonomy says." }),
    ),
    attempts: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 5, description: "How often a task is tried. Default 1." }),
    ),
  },
  closed,
);
export type PlanStepBody = Static<typeof PlanStepBody>;

export const ProposePlanBody = Type.Object(
  {
    steps: Type.Optional(
      Type.Array(PlanStepBody, {
        minItems: 1,
        maxItems: MISSION_LIMITS.steps,
        description:
          "The steps. Default: written by a connected model, or proposed from goal, measure, agents and inputs.",
      }),
    ),
    template: Type.Optional(
      Type.String({ maxLength: 64, description: "The mission template whose steps it takes, instead of `steps`." }),
    ),
    note: Type.Optional(Type.String({ maxLength: 2000, description: "Why, for people." })),
  },
  closed,
);
export type ProposePlanBody = Static<typeof ProposePlanBody>;

const Risk = Type.Enum(["low", "medium", "high", "critical"] as const);

export const PlanStep = Type.Object({
  id: StepId,
  title: Type.String(),
  agent: AgentName,
  skill: MissionSkill,
  inputs: StepInputs,
  depends_on: Type.Array(StepId),
  require_approval: Type.Boolean({ description: "Whether people approve its tasks: by the step or the autonomy." }),
  attempts: Type.Integer({ minimum: 1 }),
  tasks: Count("Tasks that it makes, at most."),
  cost_usd: Estimate("What its tasks are expected to cost together, in US dollars"),
  risk: Type.Object({ level: Risk, score: Type.Number() }, { description: "The risk of one of its tasks." }),
  success: Estimate("The probability that a task of it succeeds"),
  evidence: Type.Object(
    { tasks: Count("Past tasks of the skill that the estimates rest on."), succeeded: Count("Those that succeeded.") },
    {
      description:
        "Tasks of the last 90 days here. The cost is the mean of those that ran. Without any, it is one call of each of the skill's tools where the model is the built-in one, and else the skill's limit; without any past task success is unknown.",
    },
  ),
});
export type PlanStep = Static<typeof PlanStep>;

export const PlanFinding = Type.Object({
  severity: Type.Enum(["error", "warning"] as const),
  pointer: Type.String({ description: "JSON Pointer into the plan." }),
  code: Type.String(),
  detail: Type.String(),
});
export type PlanFinding = Static<typeof PlanFinding>;

export const planOrigins = ["template", "model", "person", "replan"] as const;
export const Plan = Type.Object({
  mission_id: MissionId,
  plan: ordinal("The number of the plan version."),
  status: Type.Enum(["proposed", "accepted", "superseded"] as const),
  origin: Type.Enum(planOrigins, {
    description:
      "`template`: proposed by the service. `model`: written by the model of one of the agents. `person`: somebody gave the steps. `replan`: made of what was left after a failure.",
  }),
  note: Type.String(),
  steps: Type.Array(PlanStep),
  total: Type.Object({
    tasks: Count("Tasks at most."),
    cost_usd: Estimate("Expected cost, in US dollars"),
    succeeding: Estimate("Tasks that are expected to succeed"),
    risk: Type.Object({ level: Risk, score: Type.Number() }, { description: "The highest of its steps." }),
  }),
  findings: Type.Array(PlanFinding, { description: "A plan with an error cannot be accepted." }),
  leaves_open: Type.Array(Type.String(), { description: "What the plan does not settle, in sentences." }),
  author: Type.String({ description: "Who made it, by id." }),
  created_at: Time,
  accepted_at: nullable(Time),
  accepted_by: nullable(Type.String()),
});
export type Plan = Static<typeof Plan>;

export const PlanDiff = Type.Object(
  {
    against: ordinal("The version that it is compared with."),
    added: Type.Array(StepId),
    removed: Type.Array(StepId),
    changed: Type.Array(
      Type.Object({
        step: StepId,
        members: Type.Array(Type.String(), { description: "What differs: `skill`, `inputs`, `depends_on`, …" }),
      }),
    ),
    tasks: Type.Integer({ description: "Tasks more (or, negative, fewer)." }),
    cost_usd: Type.Number({ description: "Expected US dollars more (or, negative, less)." }),
  },
  { description: "What is different from the version before." },
);
export type PlanDiff = Static<typeof PlanDiff>;

export const PlanVersion = Type.Object({ ...Plan.properties, diff: nullable(PlanDiff, "Null: the first version.") });
export type PlanVersion = Static<typeof PlanVersion>;

export const StartMissionBody = Type.Object(
  {
    plan: Type.Optional(ordinal("The plan version to accept and start. Default: the accepted one, else the newest.")),
  },
  closed,
);
export type StartMissionBody = Static<typeof StartMissionBody>;
