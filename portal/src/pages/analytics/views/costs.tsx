import { readCosts } from "../../../api/analytics.ts";
import type { Answer } from "../../../api/client.ts";
import { usePrefetched } from "../../../api/queries.ts";
import { percent, usd } from "../../../lib/words.ts";
import { Card, Facts } from "../../../ui/card.tsx";
import { BreakdownCard } from "../breakdown.tsx";
import { BudgetsCard } from "../budgets.tsx";
import { BySelect } from "../by-select.tsx";
import { useDimensions } from "../dimensions.ts";
import { Figures } from "../figure.tsx";
import { HeadLine } from "../frame.tsx";
import { keyCell } from "../key-cell.tsx";
import { Trend } from "../trend.tsx";
import type { ViewProps } from "../view.ts";

type Costs = Answer<"/v1/analytics/costs">;

/** What was spent, on what, and what the month will cost. */
export function CostsView({ search, onSearch }: ViewProps) {
  const by = search.by ?? "agent";
  const { data } = usePrefetched(readCosts(search, by), { every: 30_000 });
  const dimensions = useDimensions();
  return (
    <>
      <HeadLine head={data} />
      <Figures figures={data.figures} series={data.series} />
      <Trend title="Cost" as="bars" head={data} points={data.series} lines={["cost_usd"]} />
      <ForecastCard forecast={data.forecast} zone={data.time_zone} />
      <BreakdownCard
        title="Spend"
        aside={<BySelect by={by} options={dimensions} onChange={(next) => onSearch({ by: next })} />}
        rows={data.rows}
        more={data.more}
        measures={["cost_usd", "tasks", "cost_per_task", "cost_per_accepted", "tokens"]}
        keyCell={keyCell}
      />
      <BudgetsCard budgets={data.budgets} />
    </>
  );
}

/** What the month will have cost at its end, with its intervals, and how good such forecasts were. */
export function ForecastCard({ forecast, zone }: { readonly forecast: Costs["forecast"]; readonly zone: string }) {
  const { total, days, backtest } = forecast;
  const points = days.map(({ from, to, value, low_80, high_80, low_95, high_95 }) => ({
    ...{ from, to, complete: true },
    values: { cost_usd: value, low_80, high_80, low_95, high_95 },
  }));
  return (
    <Card title="Forecast to the end of the month">
      <div className="grid gap-3">
        {total === null ? null : (
          <p className="flex flex-wrap items-baseline gap-x-3">
            <span className="text-3xl font-semibold tracking-tight">{usd(total.value)}</span>
            <span className="text-sm text-muted">
              80 %: {usd(total.low_80)} to {usd(total.high_80)}; 95 %: {usd(total.low_95)} to {usd(total.high_95)}
            </span>
          </p>
        )}
        <Facts
          facts={[
            ["Spent so far", usd(forecast.spent_usd)],
            ["Method", forecast.explanation.replace("; see `backtest`", "")],
            backtest !== null && [
              "On past weeks",
              `off by ${usd(backtest.mean_absolute_error)} a week on average; ${percent(backtest.covered_80)} of days within the 80 % interval, ${percent(backtest.covered_95)} within the 95 % one`,
            ],
          ]}
        />
        {points.length > 1 ? (
          <Trend
            title="Days to come"
            head={{ grain: "day", time_zone: zone }}
            points={points}
            lines={[
              { member: "cost_usd", name: "Expected", dashed: true, band: ["low_80", "high_80"] },
              { member: "high_95", name: "95 %, upper end", tone: "muted", dashed: true },
            ]}
          />
        ) : null}
      </div>
    </Card>
  );
}
