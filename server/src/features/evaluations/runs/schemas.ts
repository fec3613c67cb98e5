import { type Static, Type } from "typebox";
import { pageSchema } from "../../../kernel/listing.ts";
import { Count, closed, nullable, Time } from "../../../kernel/schema-words.ts";
import { ordinal } from "../../../kernel/whole-numbers.ts";
import { AgentName } from "../../agents/schemas.ts";
import { DatasetId, DatasetName, DatasetRef, SkillName } from "../datasets/schemas.ts";
import { GateDecision, ScorerResult } from "../gates/schemas.ts";
import { ScorerName } from "../scorers/schemas.ts";

export const RUN_LIMITS = { scorers: 20, repeats: 50, items: 100_000 } as const;

export const RunId = Type.String({ description: "The run's id, `run_…`." });
export const RunState = Type.Enum(["queued", "running", "completed", "failed"] as const, {
  description:
    "`queued`: waits for a worker, also after a gate added repeats. `failed`: it could not run; that says nothing about the version.",
});
export type RunState = Static<typeof RunState>;
export const RunVerdict = Type.Enum(["open", "failed", "inconclusive"] as const, {
  description: "The gate's verdict.",
});

const VersionNumber = ordinal("The version of the set's agent that is measured.");

export const StartRunBody = Type.Object(
  {
    dataset: DatasetRef,
    dataset_version: Type.Optional(
      ordinal("Default: the present one. A run over an earlier one gets no verdict unless the gate pins it."),
    ),
    version: VersionNumber,
    scorers: Type.Optional(
      Type.Array(ScorerName, {
        minItems: 1,
        maxItems: RUN_LIMITS.scorers,
        uniqueItems: true,
        description: "Default: those of the agent's gate in this environment.",
      }),
    ),
    repeats: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: RUN_LIMITS.repeats,
        description: "How often each item is run. Default: that of the agent's gate if it names the dataset, else 1.",
      }),
    ),
    seed: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 2_147_483_647,
        description: "Repeat r of an item runs with seed + r, if the model takes a seed. Default: 1.",
      }),
    ),
    budget: Type.Optional(
      Type.Object(
        {
          items: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: RUN_LIMITS.items,
              description: "At most this many runs of items, repeats included.",
            }),
          ),
          usd: Type.Optional(
            Type.Number({
              minimum: 0,
              description: "No further item starts once this many US dollars are spent; those in progress finish.",
            }),
          ),
        },
        {
          ...closed,
          description: "Limits at which it ends early, with what it has. A partial run gets no verdict.",
        },
      ),
    ),
    note: Type.Optional(Type.String({ maxLength: 2000, description: "Why, for people." })),
  },
  closed,
);
export type StartRunBody = Static<typeof StartRunBody>;

const Failure = Type.Object({
  code: Type.String({ description: "Why, as a code." }),
  detail: Type.String({ description: "Why, in a sentence." }),
});
const Usage = Type.Object({
  steps: Count("Model and tool calls."),
  tokens: Count("Tokens in and out of models."),
  cost_usd: Type.Number({ minimum: 0, description: "US dollars." }),
});

export const EvaluationRun = Type.Object(
  {
    run_id: RunId,
    agent: AgentName,
    skill: SkillName,
    version: VersionNumber,
    version_id: Type.String({ description: "`ver_…`" }),
    dataset_id: DatasetId,
    dataset: DatasetName,
    dataset_version: Type.Integer({ minimum: 1, description: "The dataset version whose items are run." }),
    scorers: Type.Array(
      Type.Object({
        scorer: ScorerName,
        version: Type.Integer({ minimum: 1, description: "As it was when the run was started." }),
      }),
      { description: "Scorers of the run, in the versions that it uses." },
    ),
    repeats: Type.Integer({
      minimum: 1,
      description: "How often each item is run; a gate adds to it while it cannot decide.",
    }),
    seed: Count("Repeat r of an item is run with seed + r."),
    budget: Type.Object({
      items: nullable(Type.Integer(), "Runs of items at most; null: no limit."),
      usd: nullable(Type.Number(), "US dollars; null: no limit."),
    }),
    state: RunState,
    progress: Type.Object(
      {
        done: Count("Runs of items that have ended."),
        failed: Count("Those without output."),
        total: Count("Runs of items in all."),
      },
      { description: "How far it is." },
    ),
    usage: Usage,
    stopped_by: nullable(Type.Enum(["items", "usd"] as const), "The budget that ended it early; null: none did."),
    verdict: nullable(
      RunVerdict,
      "The verdict of the agent's gate; null if no gate names its dataset, the gate asks for more repeats, the gate pins another version, or it has not decided yet.",
    ),
    waits_for: nullable(RunId, "The run of the deployed version to compare with, while that is in progress."),
    failure: nullable(Failure, "Why it could not run; for a completed run, why added repeats could not."),
    note: Type.String({ description: "Why, in the words of who started it." }),
    requested_by: Type.String({ description: "Who started it, by id." }),
    created_at: Time,
    started_at: nullable(Time, "When a worker first claimed it."),
    finished_at: nullable(Time, "When it ended."),
  },
  { description: "A dataset run against a version." },
);
export type EvaluationRun = Static<typeof EvaluationRun>;

