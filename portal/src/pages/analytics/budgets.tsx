import { Link } from "@tanstack/react-router";
import type { Schema } from "../../api/types.ts";
import { exactUsd, percent } from "../../lib/words.ts";
import { Badge } from "../../ui/badge.tsx";
import { Card } from "../../ui/card.tsx";
import { Progress } from "../../ui/progress.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { valueText } from "./words.ts";

type BudgetUse = Schema<"BudgetUse">;
type BudgetSpend = Schema<"BudgetSpend">;

const tones = { ok: "good", warning: "warn", exhausted: "bad" } as const;

/** How far budgets are used up. */
export function BudgetsCard({ budgets }: { readonly budgets: readonly (BudgetUse | BudgetSpend)[] }) {
  if (budgets.length === 0) return null;
  return (
    <Card title="Budgets">
      <ul className="grid gap-4 text-sm">
        {budgets.map((budget) => (
          <li key={`${budget.scope} ${budget.unit} ${budget.period}`} className="grid gap-1.5">
            <p className="flex flex-wrap items-baseline justify-between gap-x-4">
              <span className="font-medium">
                <span
                  title={budget.scope}
                  className={budget.scope.startsWith("agent:") ? "" : "inline-block first-letter:uppercase"}
                >
                  {budget.name}
                </span>
                , {budget.period}
              </span>
              <span className="tabular-nums">
                {amount(budget, budget.used)} of {amount(budget, budget.limit)}{" "}
                <Badge tone={tones[budget.state as keyof typeof tones] ?? "neutral"}>
                  {budget.share === null ? budget.state : percent(budget.share)}
                </Badge>
              </span>
            </p>
            <Progress
              value={Math.min(1, budget.share ?? 1)}
              label={`${budget.name}, used`}
              tone={budget.state === "exhausted" ? "bad" : "accent"}
            />
            {"tasks_usd" in budget ? <p className="text-xs text-muted">{spentOn(budget)}</p> : null}
            <p className="text-xs text-muted">
              {budget.forecast === null ? "" : `${amount(budget, budget.forecast)} expected at the end of its window. `}
              {budget.resets_at === null ? null : (
                <>
                  Resets <RelativeTime time={budget.resets_at} />.
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** What of a budget was used by what. */
function spentOn({ used, tasks_usd, outside_usd, unlisted_usd }: BudgetSpend): string {
  const parts = [
    `${exactUsd(tasks_usd)} by tasks`,
    `${exactUsd(outside_usd)} outside of tasks`,
    ...(unlisted_usd > 0 ? [`${exactUsd(unlisted_usd)} before the ledger was kept`] : []),
  ];
  return `${exactUsd(used)} used in its present window, in UTC: ${parts.join(", ")}.`;
}

const amount = ({ unit }: BudgetUse, value: number): string =>
  unit === "usd" || unit === "cost_usd" ? valueText(value, "usd") : `${valueText(value, "count")} ${unit}`;

/** A link to one agent's canary, for lists of them. */
export const CanaryLink = ({ agent, children }: { readonly agent: string; readonly children: React.ReactNode }) => (
  <Link to="/agents/$agent" params={{ agent }} search={{ tab: "canary" }} className="font-medium hover:underline">
    {children}
  </Link>
);
