import { type Static, Type } from "typebox";
import { environments } from "../../../kernel/principal.ts";
import { Count, closed, nullable, Time } from "../../../kernel/schema-words.ts";
import { ordinal } from "../../../kernel/whole-numbers.ts";
import { AgentName, integerIn, textOf } from "../definitions/schemas.ts";

// Shapes of training on the wire. A part of schemas.ts, which it does not import.

export const TRAINING_LIMITS = { examples: 10_000, feedback: 10_000, datasets: 20, least: 10 } as const;

export const TrainingJobId = Type.String({ description: "The training job's id, `trn_…`." });
const VersionNumber = ordinal("A version of the agent, by its number.");

export const TrainingPair = Type.Object(
  {
    input: Type.Record(Type.String(), Type.Unknown(), { description: "An input of the skill." }),
    output: Type.Record(Type.String(), Type.Unknown(), { description: "The right output for it." }),
  },
  closed,
);
export type TrainingPair = Static<typeof TrainingPair>;

export const TrainingBudget = Type.Object(
  {
    prompt_tokens: Type.Optional(
      integerIn(100, 100_000, "How long the demonstrations may be together, in tokens. Default 2,000."),
    ),
    runs: Type.Optional(
      integerIn(2, 2_000, "How often the skill may be run to measure, before and after together. Default 60."),
    ),
    cost_usd: Type.Optional(Type.Number({ minimum: 0, description: "US dollars for these runs. Default 1." })),
  },
  {
    ...closed,
    description:
      "For a provider's model, whose runs cost money. The built-in model is trained and measured without any.",
  },
);

export const StartTrainingBody = Type.Object(
  {
    skill: textOf(64, "The skill that learns, by name."),
    version: Type.Optional(
      Type.Integer({
        ...VersionNumber,
        description: "The version to start from; else the one that is live here, else the newest.",
      }),
    ),
    examples: Type.Optional(
      Type.Array(TrainingPair, {
        minItems: 1,
        maxItems: TRAINING_LIMITS.examples,
        description: "Inputs with their right outputs.",
      }),
    ),
    dataset: Type.Optional(
      textOf(
        64,
        "A dataset of the skill, by id or name, as it stands now. What is learnt from it no longer tests the skill. See `datasets` for several.",
      ),
    ),
    datasets: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        minItems: 1,
        maxItems: TRAINING_LIMITS.datasets,
        uniqueItems: true,
        description: "Several datasets of the skill at once, by id or name, besides `dataset`.",
      }),
    ),
    earlier: Type.Optional(
      Type.Boolean({
        description:
          "Whether it learns again from the examples and datasets that earlier trainings of the version learnt from, in the environment of the key. Default: true for the built-in model, and false for a provider's, whose version has its demonstrations already. False forgets them, for later trainings too.",
      }),
    ),
    feedback: Type.Optional(
      Type.Boolean({
        description:
          "Whether it learns from corrections and accepted outputs of tasks in the environment of the key. For the built-in model the default is true: it keeps weights, and of outputs the names of classes and the range of numbers. For a provider's model it is false: what is chosen becomes, with inputs and outputs word for word, part of the version, which people of every environment read.",
      }),
    ),
    held_out: Type.Optional(
      Type.Number({
        minimum: 0.05,
        maximum: 0.5,
        description: "The share held out to measure. Default 0.2.",
      }),
    ),
    seed: Type.Optional(
      integerIn(
        0,
        4_294_967_295,
        "Decides which examples are held out. With the same seed the same ones are, so that versions compare fairly. Default 0.",
      ),
    ),
    budget: Type.Optional(TrainingBudget),
    note: Type.Optional(Type.String({ maxLength: 2000, description: "The candidate's change note." })),
  },
  closed,
);
export type StartTrainingBody = Static<typeof StartTrainingBody>;

export const TrainingField = Type.Object({
  field: Type.String({ description: "Its JSON Pointer in the output." }),
  kind: Type.Enum(["class", "boolean", "number"] as const, { description: "What it holds." }),
  n_train: Count("Examples learnt from that have it."),
  n_held_out: Count("Held-out examples that have it."),
  accuracy: Type.Optional(Type.Number({ description: "Share that was right." })),
  auc: Type.Optional(Type.Number({ description: "Area under the ROC curve, of two classes." })),
  brier: Type.Optional(Type.Number({ description: "Mean squared error of the stated probability." })),
  ece: Type.Optional(Type.Number({ description: "Expected calibration error of the stated probability, 10 bins." })),
  mean_absolute_error: Type.Optional(Type.Number({ description: "Of a number, in its own unit." })),
});

