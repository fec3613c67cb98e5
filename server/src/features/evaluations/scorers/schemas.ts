import { type Static, Type } from "typebox";
import { byKind } from "../../../kernel/by-kind.ts";
import { closed, Time } from "../../../kernel/schema-words.ts";

const Text = Type.String({ minLength: 1, maxLength: 1000 });

export const scorerNamePattern = "^[a-z][a-z0-9_-]{0,63}$";
export const ScorerName = Type.String({
  pattern: scorerNamePattern,
  description: "A name of lowercase letters, digits, `_` and `-`.",
});
export const ScorerKind = Type.Enum(["exact", "json_match", "numeric_tolerance", "contains"] as const, {
  description:
    "`exact`: 1 where the value is the expected one. `json_match`: the share of expected values that the output has at the same places. " +
    "`numeric_tolerance`: 1 where the number is near enough. `contains`: the share of expected texts that the output's text contains.",
});
export type ScorerKind = Static<typeof ScorerKind>;

const Pointer = Type.String({
  maxLength: 500,
  pattern: "^(?:/(?:[^~/]|~[01])*)*$",
  description: "What is compared in output and `expected`, as a JSON Pointer (RFC 6901). Default: the whole.",
});

/** Each kind takes its own parameters only. */
export const ScorerParameters = Type.Object(
  {
    case_sensitive: Type.Optional(
      Type.Boolean({
        description: "Of `exact` (default true) and `contains` (default false): whether capital letters matter.",
      }),
    ),
    trim: Type.Optional(
      Type.Boolean({ description: "Of `exact`: white space at the ends of texts does not matter. Default: false." }),
    ),
    ignore: Type.Optional(
      Type.Array(Pointer, {
        maxItems: 100,
        description: "Of `json_match`: places below the compared one to ignore.",
      }),
    ),
    all_or_nothing: Type.Optional(
      Type.Boolean({ description: "Of `json_match`: 1 where all is as expected, else 0. Default: false." }),
    ),
    absolute: Type.Optional(
      Type.Number({ minimum: 0, description: "Of `numeric_tolerance`: the largest accepted difference." }),
    ),
    relative: Type.Optional(
      Type.Number({
        minimum: 0,
        description: "Of `numeric_tolerance`: the largest accepted difference, as a share of the expected number.",
      }),
    ),
    values: Type.Optional(
      Type.Array(Text, {
        minItems: 1,
        maxItems: 100,
        description: "Of `contains`: the texts, in place of each item's `expected`.",
      }),
    ),
    any: Type.Optional(Type.Boolean({ description: "Of `contains`: one of the texts is enough. Default: false." })),
    absent: Type.Optional(
      Type.Array(Text, {
        minItems: 1,
        maxItems: 100,
        description: "Of `contains`: forbidden texts; any of them makes the score 0.",
      }),
    ),
  },
  closed,
);
export type ScorerParameters = Static<typeof ScorerParameters>;

/** Tested when the scorer is saved. */
export const ScorerSample = Type.Object(
  {
    output: Type.Record(Type.String(), Type.Unknown(), { description: "An output as the skill might give it." }),
    expected: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: "As in an item." })),
    score: Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], {
      description: "The expected score; null if `expected` lacks the place.",
    }),
  },
  closed,
);
export type ScorerSample = Static<typeof ScorerSample>;

const PassAt = Type.Number({
  exclusiveMinimum: 0,
  maximum: 1,
  description: "The least score that passes. Default: 1.",
});

const { case_sensitive, trim, ignore, all_or_nothing, absolute, relative, values, any, absent } =
  ScorerParameters.properties;
const Samples = Type.Array(ScorerSample, {
  minItems: 1,
  maxItems: 50,
  description: "Samples that it must score as expected to be saved.",
});
const common = {
  pointer: Type.Optional(Pointer),
  pass_at: Type.Optional(PassAt),
  description: Type.Optional(Type.String({ maxLength: 2000, description: "What it compares, in words." })),
  samples: Samples,
};
export const SetExactScorer = Type.Object(
  { kind: Type.Literal("exact"), parameters: Type.Optional(Type.Object({ case_sensitive, trim }, closed)), ...common },
  closed,
);
export const SetJsonMatchScorer = Type.Object(
  {
    kind: Type.Literal("json_match"),
    parameters: Type.Optional(Type.Object({ ignore, all_or_nothing }, closed)),
    ...common,
  },
  closed,
);
export const SetNumericScorer = Type.Object(
  {
    kind: Type.Literal("numeric_tolerance"),
    parameters: Type.Object(
      { absolute, relative },
      { ...closed, minProperties: 1, description: "`absolute`, `relative` or both." },
    ),
    ...common,
  },
  closed,
);
export const SetContainsScorer = Type.Object(
  {
    kind: Type.Literal("contains"),
    parameters: Type.Optional(Type.Object({ case_sensitive, values, any, absent }, closed)),
    ...common,
  },
  closed,
);
const scorersByKind = {
  exact: "SetExactScorer",
  json_match: "SetJsonMatchScorer",
  numeric_tolerance: "SetNumericScorer",
  contains: "SetContainsScorer",
};

export const SetScorerBody = Type.Object(
  {
    kind: ScorerKind,
    pointer: Type.Optional(Pointer),
    parameters: Type.Optional(ScorerParameters),
    pass_at: Type.Optional(PassAt),
    description: Type.Optional(Type.String({ maxLength: 2000, description: "What it compares, in words." })),
    samples: Samples,
  },
  {
    ...closed,
    ...byKind("kind", scorersByKind, [SetExactScorer, SetJsonMatchScorer, SetNumericScorer, SetContainsScorer]),
  },
);
export type SetScorerBody = Static<typeof SetScorerBody>;

export const Scorer = Type.Object(
  {
    scorer: ScorerName,
    version: Type.Integer({ minimum: 1, description: "Each change makes the next one." }),
    kind: ScorerKind,
    pointer: Type.String({ description: "What is compared, as a JSON Pointer; empty: the whole." }),
    parameters: ScorerParameters,
    pass_at: Type.Number({ description: "The least score that passes." }),
    description: Type.String({ description: "What it compares, in words." }),
    samples: Type.Array(ScorerSample, { description: "Samples that it was tested with when it was saved." }),
    created_by: Type.String({ description: "Who made this version, by id." }),
    created_at: Time,
  },
  { description: "How an output is compared with what was expected: a score from 0 to 1." },
);
export type Scorer = Static<typeof Scorer>;
