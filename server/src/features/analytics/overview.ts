import { isoTime } from "../../kernel/clock.ts";
import type { ReadContext } from "../../kernel/context.ts";
import { listRunningCanaries } from "../agents/public.ts";
import { countWaiting } from "../approvals/requests/public.ts";
import { countTasks } from "../tasks/public.ts";
import { listAlertRows } from "./alert-store.ts";
import { budgetUses, isNear } from "./budget-use.ts";
import { type Overview, overviewMeasures, type Waiting } from "./figures-schemas.ts";
import type { Filters } from "./rollup.ts";
import { type FigureWindow, figuresOf, headOf, seriesOf } from "./window.ts";

/** Each state is counted up to this. */
const mostCounted = 10_000;
const mostAlerts = 100;

/** One screen of figures: the window, and how things stand now. */
export async function overviewOf(ctx: ReadContext, window: FigureWindow): Promise<Overview> {
  const agents = agentsLookedAt(ctx, window.filters);
  const told = await figuresOf(ctx, window, { measures: overviewMeasures });
  const series = await seriesOf(ctx, window, { measures: overviewMeasures });
  const canaries = await listRunningCanaries(ctx, agents);
  const budgets = await budgetUses(ctx, window.filters);
  return {
    ...headOf(window, told, series),
    figures: told.figures,
    series: series.points,
    now: await waitingNow(ctx, agents),
    budgets: budgets.filter(isNear),
    canaries: canaries.map((one) => ({ ...one, link: `/v1/analytics/experiments/${one.deployment}` })),
    alerts: await firingAlerts(ctx),
  };
}

/** The agents that the caller sees of those that are asked for; null: all. */
function agentsLookedAt({ principal }: ReadContext, { agent }: Filters): readonly string[] | null {
  const asked = agent?.flatMap((name) => name ?? []);
  if (asked === undefined) return principal.agents;
  return principal.agents ? asked.filter((name) => principal.agents?.includes(name)) : asked;
}

async function firingAlerts(ctx: ReadContext): Promise<Overview["alerts"]> {
  const rows = await listAlertRows(ctx, { fired: true }, { after: undefined, take: mostAlerts });
  return rows.map(({ id, name, state_since }) => ({
    ...{ alert: id, name, since: isoTime(state_since), link: `/v1/analytics/alerts/${id}` },
  }));
}

async function waitingNow(ctx: ReadContext, agents: readonly string[] | null): Promise<Waiting> {
  const counts = await countTasks(ctx, ["input_required", "running", "queued"], agents, mostCounted);
  return {
    ...(await countWaiting(ctx, agents, mostCounted)),
    questions: counts.input_required,
    running: counts.running,
    queued: counts.queued,
    counted_to: mostCounted,
  };
}
