import { isoTime } from "../../../../kernel/clock.ts";
import type { ReadContext } from "../../../../kernel/context.ts";
import { defineRead } from "../../../../kernel/operation.ts";
import { principalHolds } from "../../../../kernel/role-permissions.ts";
import { listRunningCanaries } from "../../../agents/public.ts";
import { countWaiting } from "../../../approvals/requests/public.ts";
import { countTasks } from "../../../tasks/public.ts";
import { listAlertRows } from "../../alerts/store.ts";
import type { Filters } from "../../rollups/rollup.ts";
import { exampleOverview } from "../example.ts";
import { budgetUses, isNear } from "../ledger.ts";
import { figureQuery, Overview, overviewMeasures, type Waiting } from "../schemas.ts";
import { type FigureWindow, figureRead, figuresOf, headOf, seriesOf, windowOf } from "../window.ts";

export const readOverview = defineRead({
  ...figureRead,
  id: "analytics.readOverview",
  path: "/v1/analytics/overview",
  listed: true,
  summary: "Read the overview",
  description:
    "One screen: tasks, success, accepted outcomes, trust, cost and blocks of a window, each with the window before and its course; and what waits for people, which budgets run out, which canaries run and which alerts fire at this moment.",
  query: figureQuery,
  output: Overview,
  example: { output: exampleOverview },
  handle: (ctx, { query }) => overviewOf(ctx, windowOf(ctx, query)),
});

const mostCounted = 10_000;
const mostAlerts = 100;

/** Permissions of parts that other operations show too; alerts need none besides the overview's own. */
const parts = [
  { part: "now.approvals", permission: "approvals:read" },
  { part: "now.questions", permission: "tasks:read" },
  { part: "now.running", permission: "tasks:read" },
  { part: "now.queued", permission: "tasks:read" },
  { part: "canaries", permission: "agents:read" },
];

export async function overviewOf(ctx: ReadContext, window: FigureWindow): Promise<Overview> {
  const agents = agentsLookedAt(ctx, window.filters);
  const totals = await figuresOf(ctx, window, { measures: overviewMeasures });
  const series = await seriesOf(ctx, window, { measures: overviewMeasures });
  const may = (permission: string): boolean => principalHolds(ctx.principal, permission);
  const canaries = may("agents:read") ? await listRunningCanaries(ctx, agents) : null;
  const budgets = await budgetUses(ctx, window.filters);
  return {
    ...headOf(window, totals, series),
    figures: totals.figures,
    series: series.points,
    now: await waitingNow(ctx, agents, may),
    budgets: budgets.filter(isNear),
    canaries:
      canaries === null
        ? null
        : canaries.map((one) => ({ ...one, link: `/v1/analytics/experiments/${one.deployment}` })),
    withheld: parts.filter(({ permission }) => !may(permission)),
    alerts: await firingAlerts(ctx),
  };
}

function agentsLookedAt({ principal }: ReadContext, { agent }: Filters): readonly string[] | null {
  const asked = agent?.flatMap((name) => name ?? []);
  if (asked === undefined) return principal.agents;
  return principal.agents ? asked.filter((name) => principal.agents?.includes(name)) : asked;
}

async function firingAlerts(ctx: ReadContext): Promise<Overview["alerts"]> {
  const rows = await listAlertRows(ctx, { fired: true }, { after: undefined, take: mostAlerts });
  return rows.map(({ id, name, state_since }) => ({
    alert: id,
    name,
    since: isoTime(state_since),
    link: `/v1/analytics/alerts/${id}`,
  }));
}

async function waitingNow(
  ctx: ReadContext,
  agents: readonly string[] | null,
  may: (permission: string) => boolean,
): Promise<Waiting> {
  const states = ["input_required", "running", "queued"] as const;
  const counts = may("tasks:read") ? await countTasks(ctx, states, agents, mostCounted) : null;
  const waiting = may("approvals:read") ? await countWaiting(ctx, agents, mostCounted) : null;
  return {
    ...(waiting ?? { approvals: null, oldest_approval_at: null }),
    questions: counts?.input_required ?? null,
    running: counts?.running ?? null,
    queued: counts?.queued ?? null,
    counted_to: mostCounted,
  };
}
