import { type Static, Type } from "typebox";
import { HeldBy } from "../../../kernel/hold.ts";
import { Count, closed, nullable, Time } from "../../../kernel/schema-words.ts";
import { ordinal } from "../../../kernel/whole-numbers.ts";
import { AgentName } from "../../agents/schemas.ts";
import {
  CreateMissionBody,
  Estimate,
  Measure,
  Measured,
  MissionId,
  MissionInputs,
  MissionSkill,
  MissionSpend,
  MissionStatus,
  MissionSummary,
  TaskCounts,
} from "../missions/schemas.ts";
import { Plan, PlanStepBody } from "../plans/schemas.ts";

export const DecisionId = Type.String({ description: "The decision's id, `mdc_…`." });
const Option = Type.Object(
  {
    id: Type.String({ pattern: "^[a-z][a-z0-9_]{0,39}$" }),
    label: Type.String({ minLength: 1, maxLength: 200 }),
  },
  closed,
);
export const decisionKinds = ["question", "failure", "budget", "deadline"] as const;
export const MissionDecision = Type.Object({
  decision_id: DecisionId,
  mission_id: MissionId,
  kind: Type.Enum(decisionKinds, {
    description:
      "`question`: somebody asked. The others are put by the service: a step failed, the budget does not suffice, the deadline has passed.",
  }),
  question: Type.String(),
  options: Type.Array(Option, { description: "Answers that can be chosen; empty: an answer in words." }),
  context: Type.Record(Type.String(), Type.Unknown(), { description: "What it is about." }),
  status: Type.Enum(["open", "answered", "withdrawn"] as const),
  answer: nullable(Type.String(), "The chosen option, or the words."),
  comment: nullable(Type.String()),
  asked_by: Type.String({ description: "Who asked, by id; `service`: the service itself." }),
  asked_at: Time,
  answered_by: nullable(Type.String()),
  answered_at: nullable(Time),
});
export type MissionDecision = Static<typeof MissionDecision>;

export const AskDecisionBody = Type.Object(
  {
    question: Type.String({ minLength: 1, maxLength: 2000 }),
    options: Type.Optional(
      Type.Array(Option, { minItems: 2, maxItems: 10, description: "Answers to choose from. Default: words." }),
    ),
    context: Type.Optional(Type.Record(Type.String({ maxLength: 64 }), Type.Unknown())),
    blocks: Type.Optional(
      Type.Boolean({ description: "Whether the mission is held until it is answered. Default false." }),
    ),
  },
  closed,
);
export type AskDecisionBody = Static<typeof AskDecisionBody>;

export const AnswerDecisionBody = Type.Object(
  {
    answer: Type.String({
      minLength: 1,
      maxLength: 4000,
      description: "The id of an option, or words where there are none.",
    }),
    comment: Type.Optional(Type.String({ minLength: 1, maxLength: 4000 })),
  },
  closed,
);
export type AnswerDecisionBody = Static<typeof AnswerDecisionBody>;

const Blocker = Type.Object({
  code: Type.String(),
  detail: Type.String(),
  remedy: Type.String({ description: "What to do." }),
});

export const Mission = Type.Object({
  ...MissionSummary.properties,
  inputs: MissionInputs,
  accepted_plan: nullable(Plan, "The plan by which it works."),
  proposed_plan: nullable(Plan, "A newer plan that nobody has accepted."),
  blockers: Type.Array(Blocker, { description: "What keeps it from going on." }),
  next_decision: nullable(MissionDecision, "The oldest question that waits for people."),
  workflow: nullable(Type.String(), "The workflow that carries the plan out; null: not started."),
  run_id: nullable(Type.String(), "Its present run, `wfr_…`."),
  cloned_from: nullable(MissionId),
  outcome: nullable(
    Type.Object({ result: Type.Enum(["reached", "missed", "abandoned"] as const), note: Type.String() }),
    "How it was closed.",
  ),
  revision: Type.Integer({ minimum: 1 }),
});
export type Mission = Static<typeof Mission>;

export const MissionReasonBody = Type.Object(
  { reason: Type.Optional(Type.String({ maxLength: 2000, description: "Why, for people." })) },
  closed,
);
export type MissionReasonBody = Static<typeof MissionReasonBody>;

export const CompleteMissionBody = Type.Object(
  { note: Type.Optional(Type.String({ maxLength: 4000, description: "What came of it, for people." })) },
  closed,
);
export type CompleteMissionBody = Static<typeof CompleteMissionBody>;

export const MissionTask = Type.Object({
  task_id: Type.String({ description: "`tsk_…`" }),
  step: Type.String({ description: "The step of the plan, or of a task added by hand." }),
  by_hand: Type.Boolean(),
  depends_on: Type.Array(Type.String(), { description: "Steps that were over before." }),
  run_id: Type.String({ description: "`wfr_…`" }),
  title: nullable(Type.String()),
  agent: AgentName,
  skill: MissionSkill,
  status: Type.String({ description: "The task's status." }),
  risk: Type.String(),
  trust_score: Type.Number(),
  cost_usd: Type.Number(),
  reserved_usd: Type.Number({ description: "Held for it; 0 once it has ended." }),
  held_by: HeldBy,
  created_at: Time,
  finished_at: nullable(Time),
});
export type MissionTask = Static<typeof MissionTask>;

