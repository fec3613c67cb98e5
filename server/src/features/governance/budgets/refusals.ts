import { timestamp } from "../../../kernel/clock.ts";
import { type Refusal, refuse } from "../../../kernel/errors.ts";
import { budgetExhausted } from "../../../kernel/problems.ts";
import type { BudgetLimit } from "./facts.ts";
import { amountOf, type BudgetUnit, type BudgetWindow } from "./model.ts";

const pieces = (unit: Exclude<BudgetUnit, "usd">, count: number): string =>
  count === 1 ? `1 ${unit.slice(0, -1)}` : `${count} ${unit}`;

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
export function unpriced(limit: BudgetLimit): Refusal {
  const { scope, unit, period, hard } = limit;
  const detail =
    `${told(limit)}, and what this call costs is not known, so that it could not hold. ` +
    "Give the model a `price` in its settings (0 for a server of your own).";
  const budget = { scope, unit, period, limit: amountOf(unit, hard ?? 0), used: null, resets_at: null };
  return refuse(budgetExhausted, detail, { stage: "compliance", retryable: false, members: { budget } });
}

/** What a call met that found too little in a window. Amounts are whole; `now` (milliseconds) and the window are of the same clock. */
export interface Shortage {
  readonly limit: BudgetLimit;
  readonly window: BudgetWindow;
  /** Used in the window; it never comes back. */
  readonly used: number;
  readonly need: number;
  readonly now: number;
}

/** After so many seconds a call is worth repeating that found what is left in the hands of calls under way. */
const againAfter = 2;

const told = ({ scope, unit, period, hard }: BudgetLimit): string =>
  `The budget of ${owner(scope)} is ${tell(unit, hard ?? 0)} ${perPeriod[period]}`;
const areOf = (unit: BudgetUnit, whole: number): string =>
  `${tell(unit, whole)} of it ${whole === 1 && unit !== "usd" ? "is" : "are"}`;
const secondsUntil = (end: number, now: number): number => Math.max(1, Math.ceil((end - now) / 1000));

function membersOf({ limit: { scope, unit, period, hard }, window, used }: Shortage) {
  const resets = window.to === null ? null : timestamp(window.to);
  return { scope, unit, period, limit: amountOf(unit, hard ?? 0), used: amountOf(unit, used), resets_at: resets };
}

/** The refusal of a call that does not fit any more, since too much of the limit is used. */
export function exhausted(shortage: Shortage): Refusal {
  const { limit, window, used, need, now } = shortage;
  const { unit } = limit;
  const anew = window.to === null ? "It does not start anew." : `It starts anew at ${timestamp(window.to)}.`;
  const detail = `${told(limit)}; ${areOf(unit, used)} used, and this call needs ${tell(unit, need)}. ${anew}`;
  return refuse(budgetExhausted, detail, {
    stage: "compliance",
    ...(window.to === null
      ? { retryable: false }
      : { headers: { "Retry-After": String(secondsUntil(window.to, now)) } }),
    members: { budget: membersOf(shortage) },
  });
}

/**
 * The refusal of a call that would still fit by what is used: calls under way hold `reserved` for the most that they may use, and give back what they did
 * not use when they end. The member `budget.reserved` tells it from one of a budget that is used up.
 */
export function reservedByOthers(shortage: Shortage, reserved: number): Refusal {
  const { limit, window, used, need, now } = shortage;
  const { unit } = limit;
  const detail =
    `${told(limit)}; ${areOf(unit, used)} used, calls under way hold ${tell(unit, reserved)}, and this call needs ${tell(unit, need)}. ` +
    "What they do not use comes back when they end: repeat the call in a few seconds.";
  const seconds = window.to === null ? againAfter : Math.min(againAfter, secondsUntil(window.to, now));
  return refuse(budgetExhausted, detail, {
    stage: "compliance",
    retryable: true,
    headers: { "Retry-After": String(seconds) },
    members: { budget: { ...membersOf(shortage), reserved: amountOf(unit, reserved) } },
  });
}

/** The refusal of a call that needs more than the whole limit: no window has room for it. */
export function neverFits(shortage: Shortage): Refusal {
  const { limit, need } = shortage;
  const detail = `${told(limit)}, and this call alone needs ${tell(limit.unit, need)}: it does not fit even where nothing is used. Have the limit raised.`;
  const budget = { ...membersOf(shortage), resets_at: null };
  return refuse(budgetExhausted, detail, { stage: "compliance", retryable: false, members: { budget } });
}
