import { type Static, type TSchema, Type } from "typebox";
import { channels } from "../../kernel/trust/index.ts";
import { AgentName } from "./definition.ts";

// Shapes of trust on the wire. A part of schemas.ts, which it does not import.

const Time = Type.String({ format: "date-time" });
const nullable = <T extends TSchema>(type: T, description: string) => Type.Union([type, Type.Null()], { description });
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
const Channel = Type.Enum(channels, { description: "Where evidence comes from." });

/** A summand of the log-odds. */
const TrustPart = Type.Object({
  kind: Type.Enum(["base", "channel", "feature"] as const, {
    description: "The base rate, a channel of evidence, or what is known of one task.",
  }),
  name: Type.String(),
  value: Type.Number({ description: "Log-odds; all parts together are those of the score before calibration." }),
});

const ChannelEvidence = Type.Object({
  channel: Channel,
  items: Type.Integer({ description: "How many outcomes were observed, on this version and on those whose evidence counts for it." }),
  successes: Type.Number({ description: "What they count as successes, after age, change and quality." }),
  failures: Type.Number({ description: "What they count as failures." }),
  weight: Type.Number({ description: "What one of these counts in the score." }),
  cap: Type.Number({ description: "The most that the channel counts." }),
});

const InheritedEvidence = Type.Object({
  version: nullable(Type.Integer(), "Its number."),
  version_id: Type.String(),
  change: Type.Enum(["none", "prompt_or_tool", "model"] as const, { description: "What lies between it and the version that is shown." }),
  counts: Type.Number({ description: "What an item that was won on it counts: 1, less after a change." }),
  items: Type.Integer(),
});

/** One thing that would raise a score. */
const TrustRaise = Type.Object({
  kind: Type.Enum(["evidence", "feature"] as const, { description: "More evidence, or something about the task itself." }),
  name: Type.String({ description: "The channel or the feature." }),
  items: nullable(Type.Integer(), "So many further successes are supposed; null for a feature."),
  score: Score,
  low: Type.Number(),
  gain: Type.Number({ description: "By how much the score would rise." }),
  detail: Type.String({ description: "The same in words." }),
});

const SkillTrust = Type.Object({
  skill: Type.String(),
  ...interval,
  parts: Type.Array(TrustPart),
  digest: Type.String({ description: "SHA-256 of the inputs, by which the score can be computed again." }),
  evidence: Type.Array(ChannelEvidence),
  from_versions: Type.Array(InheritedEvidence, {
    description: "Versions with evidence that counts, newest first; the version itself is one.",
  }),
  raise: Type.Array(TrustRaise, { description: "What would raise it, greatest gain first." }),
});

const TrustDay = Type.Object({
  date: Type.String({ format: "date", description: "A day of UTC." }),
  ...interval,
  items: Type.Integer({ description: "Outcomes observed on that day." }),
});

/** How well scores say what happens. */
export const TrustReliability = Type.Object(
  {
    n: Type.Integer({ description: "Tasks whose outcome people judged in the last 90 days." }),
    ece: nullable(Type.Number(), "Expected calibration error: the mean distance between what was said and what happened, over the bins."),
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
  { description: "The reliability curve: scores that tasks ended with, held against what people said of their outcomes." },
);

/** The map from log-odds to the published score. */
export const TrustCalibration = Type.Object(
  {
    a: Type.Number({ description: "Slope." }),
    b: Type.Number({ description: "Shift." }),
    adopted: Type.Boolean({ description: "False: scores are published as they are computed." }),
    labels: Type.Integer({ description: "Outcomes judged by people that it was last judged by." }),
    labels_needed: Type.Integer({ description: "Fewer change nothing." }),
    reason: Type.String(),
    fitted_at: nullable(Time, "When it was last judged; null: never."),
  },
  { description: "score = 1 / (1 + e^−(a·z + b)), z being the sum of the parts. Learnt from labels where they show that it helps." },
);

/** Why an agent's trust score is what it is. */
export const AgentTrust = Type.Object({
  agent: AgentName,
  version: Type.Integer({ description: "The version that is scored." }),
  version_id: Type.String(),
  live: Type.Boolean({ description: "Whether it is what takes work in the environment of the key." }),
  ...interval,
  formula: Type.String({ description: "The set of numbers that the formula uses." }),
  as_of: Time,
  skills: Type.Array(SkillTrust),
  history: Type.Array(TrustDay, { description: "The score at the end of each day, by the present formula and calibration, oldest first." }),
  reliability: TrustReliability,
  calibration: TrustCalibration,
});
export type AgentTrust = Static<typeof AgentTrust>;
