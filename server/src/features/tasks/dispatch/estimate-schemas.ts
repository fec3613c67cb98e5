import { type Static, Type } from "typebox";
import { nullable, Time } from "../../../kernel/schema-words.ts";
import { AgentName } from "../../agents/schemas.ts";

export const EstimateBody = Type.Object(
  { agent: AgentName },
  {
    additionalProperties: true,
    description: "The agent, and the body of a dispatch to it. A field `agent` of the skill's input goes into `input`.",
  },
);
export type EstimateBody = Static<typeof EstimateBody>;

const Range = Type.Object({
  expected: Type.Number({ description: "Of money and tokens the mean, of times the median." }),
  low: Type.Number({ description: "One in ten was below." }),
  high: Type.Number({ description: "One in ten was above." }),
});
export type EstimateRange = Static<typeof Range>;

const Chance = Type.Object({
  expected: Type.Number({ description: "The probability, from 0 to 1." }),
  low: Type.Number(),
  high: Type.Number(),
});

export const TaskEstimate = Type.Object({
  agent: AgentName,
  task: Type.String({ description: "The skill." }),
  version: nullable(Type.Integer(), "The live version; null: the agent is not deployed here."),
  would: Type.Enum(["run", "wait_for_approval", "be_refused"], {
    description: "What the dispatch would come to now. An estimate claims nothing: budgets and rules may differ then.",
  }),
  problem: nullable(
    Type.Record(Type.String(), Type.Unknown()),
    "Why it would be refused, as the dispatch would answer it.",
  ),
  approval: nullable(
    Type.Object({
      approvers: Type.Integer({ description: "How many people would have to approve." }),
      requester_allowed: Type.Boolean({ description: "Whether whoever dispatches may be one of them." }),
      reasons: Type.Array(Type.String()),
    }),
    "What people would be asked; null: nobody is asked before it runs. A call of a tool may still ask.",
  ),
  risk: nullable(Type.Object({ level: Type.String(), score: Type.Integer({ description: "0 to 12." }) })),
  trust: nullable(
    Type.Object({ score: Type.Number(), low: Type.Number(), high: Type.Number() }),
    "The trust score that the task would start with: that a reviewer would accept its outcome.",
  ),
  history: Type.Object({
    tasks: Type.Integer({ description: "Ended tasks of this agent and skill that the figures rest on, at most 500." }),
    since: nullable(Time, "When the oldest of them was dispatched."),
    same_version: Type.Boolean({
      description:
        "Whether all ran on the live version. Where that has fewer than 20, those of earlier ones count too.",
    }),
  }),
  completes: nullable(Chance, "That it completes once it runs, with a 90 % interval; null: none has ended yet."),
  cost_usd: nullable(Range),
  tokens: nullable(Range),
  run_seconds: nullable(Range, "From its start to its end."),
  queue_seconds: nullable(Range, "Until a worker takes it, of tasks that waited for no approval."),
  approval_seconds: nullable(Range, "Until people decide; null: nobody would be asked, or nobody has decided yet."),
  at_most: nullable(
    Type.Object({
      cost_usd: nullable(Type.Number()),
      tokens: nullable(Type.Integer()),
      seconds: nullable(Type.Number()),
      steps: nullable(Type.Integer()),
    }),
    "The limits of the skill, at which a run is stopped.",
  ),
});
export type TaskEstimate = Static<typeof TaskEstimate>;
