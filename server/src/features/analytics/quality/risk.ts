import { timestamp } from "../../../kernel/clock.ts";
import type { ReadContext } from "../../../kernel/context.ts";
import { agentsSeen, findKnownAgent } from "../../agents/public.ts";
import { agentPauseRows, agentVersionRows } from "../../agents/shared-rows.ts";
import { approvalRows } from "../../approvals/shared-rows.ts";
import { gateOf, hasGate } from "../../evaluations/public.ts";
import { killSwitchRows } from "../../governance/shared-rows.ts";
import { steeredReason } from "../../tasks/public.ts";
import { stepRows, taskRows } from "../../tasks/shared-rows.ts";
import { type FigureWindow, tableOf } from "../figures/window.ts";
import type { Breakdown } from "../figures/window-schemas.ts";
import { type RollupRow, rollup } from "../rollups/rollup.ts";
import { agentsIn, labelIn, mayRead, scopeOf, skillIn } from "./scope.ts";

const mostNamed = 20;

const exposed = (rows: readonly HeldRow[], link: string | null) => ({
  n: rows.length,
  link,
  items: rows.slice(0, mostNamed).map(({ id, what, since }) => ({ id, what, since: timestamp(since.getTime()) })),
});

export async function exposureOf(ctx: ReadContext, window: FigureWindow) {
  const readsTasks = mayRead(ctx, "tasks:read");
  const [risky, unknown, switches, pauses, steered] = await Promise.all([
    readsTasks ? countRisky(ctx, window) : [],
    readsTasks ? listUnknownOutcomes(ctx, window) : [],
    mayRead(ctx, "governance:read") ? listKillSwitches(ctx, window) : [],
    mayRead(ctx, "agents:read") ? listPauses(ctx, window) : [],
    mayRead(ctx, "approvals:read") ? listSteered(ctx, window) : [],
  ]);
  const openTasks = riskyTasks(window);
  return {
    open_high_risk: {
      n: risky.reduce((sum, { n }) => sum + n, 0),
      link: openTasks,
      items: risky.map(({ name, n }) => ({ name, n, link: riskyTasks(window, name) })),
    },
    unknown_outcomes: exposed(unknown, null),
    kill_switches: exposed(switches, "/v1/governance/kill-switch"),
    pauses: exposed(pauses, null),
    exceptions: exposed(mayRead(ctx, "agents:read") ? ungatedVersions(ctx, window) : [], null),
    steered: exposed(steered, null),
  };
}

function riskyTasks({ filters }: FigureWindow, agent = filters.agent?.[0] ?? undefined): string {
  const label = Object.entries(filters).find(([name]) => name.startsWith("label:"));
  const named = label && `${label[0].slice("label:".length)}:${label[1]?.[0]}`;
  const asked = { agent, task: filters.skill?.[0], label: named };
  const more = Object.entries(asked).flatMap(([name, value]) =>
    value ? [`&${name}=${encodeURIComponent(value)}`] : [],
  );
  return `/v1/tasks?status=queued,awaiting_approval,running,input_required&risk=high,critical${more.join("")}`;
}

/** Live versions of agents with a gate that act without its open verdict. From memory. */
function ungatedVersions(ctx: ReadContext, window: FigureWindow): HeldRow[] {
  return (agentsIn(ctx, window) ?? agentsSeen(ctx)).flatMap((agent) => {
    const live = findKnownAgent(ctx, agent)?.live;
    if (!live || !hasGate(ctx, agent) || gateOf(ctx, agent, live.id) !== "tag") return [];
    return [{ id: live.id, what: `Version ${live.number} of ${agent}`, since: live.since }];
  });
}

/** What nearly happened: what people stopped, what shadow policies would have, and what was approved and judged wrong later. */
export async function nearMisses(ctx: ReadContext, window: FigureWindow) {
  const { from, to, timeZone, filters } = window;
  const asked = { filters, from, to, timeZone };
  const [decisions, kinds] = await Promise.all([
    rollup(ctx, { ...asked, measures: ["override_rate", "agreement"] }),
    tableOf(ctx, window, { measures: ["violations"], dimensions: ["kind"] }),
  ]);
  const [row] = decisions.rows;
  const ofKind = (...names: string[]) =>
    kinds.rows.reduce((sum, { key, figures }) => {
      return names.includes(key.kind ?? "") ? sum + (figures.violations?.value ?? 0) : sum;
    }, 0);
  return {
    rejected: numberOf(row, "override_rate"),
    would_have: ofKind("would_block", "would_wait"),
    warned: ofKind("warned"),
    approved_wrong: wrongOf(row),
  };
}