const Scores = Type.Record(Type.String(), Type.Number(), {
  description: "By scorer, from 0 to 1; scorers that do not apply are absent.",
});

export const ItemRepeat = Type.Object({
  repeat: Count("From 0."),
  scores: Scores,
  output: nullable(Type.Record(Type.String(), Type.Unknown()), "The skill's output; null if it failed."),
  failure: nullable(Failure, "Why it gave no output; every score is 0 then."),
  ...Usage.properties,
  ms: Type.Number({ minimum: 0, description: "Milliseconds." }),
});

export const ItemResult = Type.Object(
  {
    item: Type.String({ description: "The item's name in its dataset." }),
    input: Type.Record(Type.String(), Type.Unknown(), { description: "The input." }),
    expected: Type.Record(Type.String(), Type.Unknown(), { description: "The expected output." }),
    must_pass: Type.Boolean({ description: "Whether the gate fails without it." }),
    scores: Type.Record(Type.String(), Type.Number(), { description: "Mean over the repeats, by scorer." }),
    repeats: Type.Array(ItemRepeat, { description: "The result of each repeat." }),
  },
  { description: "The results of one item." },
);
export type ItemResult = Static<typeof ItemResult>;

export const Regression = Type.Object({
  item: Type.String({ description: "The item's name in its dataset." }),
  scorer: Type.String({ description: "The scorer, by name." }),
  before: Type.Number({ description: "Mean score in the run compared with." }),
  after: Type.Number({ description: "Mean score in this run." }),
  confidence: Type.Number({
    minimum: 0,
    maximum: 1,
    description: "The probability that the item really got worse, rather than by chance; more repeats make it surer.",
  }),
});
export type Regression = Static<typeof Regression>;

export const ScorerComparison = Type.Object({
  scorer: Type.String({ description: "The scorer, by name." }),
  outcome: Type.Enum(["worse", "not_worse", "unclear"] as const, {
    description:
      "`worse`: it fell, with 95 %. `not_worse`: it did not fall by more than the tolerance, with 95 %. `unclear`: the items cannot tell.",
  }),
  items: Count("Items that both ran and that the scorer scored."),
  n: Count("Independent clusters among them."),
  before: Type.Number({ description: "Mean score in the run compared with." }),
  after: Type.Number({ description: "Mean score in this run." }),
  difference: Type.Number({ description: "After less before." }),
  low: nullable(Type.Number(), "Lower 95 % bound of the difference; null for a single cluster."),
  high: nullable(Type.Number(), "Upper 95 % bound of the difference; null for a single cluster."),
  p_worse: Type.Number({ minimum: 0, maximum: 1, description: "Small if it got worse." }),
});

export const RunComparison = Type.Object(
  {
    run_id: RunId,
    version: Type.Integer({ minimum: 1, description: "The version that it measured." }),
    tolerance: Type.Number({ description: "The drop that counts as harmless: the gate's, or 0.05." }),
    scorers: Type.Array(ScorerComparison, { description: "The paired comparison by each scorer of this run." }),
    regressions: Type.Array(Regression, { description: "Items that got worse, the surest first; at most 100." }),
    regressed: Count("All items that got worse by some scorer."),
  },
  { description: "This run against another one of the same dataset, item by item." },
);
export type RunComparison = Static<typeof RunComparison>;

export const EvaluationRunReport = Type.Object(
  {
    ...EvaluationRun.properties,
    figures: Type.Array(ScorerResult, { description: "The figures of each scorer over the results so far." }),
    decision: nullable(
      GateDecision,
      "The gate's decision over this run and those of its other datasets; null without one.",
    ),
    comparison: nullable(RunComparison, "With `compare_to`; else null."),
    items: pageSchema(ItemResult),
  },
  { description: "A run with its figures and a page of its items." },
);
export type EvaluationRunReport = Static<typeof EvaluationRunReport>;
