import { timestamp } from "../../../../kernel/clock.ts";
import type { ReadContext } from "../../../../kernel/context.ts";
import { summedUsd } from "../../../../kernel/ledger.ts";
import { defineRead } from "../../../../kernel/operation.ts";
import type { Dimension } from "../../rollups/measures.ts";
import { rollup } from "../../rollups/rollup.ts";
import { daysBetween, monthOf } from "../calendar.ts";
import { exampleCosts } from "../example.ts";
import { backtest, type Expected, forecast, mostLearnt, type SpentDay } from "../forecast.ts";
import { budgetSpends, budgetUses, ledgerOf } from "../ledger.ts";
import { breakdownQuery, type CostForecast, Costs, costMeasures, type ForecastAmount } from "../schemas.ts";
import { type FigureWindow, figureRead, figuresOf, headOf, seriesOf, tableOf, windowOf } from "../window.ts";

export const readCosts = defineRead({
  ...figureRead,
  id: "analytics.readCosts",
  path: "/v1/analytics/costs",
  listed: true,
  summary: "Read costs",
  description:
    "What was spent, by agent, key, member, model or label (`by`, default `agent`), for each task and each accepted one; how far budgets are used; and a forecast of the present month with its intervals and how good it was on the last weeks.",
  query: breakdownQuery,
  output: Costs,
  example: { output: exampleCosts },
  handle: (ctx, { query }) => costsOf(ctx, windowOf(ctx, query), (query.by ?? "agent") as Dimension, query.limit ?? 50),
});

const minute = 60_000;
const hour = 60 * minute;

export async function costsOf(ctx: ReadContext, window: FigureWindow, by: Dimension, limit: number): Promise<Costs> {
  const totals = await figuresOf(ctx, window, { measures: costMeasures });
  const series = await seriesOf(ctx, window, { measures: costMeasures });
  const table = await tableOf(ctx, window, { measures: costMeasures, dimensions: [by], sort: "-cost_usd", limit });
  const budgets = await budgetUses(ctx, window.filters);
  return {
    ...headOf(window, totals, series, table),
    figures: totals.figures,
    series: series.points,
    by,
    rows: table.rows,
    more: table.more,
    ledger: await ledgerOf(ctx, window),
    budgets: await budgetSpends(ctx, budgets),
    forecast: await monthForecast(ctx, window),
  };
}

/** What the present month will cost, learnt from the last whole days with the same filters. */
export async function monthForecast(
  ctx: ReadContext,
  { filters, timeZone }: Pick<FigureWindow, "filters" | "timeZone">,
): Promise<CostForecast> {
  const { now } = ctx;
  const month = monthOf(timeZone, now);
  const learntFrom = Math.min(month.from, now - (mostLearnt + 1) * 24 * hour);
  const starts = daysBetween(timeZone, learntFrom, month.to);
  const spentOn = await spending(ctx, { filters, timeZone, from: starts[0] as number });
  const days = starts.slice(0, -1).map((from, at) => ({
    from,
    to: starts[at + 1] as number,
    weekday: at % 7,
    spent: spentOn(from, starts[at + 1] as number),
  }));
  const past = days.filter(({ to }) => to <= now);
  const learnt = past.slice(past.findIndex(({ spent }) => spent > 0)).slice(-mostLearnt);
  const known: SpentDay[] = past.some(({ spent }) => spent > 0) ? learnt : [];
  const coming = days
    .filter(({ to }) => to > now)
    .map((day) => ({ ...day, part: Math.min(1, (day.to - now) / (day.to - day.from)) }));
  const inMonth = days.filter(({ from }) => from >= month.from).reduce((sum, { spent }) => sum + spent, 0);
  const predicted = forecast(known, coming);
  const looked = backtest(known);
  return {
    method: predicted?.method ?? null,
    explanation: explained(predicted?.method ?? null, known.length),
    from: timestamp(month.from),
    to: timestamp(month.to),
    spent_usd: summedUsd(inMonth),
    total: predicted && amounts(predicted.sum, inMonth),
    days: coming.flatMap(({ from, to, spent }, at) => {
      const day = predicted?.days[at];
      return day ? [{ from: timestamp(from), to: timestamp(to), ...amounts(day, spent) }] : [];
    }),
    learnt_from_days: known.length,
    backtest: looked && {
      forecasts: looked.forecasts,
      mean_absolute_error: looked.meanAbsoluteError,
      relative_error: looked.relativeError,
      covered_80: looked.covered80,
      covered_95: looked.covered95,
    },
  };
}

async function spending(ctx: ReadContext, of: Pick<FigureWindow, "filters" | "timeZone" | "from">) {
  const to = Math.ceil(ctx.now / minute) * minute;
  const { rows } = await rollup(ctx, { ...of, to, measures: ["cost_usd"], grain: "day" });
  return (from: number, before: number): number =>
    rows.reduce(
      (sum, row) => (row.from >= from && row.from < before ? sum + (row.values.cost_usd.value ?? 0) : sum),
      0,
    );
}

const amounts = (expected: Expected, spent: number): ForecastAmount => ({
  value: spent + expected.value,
  low_80: spent + expected.low80,
  high_80: spent + expected.high80,
  low_95: spent + expected.low95,
  high_95: spent + expected.high95,
});

function explained(method: CostForecast["method"], days: number): string {
  if (method === null) return `There is none: it takes three whole days since the first cost, and there are ${days}.`;
  if (method === "seasonal_naive")
    return `Each day as a week before, or the mean: there are only ${days} whole days. From 14 days on, trend and weekdays are learnt.`;
  return `Level, trend and effects of weekdays by least squares over the last ${days} whole days. The intervals hold if days vary as they did; see \`backtest\`.`;
}