export const AddTaskBody = Type.Object(
  {
    agent: AgentName,
    skill: MissionSkill,
    input: Type.Record(Type.String({ maxLength: 200 }), Type.Unknown(), {
      description: "The skill's input, as it is.",
    }),
    title: Type.Optional(Type.String({ maxLength: 200 })),
    require_approval: Type.Optional(Type.Boolean()),
  },
  closed,
);
export type AddTaskBody = Static<typeof AddTaskBody>;

export const AddedTask = Type.Object({
  mission_id: MissionId,
  step: Type.String({ description: "Its step." }),
  run_id: Type.String({ description: "The run that carries it out, `wfr_…`." }),
  workflow: Type.String(),
});

export const MissionBudget = Type.Object({
  ...MissionSpend.properties,
  forecast_usd: Estimate(
    "What the mission will have cost at its end, in US dollars: tasks to come cost what tasks of their skill cost by now, or, where none ran, what the plan expects",
  ),
  by_step: Type.Array(
    Type.Object({
      step: Type.String(),
      planned_usd: nullable(Type.Number(), "What the plan expected when it was made; null: it is not of the plan."),
      reserved_usd: Type.Number(),
      spent_usd: Type.Number(),
      tasks: Count("Tasks that were begun."),
    }),
  ),
});
export type MissionBudget = Static<typeof MissionBudget>;

export const MissionRisk = Type.Object({
  ...Blocker.properties,
  blocks: Type.Boolean({ description: "Whether it keeps the mission from going on." }),
  severity: Type.Enum(["low", "medium", "high"] as const),
  task_id: nullable(Type.String()),
  decision_id: nullable(DecisionId),
});
export type MissionRisk = Static<typeof MissionRisk>;
export const MissionRisks = Type.Object({ risks: Type.Array(MissionRisk) });

export const TimelineEntry = Type.Object({
  id: Type.String(),
  at: Time,
  kind: Type.String({
    description: "Such as `mission.started`, `plan.accepted`, `task.completed`, `decision.answered`.",
  }),
  text: Type.String({ description: "In a sentence." }),
  actor: nullable(Type.String(), "Who did it, by id."),
  step: nullable(Type.String()),
  task_id: nullable(Type.String()),
  run_id: nullable(Type.String()),
});
export type TimelineEntry = Static<typeof TimelineEntry>;

export const MissionReport = Type.Object({
  mission_id: MissionId,
  goal: Type.String(),
  status: MissionStatus,
  measure: Measure,
  measured: Measured,
  outcome: Mission.properties.outcome,
  tasks: TaskCounts,
  budget: MissionBudget,
  plan: nullable(ordinal("The accepted plan version.")),
  steps: Type.Array(
    Type.Object({
      step: Type.String(),
      title: Type.String(),
      agent: AgentName,
      skill: MissionSkill,
      tasks: Count("Tasks that were begun."),
      completed: Count("Completed."),
      failed: Count("Failed, rejected, expired or blocked."),
      success: nullable(Estimate("The share of its tasks that completed"), "Null: none has ended."),
      cost_usd: Type.Number(),
    }),
  ),
  decisions: Type.Array(MissionDecision),
  started_at: nullable(Time),
  finished_at: nullable(Time),
  generated_at: Time,
});
export type MissionReport = Static<typeof MissionReport>;

export const CancelledMission = Type.Object({ mission: Mission, report: MissionReport });

export const CloneMissionBody = Type.Object(
  {
    inputs: Type.Optional(MissionInputs),
    goal: Type.Optional(CreateMissionBody.properties.goal),
    budget: Type.Optional(CreateMissionBody.properties.budget),
    deadline: CreateMissionBody.properties.deadline,
  },
  closed,
);
export type CloneMissionBody = Static<typeof CloneMissionBody>;

export const TemplateName = Type.String({
  pattern: "^[a-z][a-z0-9-]{0,63}$",
  description: "Its name: lowercase letters, digits and hyphens.",
});
export const MissionTemplate = Type.Object({
  name: TemplateName,
  description: Type.String(),
  origin: Type.Enum(["built_in", "saved"] as const),
  mission: Type.Partial(Type.Object(CreateMissionBody.properties), {
    description: "What a mission made of it is created with.",
  }),
  steps: Type.Array(PlanStepBody, { description: "Its plan." }),
  created_by: nullable(Type.String()),
  created_at: nullable(Time),
});
export type MissionTemplate = Static<typeof MissionTemplate>;

export const SaveTemplateBody = Type.Object(
  {
    name: TemplateName,
    description: Type.Optional(Type.String({ maxLength: 2000 })),
    mission_id: Type.Optional(
      Type.String({ description: "The mission whose settings and accepted or newest plan it takes." }),
    ),
    steps: Type.Optional(Type.Array(PlanStepBody, { minItems: 1 })),
  },
  closed,
);
export type SaveTemplateBody = Static<typeof SaveTemplateBody>;
