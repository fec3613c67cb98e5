import { type Static, Type } from "typebox";
import { nullable, Time } from "../../../kernel/schema-words.ts";
import { grains } from "../rollups/rollup.ts";

// What the answers of analytics have in common.

export const TimeZone = Type.String({
  minLength: 1,
  maxLength: 64,
  description: "A time zone such as `Europe/Vienna`; default `UTC`.",
});
export const Grain = Type.Enum(grains, {
  description: "Length of the windows of a series; weeks begin on Monday.",
});

export const windowQuery = {
  from: Type.Optional(
    Type.String({ format: "date-time", description: "Beginning, a whole minute; default 30 days before `to`." }),
  ),
  to: Type.Optional(
    Type.String({ format: "date-time", description: "End, a whole minute that is not part of it; default now." }),
  ),
  grain: Type.Optional(Grain),
  time_zone: Type.Optional(TimeZone),
  agent: Type.Optional(Type.String({ description: "Only this agent." })),
  skill: Type.Optional(Type.String({ description: "Only this skill." })),
  label: Type.Optional(
    Type.String({ description: "Only tasks with this declared label, `<name>:<value>`.", pattern: "^[^:]+:.+$" }),
  ),
};
export type WindowQuery = Static<ReturnType<typeof Type.Object<typeof windowQuery>>>;

/** A measured value with its interval, what it was in the window before, and the address of the things behind it. */
export const Figure = Type.Object(
  {
    value: nullable(
      Type.Number(),
      "Null: nothing to measure, or, where `n` is not 0, too few cases: a median takes 5, a 90th percentile 20 and a 99th 100.",
    ),
    low: nullable(Type.Number(), "Lower end of the 95 % interval; null where there is none."),
    high: nullable(Type.Number(), "Upper end of the 95 % interval; null where there is none."),
    n: Type.Integer({ description: "How many things it is about." }),
    previous: nullable(
      Type.Number(),
      "In the window of equal length before; null: not asked for, or nothing to measure.",
    ),
    link: nullable(
      Type.String(),
      "Where the things behind it are listed, a path of this interface; null where no list tells them apart.",
    ),
  },
  { description: "A measured value." },
);
export type Figure = Static<typeof Figure>;

export const windowHead = {
  from: Time,
  to: Time,
  time_zone: Type.String(),
  grain: Grain,
  complete: Type.Boolean({ description: "False: the window is not over, or tasks of it are still open." }),
  as_of: Type.String({ format: "date-time", description: "Everything that had happened by then is in it." }),
};

export const Point = Type.Object(
  {
    from: Time,
    to: Time,
    complete: Type.Boolean(),
    values: Type.Record(Type.String(), Type.Union([Type.Number(), Type.Null()]), {
      description: "By the name of the measure.",
    }),
  },
  { description: "Values of one window of time." },
);
export type Point = Static<typeof Point>;

export const Names = Type.Optional(
  Type.Record(Type.String(), Type.String(), {
    description:
      "By dimension, what its value is called, where that is an id: of members, keys, versions, policies, kill switches, budgets and endpoints.",
  }),
);

export const Breakdown = Type.Object(
  {
    key: Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()]), {
      description: "By dimension; `other`: values beyond its limit; null: none.",
    }),
    names: Names,
    figures: Type.Record(Type.String(), Figure, { description: "By the name of the measure." }),
  },
  { description: "Figures of one value of a dimension, or of one combination." },
);
export type Breakdown = Static<typeof Breakdown>;
