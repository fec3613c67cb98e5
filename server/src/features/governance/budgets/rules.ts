import type { Demand } from "../../../kernel/budget.ts";
import { microsOf, usdOfMicros } from "../../../kernel/ledger.ts";

export const budgetUnits = ["usd", "tokens", "tasks", "steps"] as const;
export type BudgetUnit = (typeof budgetUnits)[number];
export const budgetPeriods = ["hour", "day", "month", "total"] as const;
export type BudgetPeriod = (typeof budgetPeriods)[number];
export const budgetStates = ["ok", "warning", "exhausted"] as const;
export type BudgetState = (typeof budgetStates)[number];

/** An amount on the wire as it is stored: whole. Money in millionths of a US dollar, rounded up as the ledger charges it; everything else in pieces. */
export function wholeOf(unit: BudgetUnit, amount: number): number {
  return unit === "usd" ? microsOf(amount) : Math.ceil(amount);
}

/** A stored amount on the wire: money in US dollars. */
export function amountOf(unit: BudgetUnit, whole: number): number {
  return unit === "usd" ? usdOfMicros(whole) : whole;
}

/** How much of a unit a demand names, whole; 0 where it names none. */
export function demandOf(unit: BudgetUnit, demand: Demand): number {
  const amount = demand[unit];
  return amount === undefined || amount <= 0 ? 0 : wholeOf(unit, amount);
}

/** When a window begins and ends, in milliseconds since the epoch; `to` is null for a total, which has no end. */
export interface BudgetWindow {
  readonly from: number;
  readonly to: number | null;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The window of UTC in which a moment lies. `since` is when the limit was set: there the window of a total begins. */
export function windowAt(period: BudgetPeriod, ms: number, since: number): BudgetWindow {
  if (period === "total") return { from: since, to: null };
  if (period === "month") {
    const day = new Date(ms);
    const [year, month] = [day.getUTCFullYear(), day.getUTCMonth()];
    return { from: Date.UTC(year, month), to: Date.UTC(year, month + 1) };
  }
  const length = period === "hour" ? HOUR : DAY;
  const from = Math.floor(ms / length) * length;
  return { from, to: from + length };
}

/** What will have been used at the end of the window if it goes on as it did, whole; null in the first tenth of the window, and for a total. */
export function forecastOf(used: number, { from, to }: BudgetWindow, now: number): number | null {
  if (to === null) return null;
  const elapsed = now - from;
  if (elapsed * 10 < to - from) return null;
  return Math.round((used * (to - from)) / Math.min(elapsed, to - from));
}

export function stateOf(used: number, hard: number | null, warn: number | null): BudgetState {
  if (hard !== null && used >= hard) return "exhausted";
  return warn !== null && used >= warn ? "warning" : "ok";
}

export type BudgetScope =
  | { readonly kind: "environment" }
  | { readonly kind: "agent"; readonly agent: string }
  | { readonly kind: "key"; readonly key: string }
  | { readonly kind: "member"; readonly member: string };

/** `environment`, `agent:<name>`, `key:<key_…>` or `member:<mbr_…>`; undefined for any other text. */
export function parseBudgetScope(text: string): BudgetScope | undefined {
  if (text === "environment") return { kind: "environment" };
  const cut = text.indexOf(":");
  const [kind, id] = [text.slice(0, cut), text.slice(cut + 1)];
  if (id === "" || id.includes("\0")) return undefined;
  if (kind === "agent") return { kind, agent: id };
  if (kind === "key") return { kind, key: id };
  return kind === "member" ? { kind, member: id } : undefined;
}
