import { Type } from "typebox";
import { timestamp } from "../../../../kernel/clock.ts";
import type { ReadContext } from "../../../../kernel/context.ts";
import { limitedTo } from "../../../../kernel/narrowing.ts";
import { defineRead, exempt, governs } from "../../../../kernel/operation.ts";
import { taskRows } from "../../../tasks/shared-rows.ts";
import { rollup } from "../../rollups/rollup.ts";
import { RealtimeFigures } from "../../schemas.ts";
import { exampleRealtime } from "../example.ts";
import { agentsIn, scopeOf } from "../scope.ts";

export const readRealtime = defineRead({
  id: "analytics.readRealtime",
  path: "/v1/analytics/realtime",
  summary: "Read what runs now",
  description:
    "Open tasks by state and agent with the oldest of them, the workers that hold some, and what came and ended in the last 15 minutes.",
  query: Type.Object(
    { agent: Type.Optional(Type.String({ description: "Only this agent." })) },
    { additionalProperties: false },
  ),
  output: RealtimeFigures,
  example: { output: exampleRealtime },
  permission: "analytics:read",
  load: exempt("names no object"),
  narrowing: limitedTo("tells of tasks of the key's agents"),
  compliance: governs("analytics.read"),
  audit: "analytics",
  handle: (ctx, { query: { agent } }) =>
    readRealtimeFigures(ctx, agentsIn(ctx, { filters: agent === undefined ? {} : { agent: [agent] } })),
});

// What runs now, by the index of open tasks; the last minutes from rollups.

const minute = 60_000;
const minutes = 15;
/** Tasks of a state, and of an agent where these are named, that are looked at: the oldest. */
const mostOpen = 10_000;
const mostAgents = 100;

export const openStates = ["queued", "running", "awaiting_approval", "input_required"] as const;
type OpenState = (typeof openStates)[number];

interface OpenRow {
  readonly agent: string;
  readonly status: OpenState;
  readonly n: number;
  readonly oldest: Date;
  readonly held: number;
  readonly lapsed: number;
  readonly workers: string[];
}

/** Open tasks by agent and state. Each state is read by the index that begins with it, of named agents by theirs. */
function listOpen(ctx: ReadContext, agents: readonly string[] | null): Promise<OpenRow[]> {
  const by = agents === null ? "" : "cross join unnest($4::text[]) as a(agent)";
  const own = agents === null ? "" : "and t.agent = a.agent";
  return ctx.db.query(
    `select t.agent, t.status, count(*)::int as n, min(t.created_at) as oldest,
       (count(*) filter (where t.lease_until >= now()))::int as held, (count(*) filter (where t.lease_until < now()))::int as lapsed,
       coalesce(array_agg(distinct t.lease_owner) filter (where t.lease_until >= now() and t.lease_owner is not null), '{}') as workers
     from unnest($3::text[]) as s(status) ${by} cross join lateral (
       select t.agent, t.status, t.created_at, case t.status when 'running' then t.lease_until end as lease_until, t.lease_owner from ${taskRows} t
       where t.organization = $1 and t.environment = $2 and t.status = s.status ${own} order by t.id limit ${mostOpen}) t
     group by 1, 2 order by 1, 2`,
    [...scopeOf(ctx), openStates, ...(agents === null ? [] : [agents])],
  );
}

/** `agents`: those that are looked at; null: all. */
export async function readRealtimeFigures(ctx: ReadContext, agents: readonly string[] | null) {
  const [rows, last] = await Promise.all([listOpen(ctx, agents), lastMinutes(ctx, agents)]);
  const states = openStates.map((status) => stateOf(status, rows, agents));
  const byAgent = [...Map.groupBy(rows, ({ agent }) => agent)].map(([agent, own]) => agentOf(agent, own));
  const open = (one: ReturnType<typeof agentOf>) =>
    one.queued + one.running + one.awaiting_approval + one.input_required;
  return {
    as_of: timestamp(ctx.now),
    states,
    agents: byAgent.sort((a, b) => open(b) - open(a)).slice(0, mostAgents),
    workers: {
      busy: new Set(rows.flatMap(({ workers }) => workers)).size,
      tasks: rows.reduce((sum, { held }) => sum + held, 0),
      lapsed: rows.reduce((sum, { lapsed }) => sum + lapsed, 0),
    },
    minutes: last,
    more: agents === null ? states.some(({ n }) => n >= mostOpen) : rows.some(({ n }) => n >= mostOpen),
  };
}

function stateOf(status: OpenState, rows: readonly OpenRow[], agents: readonly string[] | null) {
  const own = rows.filter((row) => row.status === status);
  const oldest = Math.min(...own.map((row) => row.oldest.getTime()));
  const of = agents === null || agents.length === 0 ? "" : `&agent=${agents.join(",")}`;
  return {
    status,
    n: own.reduce((sum, { n }) => sum + n, 0),
    oldest_at: own.length === 0 ? null : timestamp(oldest),
    link: `/v1/tasks?status=${status}${of}`,
  };
}

function agentOf(agent: string, rows: readonly OpenRow[]) {
  const of = (status: OpenState) => rows.find((row) => row.status === status)?.n ?? 0;
  return {
    agent,
    queued: of("queued"),
    running: of("running"),
    awaiting_approval: of("awaiting_approval"),
    input_required: of("input_required"),
    oldest_at: timestamp(Math.min(...rows.map(({ oldest }) => oldest.getTime()))),
  };
}

async function lastMinutes(ctx: ReadContext, agents: readonly string[] | null) {
  const to = Math.floor(ctx.now / minute) * minute + minute;
  const answer = await rollup(ctx, {
    measures: ["tasks", "completed", "failed"],
    from: to - minutes * minute,
    to,
    grain: "minute",
    ...(agents !== null && { filters: { agent: agents } }),
  });
  return answer.rows.map(({ from, values }) => ({
    from: timestamp(from),
    tasks: values.tasks.value ?? 0,
    completed: values.completed.value ?? 0,
    failed: values.failed.value ?? 0,
  }));
}
