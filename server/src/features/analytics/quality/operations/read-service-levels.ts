import { Type } from "typebox";
import { timestamp } from "../../../../kernel/clock.ts";
import type { ReadContext } from "../../../../kernel/context.ts";
import { limitedTo } from "../../../../kernel/narrowing.ts";
import { defineRead, exempt, governs } from "../../../../kernel/operation.ts";
import { handoverRows } from "../../../chat/shared-rows.ts";
import { type FigureWindow, headOf, windowOf } from "../../figures/window.ts";
import { type Point, windowQuery } from "../../figures/window-schemas.ts";
import { type TimeWindow, windowsOf } from "../../rollups/plan.ts";
import { ServiceLevels } from "../../schemas.ts";
import { agentsIn, scopeOf } from "../scope.ts";
import { exampleServiceLevels } from "../service-level-schemas.ts";

const { from, to, grain, time_zone, agent } = windowQuery;

export const readServiceLevels = defineRead({
  id: "analytics.readServiceLevels",
  path: "/v1/analytics/service-levels",
  summary: "Read how soon people take conversations over",
  description:
    "By team and over time: how often conversations were handed over and why, how long they waited, when the first answer came, and how many exceeded the team's service levels.",
  query: Type.Object({ from, to, grain, time_zone, agent }, { additionalProperties: false }),
  output: ServiceLevels,
  example: { output: exampleServiceLevels },
  permission: "analytics:read",
  load: exempt("names no object"),
  narrowing: limitedTo("measures hand-overs of the key's agents"),
  compliance: governs("analytics.read"),
  audit: "analytics",
  async handle(ctx, { query }): Promise<ServiceLevels> {
    const window = windowOf(ctx, query);
    const windows = windowsOf(window, Number.POSITIVE_INFINITY) ?? [];
    const [rows, points] = await Promise.all([listLevels(ctx, window), listPoints(ctx, window, windows)]);
    const all = rows.find(({ whole }) => whole);
    const teams = rows.filter(({ whole }) => !whole).sort((a, b) => b.handovers - a.handovers);
    const linksOf = (team?: string | null) => linksIn(window, query.agent, team);
    return {
      ...headOf(window, { complete: window.to <= ctx.now, asOf: ctx.now }),
      all: { ...levelsOf(all ?? none), links: linksOf() },
      series: windows.map((one, at) => pointOf(one, points.get(at + 1) ?? none, ctx.now)),
      teams: teams.map((row) => ({
        team: row.team,
        ...levelsOf(row),
        links: linksOf(row.team),
        causes: row.causes ?? {},
      })),
    };
  },
});

/** Addresses of the conversations behind figures. `team`: null where none was named, left out for all. */
function linksIn({ from, to }: FigureWindow, agent: string | undefined, team?: string | null) {
  const of = (handover: string): string => {
    const query = new URLSearchParams({ handover });
    if (team !== undefined) query.set("handover_team", team ?? "-");
    if (agent !== undefined) query.set("agent", agent);
    query.set("handover_after", timestamp(from));
    query.set("handover_before", timestamp(to));
    return `/v1/chat/conversations?${query}`;
  };
  return {
    handovers: of("any"),
    taken: of("taken"),
    answered: of("answered"),
    waiting: of("waiting"),
    breached: of("breached"),
  };
}

function pointOf({ from, to }: TimeWindow, row: Measured, now: number): Point {
  const { handovers, waiting_p50, waiting_p90, first_answer_p50, first_answer_p90, breached_rate } = levelsOf(row);
  const values = { handovers, waiting_p50, waiting_p90, first_answer_p50, first_answer_p90, breached_rate };
  return { from: timestamp(from), to: timestamp(to), complete: to <= now, values };
}

interface Measured {
  readonly handovers: number;
  readonly taken: number;
  readonly answered: number;
  readonly waits: number;
  /** Half and nine of ten, in seconds. */
  readonly waiting: (number | null)[] | null;
  readonly first: (number | null)[] | null;
  readonly with_target: number;
  readonly breached: number;
}

interface Row extends Measured {
  readonly team: string | null;
  /** Over all teams. */
  readonly whole: boolean;
  readonly causes: Record<string, number> | null;
}

const none: Row = {
  team: null,
  whole: true,
  handovers: 0,
  taken: 0,
  answered: 0,
  waits: 0,
  waiting: null,
  first: null,
  with_target: 0,
  breached: 0,
  causes: null,
};

function levelsOf({ handovers, taken, answered, waits, waiting, first, with_target, breached }: Measured) {
  return {
    handovers,
    taken,
    answered,
    waiting: waits,
    waiting_p50: waiting?.[0] ?? null,
    waiting_p90: waiting?.[1] ?? null,
    first_answer_p50: first?.[0] ?? null,
    first_answer_p90: first?.[1] ?? null,
    with_target,
    breached,
    breached_rate: with_target === 0 ? null : breached / with_target,
  };
}

const secondsUntil = (time: string): string =>
  `percentile_cont(array[0.5, 0.9]) within group (order by extract(epoch from h.${time} - h.requested_at)) filter (where h.${time} is not null)`;

/** SQL: the hand-overs `h` of the window `$3` to `$4` with the agents `$5`. */
const handovers = `select * from ${handoverRows} h
  where h.organization = $1 and h.environment = $2 and h.requested_at >= $3 and h.requested_at < $4 and ($5::text[] is null or h.agent = any($5))`;
const measured = `count(*)::int as handovers, count(h.taken_at)::int as taken, count(h.answered_at)::int as answered,
  (count(*) filter (where h.taken_at is null and h.ended_at is null))::int as waits,
  ${secondsUntil("taken_at")} as waiting, ${secondsUntil("answered_at")} as first,
  (count(*) filter (where h.waiting_due_at is not null or h.answer_due_at is not null))::int as with_target,
  (count(*) filter (where h.waiting_breached_at is not null or h.answer_breached_at is not null))::int as breached`;

const within = (ctx: ReadContext, window: FigureWindow): unknown[] => [
  ...scopeOf(ctx),
  new Date(window.from),
  new Date(window.to),
  agentsIn(ctx, window),
];

const listLevels = (ctx: ReadContext, window: FigureWindow): Promise<Row[]> =>
  ctx.db.query<Row>(
    `with h as (${handovers}),
     causes as (select team, jsonb_object_agg(cause, n) as causes from (select team, cause, count(*)::int as n from h group by team, cause) c group by team)
     select h.team, grouping(h.team) = 1 as whole, ${measured},
       (select c.causes from causes c where c.team is not distinct from h.team) as causes
     from h group by grouping sets ((), (h.team))`,
    within(ctx, window),
  );

/** By the place of their window, from 1. */
async function listPoints(
  ctx: ReadContext,
  window: FigureWindow,
  windows: readonly TimeWindow[],
): Promise<ReadonlyMap<number, Measured>> {
  const rows = await ctx.db.query<Measured & { readonly place: number }>(
    `select width_bucket(h.requested_at, $6::timestamptz[]) as place, ${measured} from (${handovers}) h group by 1`,
    [...within(ctx, window), windows.map(({ from }) => new Date(from))],
  );
  return new Map(rows.map((row) => [row.place, row]));
}
