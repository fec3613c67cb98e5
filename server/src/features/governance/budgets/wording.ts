import { timestamp } from "../../../kernel/clock.ts";
import { type Refusal, refuse } from "../../../kernel/errors.ts";
import { budgetExhausted } from "../../../kernel/problems.ts";
import type { BudgetLimit } from "./facts.ts";
import { amountOf, type BudgetUnit, type BudgetWindow } from "./model.ts";

const pieces = (unit: Exclude<BudgetUnit, "usd">, count: number): string => (count === 1 ? `1 ${unit.slice(0, -1)}` : `${count} ${unit}`);

/** An amount for people: `$0.50`, `3 tasks`. Money is told to the cent, and further where it has to be. */
export function tell(unit: BudgetUnit, whole: number): string {
  if (unit !== "usd") return pieces(unit, whole);
  const dollars = amountOf(unit, whole);
  return `$${whole % 10_000 === 0 ? dollars.toFixed(2) : dollars.toFixed(6).replace(/0+$/, "")}`;
}

const perPeriod = { hour: "an hour", day: "a day", month: "a month", total: "in total" } as const;

function owner(scope: string): string {
  const cut = scope.indexOf(":");
  if (cut < 0) return "this environment";
  const [kind, id] = [scope.slice(0, cut), scope.slice(cut + 1)];
  return `the ${kind} ${id}`;
}

/** The refusal of a call of which nobody knows what it costs. */
export function unpriced({ scope, unit, period, hard }: BudgetLimit): Refusal {
  const detail =
    `The budget of ${owner(scope)} is ${tell(unit, hard ?? 0)} ${perPeriod[period]}, and what this call costs is not known, so that it could not hold. ` +
    "Give the model a `price` in its settings (0 for a server of your own).";
  const budget = { scope, unit, period, limit: amountOf(unit, hard ?? 0), used: null, resets_at: null };
  return refuse(budgetExhausted, detail, { stage: "compliance", retryable: false, members: { budget } });
}

/** The refusal of a call that needs `need` of a limit of which `used` is used. `now` and the window are of the same clock. */
export function exhausted(limit: BudgetLimit, window: BudgetWindow, used: number, need: number, now: number): Refusal {
  const { scope, unit, period } = limit;
  const hard = limit.hard ?? 0;
  const anew = window.to === null ? "It does not start anew." : `It starts anew at ${timestamp(window.to)}.`;
  const detail = `The budget of ${owner(scope)} is ${tell(unit, hard)} ${perPeriod[period]}; ${tell(unit, used)} of it ${used === 1 && unit !== "usd" ? "is" : "are"} used, and this call needs ${tell(unit, need)}. ${anew}`;
  return refuse(budgetExhausted, detail, {
    stage: "compliance",
    ...(window.to === null
      ? { retryable: false }
      : { headers: { "Retry-After": String(Math.max(1, Math.ceil((window.to - now) / 1000))) } }),
    members: {
      budget: {
        scope,
        unit,
        period,
        limit: amountOf(unit, hard),
        used: amountOf(unit, used),
        resets_at: window.to === null ? null : timestamp(window.to),
      },
    },
  });
}
