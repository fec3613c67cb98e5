import { type Static, Type } from "typebox";
import { Count, closed, nullable, Time } from "../../../kernel/schema-words.ts";
import { ordinal } from "../../../kernel/whole-numbers.ts";
import { AgentName } from "../../agents/schemas.ts";
import { DatasetId, DatasetName, DatasetRef } from "../datasets/schemas.ts";
import { ScorerName } from "../scorers/schemas.ts";

const Share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

/** Defaults and limits of a gate. */
export const GATE_LIMITS = { datasets: 20, scorers: 20, repeats: 50 } as const;
export const GATE_START = { tolerance: 0.05, floor: 0, repeats: 3, max_repeats: 12, lifetime_days: 30 } as const;

export const GateConsequence = Type.Enum(["allow", "require_approval", "deny"] as const, {
  description:
    "`allow`: the call proceeds, tagged if the gate is not open. `require_approval`: it waits for approval. `deny`: it is refused with 409 `evaluation_gate_failed`.",
});
export type GateConsequence = Static<typeof GateConsequence>;

export const GateTable = Type.Object(
  {
    failed: Type.Optional(GateConsequence),
    inconclusive: Type.Optional(GateConsequence),
    expired: Type.Optional(GateConsequence),
    missing: Type.Optional(GateConsequence),
  },
  {
    ...closed,
    description: "The consequence of each state, where it differs from the environment's rule.",
  },
);
export type GateTable = Static<typeof GateTable>;

const floor = Share("Least mean score that is accepted.");
const Version = ordinal;
const scorerRule = {
  floor: Type.Optional(Share("Least mean score by this scorer; the gate's own where left out.")),
  pass_at: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 1,
      description: "The least score that passes; default: the scorer's.",
    }),
  ),
};
export const GateScorerRule = Type.Object(
  {
    scorer: ScorerName,
    version: Type.Optional(Version("The version to pin; the latest where left out.")),
    ...scorerRule,
  },
  closed,
);
const GateDatasetRef = Type.Union([
  DatasetRef,
  Type.Object({ dataset: DatasetRef, version: Version("The version to pin.") }, closed),
]);

const settings = {
  floor,
  tolerance: Share("The largest drop against the deployed version that is accepted."),
  repeats: Type.Integer({
    minimum: 1,
    maximum: GATE_LIMITS.repeats,
    description: "How often a run repeats each item before the first decision.",
  }),
  max_repeats: Type.Integer({
    minimum: 1,
    maximum: GATE_LIMITS.repeats,
    description: "While the decision is inconclusive, repeats are added up to this number for each item.",
  }),
  lifetime_days: Type.Integer({
    minimum: 1,
    maximum: 365,
    description:
      "How long a verdict holds from the end of the oldest run behind it, those of the deployed version included. Added repeats do not renew a run.",
  }),
};

export const SetGateBody = Type.Object(
  {
    datasets: Type.Array(GateDatasetRef, {
      minItems: 1,
      maxItems: GATE_LIMITS.datasets,
      uniqueItems: true,
      description:
        "Datasets of the agent; a verdict needs a finished run over each. The gate pins the named version, or the latest if only the dataset is named.",
    }),
    scorers: Type.Array(GateScorerRule, {
      minItems: 1,
      maxItems: GATE_LIMITS.scorers,
      description:
        "Scorers for the outputs, each pinned to one version; each scores the items whose `expected` has what it compares.",
    }),
    floor: Type.Optional(settings.floor),
    tolerance: Type.Optional(settings.tolerance),
    repeats: Type.Optional(settings.repeats),
    max_repeats: Type.Optional(settings.max_repeats),
    lifetime_days: Type.Optional(settings.lifetime_days),
    on_missing: Type.Optional(GateConsequence),
    table: Type.Optional(GateTable),
    fail_closed: Type.Optional(
      Type.Boolean({
        description: "Whatever is not open is refused. Not with `on_missing` or `table`. Default: false.",
      }),
    ),
  },
  closed,
);
export type SetGateBody = Static<typeof SetGateBody>;

