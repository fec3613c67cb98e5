import { clsx } from "clsx";
import { readCosts } from "../../../api/analytics.ts";
import type { Answer } from "../../../api/client.ts";
import { usePrefetched } from "../../../api/queries.ts";
import { counted, exactUsd, percent, usd } from "../../../lib/words.ts";
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
      <LedgerCard ledger={data.ledger} />
      <BudgetsCard budgets={data.budgets} />
    </>
  );
}

/** How the cost of tasks comes to what was spent in the window, and so to what budgets have used. */
function LedgerCard({ ledger }: { readonly ledger: Costs["ledger"] }) {
  const { spent_usd, tasks_usd, spent_later_usd, earlier_tasks_usd, outside_usd, outside } = ledger;
  return (
    <Card
      title="From tasks to budgets"
      aside={<span className="font-semibold tabular-nums">{exactUsd(spent_usd)}</span>}
    >
      <p className="mb-3 text-sm text-muted">
        A task stands where it was dispatched, with all that it has cost; a budget counts when money is spent, on
        whatever.
      </p>
      <dl className="grid max-w-2xl gap-1.5 text-sm tabular-nums">
        <Line words="Tasks dispatched in the window, open ones too" amount={exactUsd(tasks_usd)} />
        {spent_later_usd > 0 ? (
          <Line words="of these spent after the window" amount={`− ${exactUsd(spent_later_usd)}`} />
        ) : null}
        {earlier_tasks_usd > 0 ? (
          <Line words="Tasks dispatched before the window" amount={`+ ${exactUsd(earlier_tasks_usd)}`} />
        ) : null}
        <Line words="Outside of tasks" amount={`+ ${exactUsd(outside_usd)}`} />
        {outside.map(({ operation, entries, spent_usd: spent }) => (
          <Line
            key={operation}
            part
            words={`${purposes[operation] ?? operation}, ${counted(entries, "charge")}`}
            amount={exactUsd(spent)}
          />
        ))}
        <Line total words="Spent in the window" amount={exactUsd(spent_usd)} />
      </dl>
    </Card>
  );
}

interface LineProps {
  readonly words: string;
  readonly amount: string;
  readonly part?: boolean;
  readonly total?: boolean;
}

function Line({ words, amount, part = false, total = false }: LineProps) {
  return (
    <div
      className={clsx("flex items-baseline justify-between gap-4", total && "border-t border-line pt-1.5 font-medium")}
    >
      <dt className={clsx(!total && "text-muted", part && "pl-4 text-xs")}>{words}</dt>
      <dd className={clsx("shrink-0", part && "text-xs text-muted")}>{amount}</dd>
    </div>
  );
}

/** What is paid for outside of tasks, by the operation that spent. */
const purposes: Readonly<Record<string, string>> = {
  "tasks.tryModel": "models in evaluations, training and previews",
  "tasks.tryTool": "tools in evaluations, training and previews",
  "agents.testTool": "tests of tools",
  "knowledge.embedChunks": "vectors of knowledge",
  "chat.beginCompaction": "summaries of conversations",
  "chat.beginSummary": "summaries for handing over",
  "chat.readSuggestions": "suggested replies",
  "workflows.generateWorkflow": "written workflows",
  "missions.planMission": "written plans",
};

/** What the month will have cost at its end, with its intervals, and how good such forecasts were. */
export function ForecastCard({ forecast, zone }: { readonly forecast: Costs["forecast"]; readonly zone: string }) {
  const { total, days, backtest } = forecast;
  const points = days.map(({ from, to, value, low_80, high_80, low_95, high_95 }) => ({
    from,
    to,
    complete: true,
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
