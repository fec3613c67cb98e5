import { type Judged, judgeValue, type ValueKind } from "../quality/anomaly-rules.ts";
import { type MeasureName, measures } from "../rollups/measures.ts";
import type { AlertCondition, AlertState } from "./schemas.ts";

/** What a look saw: beyond the threshold, back within, between the two, or too little to say. */
export type Reading = "beyond" | "between" | "within" | "no_data";

/** Where an alert stands. Times are milliseconds since the epoch. */
export interface Standing {
  readonly state: AlertState;
  readonly since: number;
  readonly fired: boolean;
  /** Since when every look saw it beyond, or back within; null: the last one did not. */
  readonly beyondSince: number | null;
  readonly withinSince: number | null;
  readonly lookedAt: number | null;
}

export interface Step {
  readonly standing: Standing;
  readonly event: "fired" | "cleared" | null;
}

/** A step with what was measured, and when the alert is looked at next (milliseconds). */
export interface AlertEvaluation extends Step {
  readonly value: number | null;
  readonly n: number;
  readonly error: string | null;
  readonly dueAt: number;
}

/** Looks farther apart say nothing of the time between. */
export const longestGap = 11 * 60_000;

/**
 * What a look makes of an alert. It fires once it was beyond its threshold in every look for `forMs`, and clears once it was back within `clear_at` in every look for as
 * long; between the two it stays what it is. Without data it neither fires nor clears, and its times start over.
 */
export function stepAlert(before: Standing, reading: Reading, now: number, forMs: number): Step {
  const isContinued = before.lookedAt !== null && now - before.lookedAt <= longestGap;
  const streak = (is: boolean, since: number | null) => (is ? ((isContinued ? since : null) ?? now) : null);
  const beyondSince = streak(reading === "beyond", before.beyondSince);
  const withinSince = streak(reading === "within", before.withinSince);
  const fires = !before.fired && beyondSince !== null && now - beyondSince >= forMs;
  const clears = before.fired && withinSince !== null && now - withinSince >= forMs;
  const fired = fires || (before.fired && !clears);
  const state = stateOf(reading, fired);
  const since = state === before.state ? before.since : now;
  return {
    standing: { state, since, fired, beyondSince, withinSince, lookedAt: now },
    event: fires ? "fired" : clears ? "cleared" : null,
  };
}

function stateOf(reading: Reading, fired: boolean): AlertState {
  if (reading === "no_data") return "no_data";
  if (fired) return reading === "within" ? "recovering" : "firing";
  return reading === "beyond" ? "pending" : "ok";
}

/** Where an alert stands that was not looked at yet, or whose looks were interrupted. */
export const beginning = (now: number, fired = false): Standing => ({
  state: "waiting",
  since: now,
  fired,
  beyondSince: null,
  withinSince: null,
  lookedAt: null,
});

/** A measured window, and the same windows of earlier weeks with those beside them where the condition needs these. */
export interface Looked {
  readonly value: number | null;
  readonly n: number;
  readonly earlier: readonly number[];
}

/** Default threshold for clearing: a tenth of the threshold on its good side. */
export function clearAt(condition: Extract<AlertCondition, { kind: "above" | "below" }>): number {
  const margin = Math.abs(condition.threshold) / 10;
  return condition.clear_at ?? condition.threshold + (condition.kind === "above" ? -margin : margin);
}

export function readingOf(condition: AlertCondition, measure: MeasureName, looked: Looked, leastN: number): Reading {
  const { value, n } = looked;
  if (value === null || n < leastN) return "no_data";
  if (condition.kind === "anomaly") return unusual(condition, judgeValue(value, looked.earlier, valueKind(measure)));
  const side = condition.kind === "above" ? 1 : -1;
  if (side * (value - condition.threshold) > 0) return "beyond";
  return side * (value - clearAt(condition)) <= 0 ? "within" : "between";
}

function unusual({ direction, once_in }: Extract<AlertCondition, { kind: "anomaly" }>, judged: Judged | null): Reading {
  if (!judged) return "no_data";
  const { pHigh, pLow } = judged;
  const p = direction === "high" ? pHigh : direction === "low" ? pLow : 2 * Math.min(pHigh, pLow);
  if (p <= 1 / once_in) return "beyond";
  // It is usual again where such a value comes ten times as often as what fires.
  return p >= 10 / once_in ? "within" : "between";
}

export function valueKind(measure: MeasureName): ValueKind {
  const { unit } = measures[measure];
  if (unit === "count") return "count";
  return unit === "share" || unit === "score" ? "plain" : "amount";
}

/** Default for the fewest things that a window needs: counts and sums are defined even for none. */
export const standardLeast = (measure: MeasureName): number => (measures[measure].formula.kind === "sum" ? 0 : 20);