const pin = {
  version: Version("The version that the gate judges by."),
  latest_version: Version("The latest version that exists, in whichever environment it was made."),
};

export const GateRules = Type.Object(
  {
    datasets: Type.Array(Type.Object({ dataset_id: DatasetId, name: DatasetName, ...pin }), {
      description: "Dataset versions that a verdict needs a run over.",
    }),
    scorers: Type.Array(Type.Object({ scorer: ScorerName, ...pin, ...scorerRule }), {
      description: "Scorer versions for the outputs.",
    }),
    newer_versions: Type.Boolean({
      description:
        "Whether a dataset or scorer has a newer version than the gate pins. It takes effect here when the gate is set again in this environment.",
    }),
    ...settings,
    fail_closed: Type.Boolean({ description: "Whatever is not open is refused." }),
    on_missing: nullable(
      GateConsequence,
      "The consequence of a missing or expired verdict; null: the environment's rule.",
    ),
    table: GateTable,
    updated_by: Type.String({ description: "Who set it, by id." }),
    updated_at: Time,
  },
  { description: "What a version has to show before it may act here." },
);
export type GateRules = Static<typeof GateRules>;

const probability = { minimum: 0, maximum: 1 };
const bounded = {
  mean: Type.Number({ description: "Mean over the items." }),
  standard_error: Type.Number({ description: "Its standard error, robust to clusters." }),
  low: nullable(Type.Number(), "Lower 95 % bound; null for a single cluster."),
  high: nullable(Type.Number(), "Upper 95 % bound; null for a single cluster."),
  n: Count("Independent clusters."),
  smallest_detectable_drop: nullable(
    Type.Number(),
    "The smallest true drop that so many items detect with 80 % power.",
  ),
};
const tested = {
  p_worse: Type.Number({
    ...probability,
    description: "Small if the version is worse than required; corrected over the scorers (Holm).",
  }),
  p_holds: Type.Number({ ...probability, description: "Small if the version is as good as required." }),
};
const Estimate = Type.Object({ ...bounded, ...tested });

export const ScorerResult = Type.Object({
  scorer: Type.String({ description: "The scorer, by name." }),
  items: Count("Items that it scored."),
  repeats: Count("Repeats of the item that has the fewest."),
  floor: Type.Number({ description: "The least mean score required." }),
  score: Estimate,
  difference: nullable(
    Estimate,
    "This version minus the other, over the items that both ran; null without a comparison.",
  ),
  failures: Type.Object({
    items: Count("Items that failed in any repeat."),
    share_at_most: Share("The share of failing items is at most so large, with 95 %: 3/n where none did."),
  }),
});

export const GateReason = Type.Object({
  code: Type.String({ description: "Such as `below_floor`." }),
  scorer: nullable(Type.String(), "The scorer that it is about."),
  item: nullable(Type.String(), "The item that it is about."),
  text: Type.String({ description: "The reason in a sentence, with its figures." }),
});

const Levels = Type.Object(
  {
    fail: Type.Number({ ...probability, description: "A p-value against the version fails it at or below this." }),
    open: Type.Number({
      ...probability,
      description: "The gate opens if every p-value for the version is at or below this.",
    }),
  },
  { description: "How sure a look must be." },
);
const Look = Type.Integer({ minimum: 1, description: "Which look it is, from 1." });
const GateLook = Type.Object({
  look: Look,
  repeats: Count("Repeats of each item that it saw."),
  levels: Levels,
  p_worse: Type.Number({ ...probability, description: "The smallest p-value against the version." }),
  p_holds: Type.Number({ ...probability, description: "The largest p-value for the version." }),
  verdict: Type.Enum(["open", "failed", "inconclusive"] as const, { description: "Its result." }),
});
const NextLook = Type.Object({
  look: Look,
  repeats: Count("Repeats of each item that it needs, over all runs of the version."),
  levels: Levels,
});

