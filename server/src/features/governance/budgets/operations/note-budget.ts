import { timestamp } from "../../../../kernel/clock.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { budgetExhaustedEvent, budgetWarning } from "../events.ts";
import { amountOf, type BudgetPeriod, type BudgetUnit, type BudgetWindow } from "../rules.ts";
import { findWindow, markWindow } from "../store.ts";

export interface NoteBudget {
  readonly scope: string;
  readonly unit: BudgetUnit;
  readonly period: BudgetPeriod;
  readonly window: BudgetWindow;
  readonly kind: "warning" | "exhausted";
  /** The level that was found to be reached, as the process knew it; whole units. One that was raised since tells nothing. */
  readonly level: number;
}

/** Tells subscribers, once per window, that a budget has reached its warning level or is used up. Processes that find it at once tell it once. */
export const noteBudget: InsideOperation<NoteBudget, { noted: boolean }> = defineInside({
  id: "governance.noteBudget",
  summary: "Tell that a budget has reached a limit",
  permission: exempt("a machine of the service itself"),
  load: (ctx, input: NoteBudget) => findWindow(ctx, keyOf(ctx.scope, input)),
  gate: exempt("tells of something, starts nothing"),
  compliance: exempt("carries out what the budget says"),
  audit: ({ params }) => `budget:${params.scope}`,
  emits: [budgetWarning, budgetExhaustedEvent],
  async handle(ctx, { params, loaded }) {
    const limit = params.kind === "warning" ? loaded.warn : loaded.hard;
    if (
      limit === null ||
      !isReached(params, limit, loaded.used) ||
      !(await markWindow(ctx, keyOf(ctx.scope, params), params.kind))
    )
      return { noted: false };
    const { scope, unit, period, window } = params;
    const body = {
      scope,
      unit,
      period,
      limit: amountOf(unit, limit),
      used: amountOf(unit, loaded.used),
      window_from: timestamp(window.from),
      window_to: window.to === null ? null : timestamp(window.to),
    };
    if (params.kind === "warning") ctx.emit(budgetWarning, body);
    else ctx.emit(budgetExhaustedEvent, body);
    return { noted: true };
  },
});

/** What is left can be too little for a call before all is used: that the limit is used up is believed of the limit that was seen, or a lower one. */
const isReached = ({ kind, level }: NoteBudget, limit: number, used: number): boolean =>
  kind === "warning" ? used >= limit : limit <= level || used >= limit;

function keyOf(
  { organization, environment }: { organization: string; environment: string },
  { scope, unit, period, window }: NoteBudget,
) {
  return { organization, environment, scope, unit, period, startsAt: window.from };
}
