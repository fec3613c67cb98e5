import { type Static, Type } from "typebox";
import { nullable, Time } from "../../../kernel/schema-words.ts";
import { bases, features } from "../../../kernel/trust/index.ts";
import { AgentName } from "../definitions/schemas.ts";

const Score = Type.Number({
  exclusiveMinimum: 0,
  exclusiveMaximum: 1,
  description: "The probability that a reviewer would accept an outcome.",
});
const interval = {
  score: Score,
  low: Type.Number({ description: "10 % quantile." }),
  high: Type.Number({ description: "90 % quantile." }),
};
const Basis = Type.Enum(bases, {
  description:
    "What scores start from. `trained`: the calibrated probability of the built-in model; `told`: the probability that a provider's model states; `none`: no probability, only labels.",
});

const TrustPart = Type.Object({
  kind: Type.Enum(["base", "drift", "probability", "feature"] as const, {
    description:
      "The level b, what the weeks moved it by, a times the logit of the model's probability, or a signal of the case.",
  }),
  name: Type.String(),
  value: Type.Number({ description: "Log-odds z; score = 1 / (1 + e^−z) of the sum of all parts." }),
});

const Case = Type.Object(
  {
    probability: Type.Optional(Type.Number()),
    probability_source: Type.Optional(Type.Enum(["trained", "told"] as const)),
    ...Object.fromEntries(features.map((feature) => [feature, Type.Optional(Type.Number())])),
  },
  { description: "What is known of a case, each from 0 to 1." },
);

const Labels = Type.Object(
  {
    evaluation: Type.Integer({ description: "Items of evaluations and held-out examples." }),
    random: Type.Integer({ description: "Tasks that were drawn at random for review." }),
    volunteered: Type.Integer({
      description: "Tasks that somebody chose to judge, decisions on calls, and failed runs.",
    }),
  },
  { description: "Judged cases by how they came about; each counts once." },
);

const TrustFitted = Type.Object({
  digest: Type.String(),
  version: Type.String({ description: "The rule and its priors." }),
  basis: Basis,
  b: Type.Number({ description: "Level." }),
  drift: Type.Number({ description: "How far the weeks since the evaluations moved the level." }),
  a: nullable(Type.Number(), "Slope of the logit of the probability; null where there is none."),
  theta: Type.Record(Type.String(), Type.Number(), { description: "Weight of each signal; never above 0." }),
  c: Type.Number({
    description:
      "Log-odds by which volunteered labels differ from what a random draw would find. No part of any score.",
  }),
  novelty_from: Type.Number({ description: "Novelty counts from here on." }),
  covariance: Type.Array(Type.Array(Type.Number()), {
    description: `Of b + drift, a, ${features.join(", ")}, c (Laplace approximation of the posterior).`,
  }),
  as_of: nullable(Type.Integer(), "The newest judged case, in milliseconds since the epoch."),
  live: Type.Boolean({ description: "Whether live tasks were judged." }),
  typical: Case,
  labels: Labels,
  judged_share: Type.Number({ description: "Share of live tasks that were judged, up to the newest label." }),
  records_digest: Type.String({ description: "SHA-256 of the judged cases, terms and configuration." }),
});

const TrustRaise = Type.Object({
  kind: Type.Enum(["judged", "feature"] as const, { description: "More judged outcomes, or a signal of the cases." }),
  name: Type.String(),
  items: nullable(Type.Integer(), "So many further accepted outcomes are supposed; null for a signal."),
  score: Score,
  low: Type.Number(),
  gain: Type.Number({ description: "By how much the score would rise; 0 where only the lower end does." }),
  detail: Type.String({ description: "The same in words." }),
});

const SkillTrust = Type.Object({
  skill: Type.String(),
  ...interval,
  basis: Basis,
  parts: Type.Array(TrustPart, { description: "Signals that the typical case does not show are left out." }),
  case: Case,
  digest: Type.String({ description: "SHA-256 of the inputs, by which the score can be computed again." }),
  labels: Labels,
  random_share: nullable(
    Type.Number(),
    "Share of random reviews among the labels of live tasks; null: none was judged.",
  ),
  judged_share: Type.Number({ description: "Share of live tasks that were judged, up to the newest label." }),
  improvements: Type.Array(TrustRaise, { description: "What would raise it, greatest gain first." }),
  limits: Type.Array(Type.String(), { description: "What this score cannot show, in words." }),
  fits: Type.Array(TrustFitted, {
    description: "The maps of this version's skill; more than one if only some cases have a probability.",
  }),
});

const TrustDay = Type.Object({
  date: Type.String({ format: "date", description: "A day of UTC." }),
  ...interval,
  labels: Type.Integer({ description: "Judged cases behind it." }),
});

export const TrustReliability = Type.Object(
  {
    n: Type.Integer({ description: "Judged cases that the curve is made of." }),
    of: Type.Enum(["unchosen", "all"] as const, {
      description:
        "`unchosen`: evaluations and random reviews, where there are 30 at least. `all`: also volunteered labels, against which scores look too high, since people judge what looks wrong.",
    }),
    random_share: nullable(
      Type.Number(),
      "Share of random reviews among the labels of live tasks; null: none was judged.",
    ),
    ece: nullable(
      Type.Number(),
      "Expected calibration error: the mean distance between what was said and what happened, over the bins.",
    ),
    brier: nullable(Type.Number(), "Mean squared error of the scores."),
    bins: Type.Array(
      Type.Object({
        from: Type.Number(),
        to: Type.Number(),
        n: Type.Integer(),
        mean_score: nullable(Type.Number(), "What was said."),
        mean_outcome: nullable(Type.Number(), "What happened."),
        low: nullable(Type.Number(), "10 % quantile of the share that is accepted."),
        high: nullable(Type.Number(), "90 % quantile of it."),
      }),
    ),
  },
  {
    description:
      "Scores held against labels that they were made without (cross-fitted in five parts), over all versions of the agent's skills.",
  },
);

export const AgentTrust = Type.Object({
  agent: AgentName,
  version: Type.Integer({ description: "The version that is scored." }),
  version_id: Type.String(),
  live: Type.Boolean({ description: "Whether it is live in the environment of the key." }),
  ...interval,
  formula: Type.String({ description: "The rule and its priors." }),
  as_of: Time,
  skills: Type.Array(SkillTrust),
  history: Type.Array(TrustDay, { description: "The score at the end of each day, as it was then, oldest first." }),
  reliability: TrustReliability,
});
export type AgentTrust = Static<typeof AgentTrust>;
