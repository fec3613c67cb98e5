import { isoTime, timestamp } from "../../../kernel/clock.ts";
import { digestRevision } from "../../../kernel/etag.ts";
import { amountOf, forecastOf, stateOf, windowAt } from "./model.ts";
import type { Budget, BudgetLimit } from "./schemas.ts";
import type { LimitRow } from "./store.ts";

/** The revision of a budget: of its limits, not of what was used of them. */
export const budgetRevision = ({ limits }: Pick<Budget, "limits">): string =>
  digestRevision(limits.map(({ unit, period, hard, warn }) => ({ unit, period, hard, warn })));

/** A budget as it is read. */
export function budgetView(scope: string, rows: readonly LimitRow[]): Budget {
  return { scope, limits: rows.map(limitView) };
}

function limitView(row: LimitRow): BudgetLimit {
  const { unit, period, hard, warn, used, granted } = row;
  const now = row.now.getTime();
  const window = windowAt(period, now, row.created_at.getTime());
  const forecast = forecastOf(used, window, now);
  const amount = (whole: number | null): number | null => (whole === null ? null : amountOf(unit, whole));
  return {
    unit,
    period,
    hard: amount(hard),
    warn: amount(warn),
    used: amountOf(unit, used),
    reserved: amountOf(unit, granted),
    available: hard === null ? null : amountOf(unit, Math.max(0, hard - used - granted)),
    forecast: amount(forecast),
    window: { from: timestamp(window.from), to: window.to === null ? null : timestamp(window.to) },
    state: stateOf(used, hard, warn),
    updated_at: isoTime(row.updated_at),
  };
}
