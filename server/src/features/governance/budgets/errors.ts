import { timestamp } from "../../../kernel/clock.ts";
import { defineProblem, type Refusal, type RefusalDetails, refuse } from "../../../kernel/errors.ts";
import { budgetExhausted } from "../../../kernel/problems.ts";
import type { BudgetLimit } from "./facts.ts";
import { amountOf, type BudgetUnit, type BudgetWindow } from "./rules.ts";

export const unknownBudgetScope = defineProblem({
  code: "unknown_budget_scope",
  status: 422,
  title: "The budget would cover nothing",
  cause: "What the path names does not exist, or cannot have a budget, so no call would count.",
  remedy:
    "Correct the name: `errors` suggests the closest one. To set a budget before its agent exists, send `allow_unknown: true`.",
  retryable: false,
});

/** An amount for people: `$0.50`, `3 tasks`. Money has two decimals, and more where it needs them. */
export function formatAmount(unit: BudgetUnit, whole: number): string {
  if (unit !== "usd") return whole === 1 ? `1 ${unit.slice(0, -1)}` : `${whole} ${unit}`;
  const dollars = amountOf(unit, whole);
  return `$${whole % 10_000 === 0 ? dollars.toFixed(2) : dollars.toFixed(6).replace(/0+$/, "")}`;
}

/** What a call found that did not fit into a window. Amounts are whole; `now` (milliseconds) and the window are of the same clock. */
export interface Shortage {
  readonly limit: BudgetLimit;
  readonly window: BudgetWindow;
  readonly used: number;
  readonly need: number;
  readonly now: number;
}

/** When a call is worth repeating that found what is left reserved by calls under way (seconds). */
const retryAfter = 2;
const perPeriod = { hour: "an hour", day: "a day", month: "a month", total: "in total" } as const;

function limitText({ scope, unit, period, hard }: BudgetLimit): string {
  const owner = scope === "environment" ? "this environment" : `the ${scope.replace(":", " ")}`;
  return `The budget of ${owner} is ${formatAmount(unit, hard ?? 0)} ${perPeriod[period]}`;
}

const usedText = ({ limit: { unit }, used }: Shortage): string =>
  `${formatAmount(unit, used)} of it ${used === 1 && unit !== "usd" ? "is" : "are"} used`;
const secondsUntil = (end: number, now: number): number => Math.max(1, Math.ceil((end - now) / 1000));

function exceeded(
  { scope, unit, period, hard }: BudgetLimit,
  detail: string,
  more: object,
  how: Partial<RefusalDetails>,
) {
  const budget = { scope, unit, period, limit: amountOf(unit, hard ?? 0), ...more };
  return refuse(budgetExhausted, detail, { stage: "compliance", ...how, members: { budget } });
}

/** The refusal of a call whose cost is not known. */
export function unpriced(limit: BudgetLimit): Refusal {
  const detail = `${limitText(limit)}, and the cost of this call is not known. Give the model a \`price\` in its settings (0 for a server of your own).`;
  return exceeded(limit, detail, { used: null, resets_at: null }, { retryable: false });
}

/** The refusal of a call that does not fit into what is left. */
export function exhausted(shortage: Shortage): Refusal {
  const { limit, window, used, need, now } = shortage;
  const resets_at = window.to === null ? null : timestamp(window.to);
  const detail = `${limitText(limit)}; ${usedText(shortage)}, and this call needs ${formatAmount(limit.unit, need)}. ${resets_at === null ? "It does not reset." : `It resets at ${resets_at}.`}`;
  const how: Partial<RefusalDetails> =
    window.to === null ? { retryable: false } : { headers: { "Retry-After": String(secondsUntil(window.to, now)) } };
  return exceeded(limit, detail, { used: amountOf(limit.unit, used), resets_at }, how);
}

/**
 * The refusal of a call that would fit, but that calls under way have `reserved` the most that they may use; they give back the rest when they end.
 * The member `budget.reserved` distinguishes it from a budget that is used up.
 */
export function reservedByOthers(shortage: Shortage, reserved: number): Refusal {
  const { limit, window, used, need, now } = shortage;
  const { unit } = limit;
  const detail =
    `${limitText(limit)}; ${usedText(shortage)}, calls under way have reserved ${formatAmount(unit, reserved)}, and this call needs ${formatAmount(unit, need)}. ` +
    "What they do not use is given back when they end: repeat the call in a few seconds.";
  const seconds = window.to === null ? retryAfter : Math.min(retryAfter, secondsUntil(window.to, now));
  const resets_at = window.to === null ? null : timestamp(window.to);
  const more = { used: amountOf(unit, used), resets_at, reserved: amountOf(unit, reserved) };
  return exceeded(limit, detail, more, { retryable: true, headers: { "Retry-After": String(seconds) } });
}

export function neverFits({ limit, used, need }: Shortage): Refusal {
  const detail = `${limitText(limit)}, and this call alone needs ${formatAmount(limit.unit, need)}, more than the whole budget. Raise the limit.`;
  return exceeded(limit, detail, { used: amountOf(limit.unit, used), resets_at: null }, { retryable: false });
}
