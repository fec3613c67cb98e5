import { type Static, Type } from "typebox";
import { closed, nullable, Time } from "../../../kernel/schema-words.ts";
import { Figure, Grain, Names, TimeZone, windowHead } from "../figures/window-schemas.ts";
import { measureNames, mostLabels } from "../rollups/measures.ts";

const Dimension = Type.String({
  minLength: 1,
  maxLength: 200,
  description: "A dimension of all measures that are asked for; a declared label is `label:<name>`.",
});
const Moment = (description: string) => Type.Optional(Type.String({ format: "date-time", description }));

export const QueryBody = Type.Object(
  {
    measures: Type.Array(Type.Enum(measureNames), { minItems: 1, maxItems: 20, uniqueItems: true }),
    dimensions: Type.Optional(
      Type.Array(Dimension, { maxItems: 5, uniqueItems: true, description: "What rows are grouped by." }),
    ),
    where: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4_000,
        description:
          'A condition in CEL over dimensions, such as `agent == "sales" && label["team"] in ["blue", "red"]`. All are texts; the empty text is none.',
      }),
    ),
    from: Moment("Beginning, a whole minute; default 30 days before `to`."),
    to: Moment("End, a whole minute that is not part of it; default now."),
    grain: Type.Optional(Grain),
    time_zone: Type.Optional(TimeZone),
    compare_to: Type.Optional(
      Type.Union([Type.Literal("previous"), Type.String({ format: "date-time" })], {
        description:
          "Another window of equal length, whose values are `previous`: `previous`, the one before, or the one that begins at this time. Of a series each window is compared with the one at its place there.",
      }),
    ),
    sort: Type.Optional(
      Type.String({
        maxLength: 64,
        description:
          "A measure that is asked for; `-` before it: the largest first. Default by time, then by dimensions.",
      }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, default: 1_000, description: "Rows at most." })),
  },
  closed,
);
export type QueryBody = Static<typeof QueryBody>;

const Key = Type.Record(Type.String(), nullable(Type.String()), {
  description: "By dimension; `other`: values beyond its limit; null: none.",
});
const members = ["value", "low", "high", "n", "previous"] as const;
const Column = Type.Object(
  {
    name: Type.String({ description: "In the head of the CSV file, and in the Parquet file." }),
    type: Type.Enum(["string", "int64", "double", "timestamp", "boolean"]),
    unit: nullable(Type.String(), "Of a measure; null: none."),
    of: nullable(Type.String(), "The dimension or measure; null: the row itself."),
    member: nullable(Type.Enum(members), "Which member of the measure's figure; null: no measure."),
  },
  { description: "A column of the answer as a table." },
);
export type Column = Static<typeof Column>;

export const QueryAnswer = Type.Object({
  ...windowHead,
  grain: nullable(Grain, "Null: the whole window at once."),
  rows: Type.Array(
    Type.Object({
      from: Time,
      to: Time,
      complete: Type.Boolean({ description: "False: its window is not over, or tasks of it are still open." }),
      key: Key,
      names: Names,
      figures: Type.Record(Type.String(), Figure, { description: "By the name of the measure." }),
    }),
  ),
  more: Type.Boolean({ description: "True: there are rows beyond `limit`." }),
  columns: Type.Array(Column),
});
export type QueryAnswer = Static<typeof QueryAnswer>;

const SchemaMeasure = Type.Object({
  name: Type.String(),
  family: Type.String({ description: "Measures of one family have the same dimensions." }),
  unit: Type.Enum(["count", "share", "usd", "tokens", "seconds", "score"]),
  about: Type.String(),
  better: nullable(Type.Enum(["more", "less"]), "Which is better; null: neither."),
  interval: Type.Boolean({ description: "Whether it comes with an interval of 95 %." }),
});
const SchemaDimension = Type.Object({
  name: Type.String(),
  families: Type.Array(Type.String()),
  values: nullable(
    Type.Array(Type.String()),
    "Values that were seen; null: more than 100, or not for a key that is narrowed to agents.",
  ),
});
export const AnalyticsSchema = Type.Object(
  {
    measures: Type.Array(SchemaMeasure),
    dimensions: Type.Array(SchemaDimension),
    labels: Type.Array(Type.String(), {
      maxItems: mostLabels,
      description: "Labels that this environment declares as dimensions.",
    }),
    uncounted_labels: Type.Array(Type.String(), {
      description:
        "Declared labels that nothing is counted by, because the environment has declared `label_columns` others over time. Declare one of those again in their place.",
    }),
    grains: Type.Array(Grain),
    limits: Type.Object({
      windows: Type.Integer({ description: "Windows of a series at most." }),
      rows: Type.Integer({ description: "Rows before `limit` at most." }),
      labels: Type.Integer({ description: "Labels that can be declared." }),
      label_columns: Type.Integer({
        description: "Different labels that an environment can have declared over time; each keeps its place for good.",
      }),
      label_values: Type.Integer({ description: "Values of a label before `other`." }),
    }),
  },
  { description: "What can be asked for in a query." },
);
export type AnalyticsSchema = Static<typeof AnalyticsSchema>;
