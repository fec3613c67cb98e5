import { Type } from "typebox";
import { timestamp } from "../../../../kernel/clock.ts";
import type { ReadContext } from "../../../../kernel/context.ts";
import { limitedTo } from "../../../../kernel/narrowing.ts";
import { defineRead, exempt, governs } from "../../../../kernel/operation.ts";
import { handoverRows } from "../../../chat/shared-rows.ts";
import { type FigureWindow, windowOf } from "../../figures/window.ts";
import { windowQuery } from "../../figures/window-schemas.ts";
import { ServiceLevels } from "../../schemas.ts";
import { agentsIn, scopeOf } from "../scope.ts";
import { exampleServiceLevels } from "../service-level-schemas.ts";

const { from, to, agent } = windowQuery;

export const readServiceLevels = defineRead({
  id: "analytics.readServiceLevels",
  path: "/v1/analytics/service-levels",
  summary: "Read how soon people take conversations over",
  description:
    "By team: how often conversations were handed over and why, how long they waited, when the first answer came, and how many exceeded the team's service levels.",
  query: Type.Object({ from, to, agent }, { additionalProperties: false }),
  output: ServiceLevels,
  example: { output: exampleServiceLevels },
  permission: "analytics:read",
  load: exempt("names no object"),
  narrowing: limitedTo("measures hand-overs of the key's agents"),
  compliance: governs("analytics.read"),
  audit: "analytics",
  async handle(ctx, { query }): Promise<ServiceLevels> {
    const window = windowOf(ctx, query);
    const rows = await listLevels(ctx, window);
    const all = rows.find(({ whole }) => whole);
    const teams = rows.filter(({ whole }) => !whole).sort((a, b) => b.handovers - a.handovers);
    return {
      from: timestamp(window.from),
      to: timestamp(window.to),
      all: levelsOf(all ?? none),
      teams: teams.map((row) => ({ team: row.team, ...levelsOf(row), causes: row.causes ?? {} })),
    };
  },
});

interface Row {
  readonly team: string | null;
  /** Over all teams. */
  readonly whole: boolean;
  readonly handovers: number;
  readonly taken: number;
  readonly answered: number;
  readonly waiting: (number | null)[] | null;
  readonly first: (number | null)[] | null;
  readonly with_target: number;
  readonly breached: number;
  readonly causes: Record<string, number> | null;
}

const none: Row = {
  team: null,
  whole: true,
  handovers: 0,
  taken: 0,
  answered: 0,
  waiting: null,
  first: null,
  with_target: 0,
  breached: 0,
  causes: null,
};

function levelsOf({ handovers, taken, answered, waiting, first, with_target, breached }: Row) {
  return {
    handovers,
    taken,
    answered,
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

const listLevels = (ctx: ReadContext, window: FigureWindow): Promise<Row[]> =>
  ctx.db.query<Row>(
    `with h as (
       select * from ${handoverRows} h where h.organization = $1 and h.environment = $2 and h.requested_at >= $3 and h.requested_at < $4
         and ($5::text[] is null or h.agent = any($5))),
     causes as (select team, jsonb_object_agg(cause, n) as causes from (select team, cause, count(*)::int as n from h group by team, cause) c group by team)
     select h.team, grouping(h.team) = 1 as whole, count(*)::int as handovers, count(h.taken_at)::int as taken, count(h.answered_at)::int as answered,
       ${secondsUntil("taken_at")} as waiting, ${secondsUntil("answered_at")} as first,
       (count(*) filter (where h.waiting_due_at is not null or h.answer_due_at is not null))::int as with_target,
       (count(*) filter (where h.waiting_breached_at is not null or h.answer_breached_at is not null))::int as breached,
       (select c.causes from causes c where c.team is not distinct from h.team) as causes
     from h group by grouping sets ((), (h.team))`,
    [...scopeOf(ctx), new Date(window.from), new Date(window.to), agentsIn(ctx, window)],
  );