export const TrainingMetrics = Type.Object({
  n: Count("Held-out examples measured on both sides. Those without anything to compare do not count."),
  before: nullable(Type.Number(), "Mean score of the version it started from; null if nothing was measured."),
  after: nullable(Type.Number(), "Mean score of the candidate."),
  difference: nullable(Type.Number(), "After less before."),
  low: nullable(Type.Number(), "One-sided 95 % lower bound of the difference, paired by example."),
  high: nullable(Type.Number(), "One-sided 95 % upper bound."),
  verdict: Type.Enum(["better", "worse", "unclear"] as const, {
    description: "What the bounds say: above nothing, below it, or neither.",
  }),
  score: Type.String({ description: "What was measured of each example." }),
  ece: nullable(
    Type.Number(),
    "How far the candidate's stated probability is from what was right; null if it states none.",
  ),
  brier: nullable(Type.Number(), "Its mean squared error."),
  fields: Type.Array(TrainingField),
});
export type TrainingMetrics = Static<typeof TrainingMetrics>;

export const TrainingJob = Type.Object({
  job_id: TrainingJobId,
  agent: AgentName,
  skill: Type.String(),
  state: Type.Enum(["queued", "running", "completed", "failed", "cancelled"] as const, {
    description: "Where it stands.",
  }),
  phase: Type.String({ description: "What it is doing." }),
  progress: Type.Number({ minimum: 0, maximum: 1, description: "How far it is." }),
  method: Type.Enum(["model", "demonstrations"] as const, {
    description:
      "`model`: the built-in model learns; `demonstrations`: examples are chosen that a provider's model is shown.",
  }),
  base_version: VersionNumber,
  base_version_id: Type.String(),
  version: nullable(VersionNumber, "The candidate; null until there is one, and where nothing new came out."),
  version_id: nullable(Type.String(), "Its id."),
  seed: Type.Integer(),
  held_out: Type.Number(),
  examples: nullable(
    Type.Object({
      given: Count("That came with the request."),
      dataset: Count("Of the dataset."),
      feedback: Count("Of feedback on tasks."),
      earlier: Count("From earlier trainings of the version that it started from, if they still fit the skill."),
      definition: Count("That the skill has in its definition."),
      duplicates: Count("Left out, because a newer one has the same input."),
      used: Count("All together, each input once: the newest label counts."),
      train: Count("Learnt from."),
      held_out: Count("Held out."),
      not_intact: Type.Optional(
        Count(
          "Feedback that is left out because the results of the tasks were changed in the database (`result_not_intact`). Absent if there is none.",
        ),
      ),
    }),
    "Null until they are gathered.",
  ),
  demonstrations: nullable(
    Type.Object({ chosen: Count("How many."), prompt_tokens: Count("How long they are together, estimated.") }),
    "What a provider's model is shown; null for the built-in one.",
  ),
  metrics: nullable(TrainingMetrics, "Null until it was measured."),
  seconds: nullable(Type.Number(), "How long learning took."),
  cost_usd: Type.Number({ description: "What measuring cost." }),
  failure: nullable(Type.Object({ code: Type.String(), detail: Type.String() }), "Why it failed."),
  note: Type.String(),
  requested_by: Type.String(),
  created_at: Time,
  finished_at: nullable(Time, "When it ended."),
});
export type TrainingJob = Static<typeof TrainingJob>;

export const VersionTraining = Type.Object(
  {
    job_id: TrainingJobId,
    environment: Type.Enum(environments, { description: "Where the job ran, and where its examples are from." }),
    skill: TrainingJob.properties.skill,
    method: TrainingJob.properties.method,
    base_version: TrainingJob.properties.base_version,
    examples: TrainingJob.properties.examples,
    metrics: TrainingJob.properties.metrics,
  },
  { description: "What a version was trained from, and how it did on held-out examples before and after." },
);
export type VersionTraining = Static<typeof VersionTraining>;
