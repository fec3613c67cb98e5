import { type Static, Type } from "typebox";
import { handoffCauses } from "../../../kernel/handoff.ts";
import { Count, nullable } from "../../../kernel/schema-words.ts";
import { Point, windowHead } from "../figures/window-schemas.ts";

const Seconds = (of: string) => nullable(Type.Number(), `Seconds ${of}; null: none.`);

const levels = {
  handovers: Count("Times that people were asked for."),
  taken: Count("Of these, those that a person took."),
  answered: Count("Of these, those that a person answered."),
  waiting: Count("Of these, those that wait for a person now."),
  waiting_p50: Seconds("until a person took it, half of them sooner"),
  waiting_p90: Seconds("until a person took it, nine of ten sooner"),
  first_answer_p50: Seconds("until a person answered, half of them sooner"),
  first_answer_p90: Seconds("until a person answered, nine of ten sooner"),
  with_target: Count("Those of teams that had a service level then."),
  breached: Count("Of these, those that exceeded one."),
  breached_rate: nullable(Type.Number({ minimum: 0, maximum: 1 }), "Share that exceeded one; null: none had one."),
  links: Type.Object(
    {
      handovers: Type.String(),
      taken: Type.String(),
      answered: Type.String(),
      waiting: Type.String(),
      breached: Type.String(),
    },
    {
      description:
        "Where the conversations behind each figure are listed, a path of this interface. Erased conversations are counted and not listed; one that was handed over twice is listed once.",
    },
  ),
} as const;

export const TeamLevels = Type.Object({
  team: nullable(Type.String(), "By name; null: no team was named."),
  ...levels,
  causes: Type.Partial(
    Type.Object(Object.fromEntries(handoffCauses.map((cause) => [cause, Count("Hand-overs for this cause.")]))),
    { description: "How many there were for each cause." },
  ),
});

export const ServiceLevels = Type.Object(
  {
    ...windowHead,
    all: Type.Object(levels),
    series: Type.Array(Point, {
      description:
        "Over time, by when people were asked: `handovers`, `waiting_p50`, `waiting_p90`, `first_answer_p50`, `first_answer_p90`, `breached_rate`.",
    }),
    teams: Type.Array(TeamLevels, { description: "By team; those with the most hand-overs first." }),
  },
  {
    description:
      "How soon people take conversations over and answer, by team. Seconds are counted by the clock; due times by opening hours.",
  },
);
export type ServiceLevels = Static<typeof ServiceLevels>;

const example = {
  handovers: 40,
  taken: 38,
  answered: 37,
  waiting: 1,
  waiting_p50: 42,
  waiting_p90: 310,
  first_answer_p50: 95,
  first_answer_p90: 540,
  with_target: 40,
  breached: 2,
  breached_rate: 0.05,
};
const exampleLinks = (team: string | null) => {
  const of = (handover: string): string =>
    `/v1/chat/conversations?handover=${handover}${team ? `&handover_team=${team}` : ""}`;
  return {
    handovers: of("any"),
    taken: of("taken"),
    answered: of("answered"),
    waiting: of("waiting"),
    breached: of("breached"),
  };
};
const { handovers, waiting_p50, waiting_p90, first_answer_p50, first_answer_p90, breached_rate } = example;
export const exampleServiceLevels: ServiceLevels = {
  from: "2026-10-21T09:30:00.000Z",
  to: "2026-11-20T09:30:00.000Z",
  time_zone: "UTC",
  grain: "day",
  complete: true,
  as_of: "2026-11-20T09:30:00.000Z",
  all: { ...example, links: exampleLinks(null) },
  series: [
    {
      from: "2026-10-21T00:00:00.000Z",
      to: "2026-10-22T00:00:00.000Z",
      complete: true,
      values: { handovers, waiting_p50, waiting_p90, first_answer_p50, first_answer_p90, breached_rate },
    },
  ],
  teams: [{ team: "billing", ...example, links: exampleLinks("billing"), causes: { asked: 22, topic: 15, unsure: 3 } }],
};