const numberOf = (row: RollupRow | undefined, rate: "override_rate" | "agreement"): number => {
  const { value, n } = row?.values[rate] ?? { value: null, n: 0 };
  return Math.round((value ?? 0) * n);
};
const wrongOf = (row: RollupRow | undefined): number =>
  (row?.values.agreement.value === null ? 0 : (row?.values.agreement.n ?? 0)) - numberOf(row, "agreement");

export const withViolations = (rows: readonly Breakdown[], { from, to }: FigureWindow): Breakdown[] =>
  rows.map((row) => {
    const { key, figures } = row;
    const { violations } = figures;
    if (!violations || !key.policy || key.policy === "other") return row;
    const within = { created_after: timestamp(from), created_before: timestamp(to) };
    const query = new URLSearchParams({ source: key.policy, ...within });
    return {
      ...row,
      figures: { ...figures, violations: { ...violations, link: `/v1/governance/violations?${query}` } },
    };
  });

// What can go wrong now, by indexes of open rows.

export interface HeldRow {
  readonly id: string;
  readonly what: string;
  readonly since: Date;
}

const open = "array['queued', 'awaiting_approval', 'running', 'input_required']";
const mostOpen = 10_000;

const openTasks = (columns: string): string => `
  select ${columns} from unnest(${open}) as s(status) cross join lateral (
    select t.* from ${taskRows} t where t.organization = $1 and t.environment = $2 and t.status = s.status
      and ($3::text[] is null or t.agent = any($3)) and ($4::text is null or t.skill = $4) and ($5::text is null or $5 = any(t.labels))
    order by t.id desc limit ${mostOpen}) t`;

const narrowed = (ctx: ReadContext, window: FigureWindow): unknown[] => [
  ...scopeOf(ctx),
  agentsIn(ctx, window),
  skillIn(window),
  labelIn(window),
];

export const countRisky = (ctx: ReadContext, window: FigureWindow): Promise<{ name: string; n: number }[]> =>
  ctx.db.query(
    `select agent as name, count(*)::int as n from (${openTasks("t.agent, t.risk_level")}) t
     where risk_level in ('high', 'critical') group by 1 order by 2 desc, 1`,
    narrowed(ctx, window),
  );

export const listUnknownOutcomes = (ctx: ReadContext, window: FigureWindow): Promise<HeldRow[]> =>
  ctx.db.query(
    `select p.task_id as id, p.name || ' of ' || t.agent as what, p.started_at as since
     from (${openTasks("t.id, t.agent")} where t.attempt > 0) t
     join ${stepRows} p on p.organization = $1 and p.environment = $2 and p.task_id = t.id and p.state = 'unknown' and p.kind = 'tool'
     order by p.started_at limit 1000`,
    narrowed(ctx, window),
  );

export const listSteered = (ctx: ReadContext, window: FigureWindow): Promise<HeldRow[]> =>
  ctx.db.query(
    `select a.task_id as id, coalesce(a.tool, a.skill) || ' of ' || a.agent as what, a.created_at as since from ${approvalRows} a
     where a.organization = $1 and a.environment = $2 and a.status = 'pending' and position($6 in a.reasons) > 0
       and ($3::text[] is null or a.agent = any($3)) and ($4::text is null or a.skill = $4)
       and ($5::text is null or exists (select from ${taskRows} t where t.organization = $1 and t.environment = $2 and t.id = a.task_id and $5 = any(t.labels)))
     order by a.id limit 1000`,
    [...narrowed(ctx, window), steeredReason],
  );

/** Kill switches that act here. Of one that is of an agent, a skill or a version, a narrowed key sees its own. */
export const listKillSwitches = (ctx: ReadContext, window: FigureWindow): Promise<HeldRow[]> =>
  ctx.db.query(
    `select id, concat_ws(' ', kind, target) || ': ' || reason as what, engaged_at as since from (
       select s.*, case s.kind when 'agent' then s.target when 'skill' then split_part(s.target, '.', 1)
         when 'version' then (select v.agent from ${agentVersionRows} v where v.organization = s.organization and v.id = s.target) end as agent
       from ${killSwitchRows} s where s.organization = $1 and (s.environment = $2 or s.kind = 'all') and s.released_at is null) s
     where $3::text[] is null or agent is null or agent = any($3) order by id desc limit 1000`,
    [...scopeOf(ctx), agentsIn(ctx, window)],
  );

export const listPauses = (ctx: ReadContext, window: FigureWindow): Promise<HeldRow[]> =>
  ctx.db.query(
    `select agent as id, agent || ': ' || reason as what, created_at as since from ${agentPauseRows} agent_pauses
     where organization = $1 and environment = $2 and ($3::text[] is null or agent = any($3)) order by created_at desc limit 1000`,
    [...scopeOf(ctx), agentsIn(ctx, window)],
  );
