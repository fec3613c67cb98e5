import { type Static, Type } from "typebox";
import { Count, closed, nullable, Time } from "../../kernel/schema-words.ts";
import { ordinal } from "../../kernel/whole-numbers.ts";
import { AgentName } from "../agents/schemas.ts";
import { DatasetId, DatasetName, DatasetRef } from "./datasets-schemas.ts";
import { ScorerName } from "./scorers-schemas.ts";

// Shapes of gates and their decisions on the wire. A part of schemas.ts, which it does not import.

const Share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

/** What a gate lays down where nothing else is said, and how far it can go. */
export const GATE_LIMITS = { datasets: 20, scorers: 20, repeats: 50 } as const;
export const GATE_START = { tolerance: 0.05, floor: 0, repeats: 3, max_repeats: 12, lifetime_days: 30 } as const;

/** What follows from a state of the gate. */
export const GateConsequence = Type.Enum(["allow", "require_approval", "deny"] as const, {
  description:
    "`allow`: the call goes on, tagged where the gate is not open. `require_approval`: it waits for people. `deny`: it is 409 `evaluation_gate_failed`.",
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
    description: "What follows from each state in this environment, where it differs from the environment's own rule.",
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
      description: "A score from here on counts as passed; the scorer's own where left out.",
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
    description: "How often a run does each item before the first decision.",
  }),
  max_repeats: Type.Integer({
    minimum: 1,
    maximum: GATE_LIMITS.repeats,
    description: "While the decision is inconclusive, repeats are added up to so many of each item.",
  }),
  lifetime_days: Type.Integer({
    minimum: 1,
    maximum: 365,
    description:
      "How long a verdict holds from the end of the oldest run behind it, those of the deployed version included. Repeats that are added make a run no younger.",
  }),
};

export const SetGateBody = Type.Object(
  {
    datasets: Type.Array(GateDatasetRef, {
      minItems: 1,
      maxItems: GATE_LIMITS.datasets,
      uniqueItems: true,
      description:
        "Datasets of the agent; a verdict needs a finished run over each. The gate pins the latest version of one that is only named, or the version that is named with it.",
    }),
    scorers: Type.Array(GateScorerRule, {
      minItems: 1,
      maxItems: GATE_LIMITS.scorers,
      description:
        "Scorers that the outputs are judged by, each pinned in one version; each judges the items that say what it compares.",
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
        description: "Whatever is not open is refused. Stands alone: not with `on_missing` or `table`. Default: false.",
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

/** A gate as it stands. */
export const GateRules = Type.Object(
  {
    datasets: Type.Array(Type.Object({ dataset_id: DatasetId, name: DatasetName, ...pin }), {
      description: "Dataset versions that a verdict needs a run over.",
    }),
    scorers: Type.Array(Type.Object({ scorer: ScorerName, ...pin, ...scorerRule }), {
      description: "Scorer versions that the outputs are judged by.",
    }),
    newer_versions: Type.Boolean({
      description:
        "Whether a dataset or scorer has a newer version than the gate pins. It takes effect here when the gate is set again in this environment.",
    }),
    ...settings,
    fail_closed: Type.Boolean({ description: "Whatever is not open is refused." }),
    on_missing: nullable(
      GateConsequence,
      "What follows where there is no verdict, or none that still holds; null: the environment's own rule.",
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
  low: nullable(Type.Number(), "The truth lies above, with 95 %; null where a single cluster says nothing."),
  high: nullable(Type.Number(), "The truth lies below, with 95 %; null where a single cluster says nothing."),
  n: Count("Independent clusters."),
  smallest_detectable_drop: nullable(
    Type.Number(),
    "The smallest true shortfall that so many items find in 80 of 100 cases.",
  ),
};
const tested = {
  p_worse: Type.Number({
    ...probability,
    description: "Small where the version is worse than it must be; after Holm over the scorers.",
  }),
  p_holds: Type.Number({ ...probability, description: "Small where the version is as good as it must be." }),
};
const Estimate = Type.Object({ ...bounded, ...tested });

/** The figures of one scorer. */
export const ScorerResult = Type.Object({
  scorer: Type.String({ description: "The scorer, by name." }),
  items: Count("Items that it had something to say of."),
  repeats: Count("Repeats of the item that has the fewest."),
  floor: Type.Number({ description: "The least mean score that was asked for." }),
  score: Estimate,
  difference: nullable(
    Estimate,
    "This version less the other, over the items that both ran; null where there is nothing to compare with.",
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
      description: "The gate opens where every p-value for the version is at or below this.",
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
  verdict: Type.Enum(["open", "failed", "inconclusive"] as const, { description: "What followed from it." }),
});
const NextLook = Type.Object({
  look: Look,
  repeats: Count("Repeats of each item that it needs, over all runs of the version."),
  levels: Levels,
});

/** Why a verdict is what it is. */
export const GateDecision = Type.Object(
  {
    verdict: Type.Enum(["open", "failed", "inconclusive"] as const, { description: "What the gate says." }),
    reasons: Type.Array(GateReason, { description: "Why." }),
    look: Type.Integer({
      minimum: 1,
      description:
        "The newest look. All runs of a version over a dataset are one test; each further look at them must be surer than the ones before.",
    }),
    n: Count("Independent clusters of the scorer that has the fewest."),
    repeats: Count("Repeats of the item that has the fewest."),
    smallest_detectable_drop: nullable(Type.Number(), "The largest among the scorers."),
    items_to_settle: nullable(
      Type.Integer(),
      "So many independent items would settle it if they fall out as these did; null: no number would.",
    ),
    repeats_to_add: Count("Repeats that are still to be run."),
    looks: Type.Array(GateLook, {
      description: "What the gate has seen so far, look by look; the first that fails is final.",
    }),
    next: nullable(
      NextLook,
      "The look to come; null where the verdict is final, or all repeats agree so that only more items can tell.",
    ),
    scorers: Type.Array(ScorerResult, { description: "The figures of each scorer." }),
  },
  { description: "The verdict with its figures." },
);
export type GateDecision = Static<typeof GateDecision>;

/** How the gate stands to one version. */
export const GateOfVersion = Type.Object(
  {
    version: Type.Integer({ minimum: 1, description: "The version's number." }),
    version_id: Type.String({ description: "`ver_…`" }),
    deployed: Type.Boolean({ description: "Whether it is live in this environment." }),
    state: Type.Enum(["open", "failed", "inconclusive", "expired", "missing"] as const, {
      description: "The verdict, that it is out of date, or that there is none.",
    }),
    consequence: GateConsequence,
    reasons: Type.Array(Type.String(), { description: "Why, in sentences." }),
    runs: Type.Array(Type.String(), { description: "The runs that were judged, `run_…`." }),
    decision: nullable(GateDecision, "The figures; null where none were kept."),
    decided_at: nullable(Time, "When it was decided."),
    expires_at: nullable(Time, "Until when it holds."),
    compared_with: nullable(
      Type.Integer(),
      "The version that was live when it was decided, by its number; null: none was. To be deployed, a version needs an open verdict against the one that is live then.",
    ),
  },
  { description: "How the gate stands to one version." },
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
      "Null where none were set: then no version has a verdict, and the environment's own rule for missing evidence holds.",
    ),
    consequences: Type.Object(
      {
        open: GateConsequence,
        failed: GateConsequence,
        inconclusive: GateConsequence,
        expired: GateConsequence,
        missing: GateConsequence,
      },
      { description: "What follows from each state here, all settings taken together." },
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
  { description: "The gate, and which versions it judges by now instead of others." },
);