export const GateDecision = Type.Object(
  {
    verdict: Type.Enum(["open", "failed", "inconclusive"] as const, { description: "What the gate says." }),
    reasons: Type.Array(GateReason, { description: "Why." }),
    look: Type.Integer({
      minimum: 1,
      description:
        "The newest look. All runs of a version over a dataset are one sequential test; each further look must be surer than the ones before.",
    }),
    n: Count("Independent clusters of the scorer that has the fewest."),
    repeats: Count("Repeats of the item that has the fewest."),
    smallest_detectable_drop: nullable(Type.Number(), "The largest among the scorers."),
    items_to_settle: nullable(
      Type.Integer(),
      "Independent items that would settle it if they score like these; null: no number would.",
    ),
    repeats_to_add: Count("Repeats that are still to be run."),
    looks: Type.Array(GateLook, {
      description: "The looks so far; the first failing one is final.",
    }),
    next: nullable(
      NextLook,
      "The next look; null if the verdict is final, or all repeats agree so that only more items can decide.",
    ),
    scorers: Type.Array(ScorerResult, { description: "The figures of each scorer." }),
  },
  { description: "The verdict with its figures." },
);
export type GateDecision = Static<typeof GateDecision>;

export const GateOfVersion = Type.Object(
  {
    version: Type.Integer({ minimum: 1, description: "The version's number." }),
    version_id: Type.String({ description: "`ver_…`" }),
    deployed: Type.Boolean({ description: "Whether it is live in this environment." }),
    state: Type.Enum(["open", "failed", "inconclusive", "expired", "missing"] as const, {
      description: "The verdict, or that it is expired or missing.",
    }),
    consequence: GateConsequence,
    reasons: Type.Array(Type.String(), { description: "Why, in sentences." }),
    runs: Type.Array(Type.String(), { description: "The runs that were judged, `run_…`." }),
    decision: nullable(GateDecision, "The figures; null where none were kept."),
    decided_at: nullable(Time, "When it was decided."),
    expires_at: nullable(Time, "Until when it holds."),
    compared_with: nullable(
      Type.Integer(),
      "The number of the version that was live at the decision; null if none was. To be deployed, a version needs an open verdict against the live one.",
    ),
  },
  { description: "The gate's verdict on one version." },
);
export type GateOfVersion = Static<typeof GateOfVersion>;

export const Gate = Type.Object(
  {
    agent: AgentName,
    environment: Type.Enum(["development", "staging", "production"] as const, {
      description: "The environment of the key.",
    }),
    revision: Type.Integer({
      minimum: 0,
      description: "0 where none was set yet; a change names it in If-Match by its ETag.",
    }),
    rules: nullable(
      GateRules,
      "Null without a gate: no version has a verdict, and the environment's rule for missing evidence applies.",
    ),
    consequences: Type.Object(
      {
        open: GateConsequence,
        failed: GateConsequence,
        inconclusive: GateConsequence,
        expired: GateConsequence,
        missing: GateConsequence,
      },
      { description: "The effective consequence of each state." },
    ),
    versions: Type.Array(GateOfVersion, { description: "The version that is live here, and the newest 25." }),
  },
  { description: "The evaluation gate of an agent in the environment of the key." },
);
export type Gate = Static<typeof Gate>;

export const PinChange = Type.Object({
  kind: Type.Enum(["dataset", "scorer"] as const, { description: "What is pinned." }),
  name: Type.String({ description: "Its name." }),
  from: nullable(Type.Integer(), "The version that was pinned before; null: the gate did not use it."),
  to: nullable(Type.Integer(), "The version that is pinned now; null: the gate no longer uses it."),
});
export type PinChange = Static<typeof PinChange>;

export const SetGateResult = Type.Object(
  {
    ...Gate.properties,
    pins_changed: Type.Array(PinChange, {
      description: "Datasets and scorers whose pinned version this call changed.",
    }),
  },
  { description: "The gate, and which pinned versions changed." },
);
