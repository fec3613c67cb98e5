import { cholesky, type Matrix, solve, studentQuantile, zeroMatrix } from "@aos/statistics";

/**
 * What days will cost. Two weeks of whole days or more: ordinary least squares of level, trend and effects of weekdays, with the prediction interval of linear
 * regression for one day and for a sum of days (Student's t, residual variance; Hyndman and Athanasopoulos, Forecasting: Principles and Practice, 3rd ed., 7.9).
 * Below two weeks, the seasonal naive method (5.2 there): each day as a week before; below one week the mean. Errors of days count as independent.
 */

/** A whole day that is over. Days follow each other without a gap. */
export interface SpentDay {
  /** 0 to 6, whichever day 0 is. */
  readonly weekday: number;
  readonly spent: number;
}

/** A day to come; `part`: how much of it, 1 but for the present day. */
export interface ComingDay {
  readonly weekday: number;
  readonly part: number;
}

export interface Expected {
  readonly value: number;
  readonly low80: number;
  readonly high80: number;
  readonly low95: number;
  readonly high95: number;
}

export interface Forecast {
  readonly method: "trend_and_weekdays" | "seasonal_naive";
  readonly days: readonly Expected[];
  readonly sum: Expected;
}

export interface Backtest {
  readonly forecasts: number;
  readonly meanAbsoluteError: number;
  readonly relativeError: number | null;
  readonly covered80: number;
  readonly covered95: number;
}

const week = 7;
/** Whole days that the regression takes, and the fewest of all. */
const regressionFrom = 2 * week;
const fewest = 3;
/** Days that are learnt from at most: older habits do not count. */
export const mostLearnt = 8 * week;
const mostBacktests = 4;

/** Mean and variance of the error of weighted days together, and what the variance rests on. */
interface Predictor {
  readonly method: Forecast["method"];
  readonly degrees: number;
  predict(days: readonly { readonly index: number; readonly day: ComingDay }[]): { value: number; variance: number };
}

/** What `coming` will cost, which follow right after `past`; null: too few days to say. */
export function forecast(past: readonly SpentDay[], coming: readonly ComingDay[]): Forecast | null {
  const known = past.slice(-mostLearnt);
  if (known.length < fewest) return null;
  const model = known.length < regressionFrom ? naive(known) : regression(known);
  const placed = coming.map((day, index) => ({ index, day }));
  const days = placed.map((one) => expected(model, [one]));
  return { method: model.method, days, sum: expected(model, placed) };
}

function expected(model: Predictor, days: Parameters<Predictor["predict"]>[0]): Expected {
  const { value, variance } = model.predict(days);
  const spread = Math.sqrt(Math.max(0, variance));
  const bound = (p: number): number => Math.max(0, value + studentQuantile(p, model.degrees) * spread);
  return {
    value: Math.max(0, value),
    low80: bound(0.1),
    high80: bound(0.9),
    low95: bound(0.025),
    high95: bound(0.975),
  };
}

/** Level, trend (in units of the learnt length) and six weekdays against the seventh. */
const parameters = 8;
function features(weekday: number, at: number, length: number): number[] {
  const row = new Array<number>(parameters).fill(0);
  row[0] = 1;
  row[1] = at / length - 0.5;
  if (weekday > 0) row[1 + weekday] = 1;
  return row;
}

function regression(past: readonly SpentDay[]): Predictor {
  const { length } = past;
  const rows = past.map(({ weekday }, at) => features(weekday, at, length));
  const lower = cholesky(products(rows));
  const weighted = new Float64Array(parameters);
  for (const [at, row] of rows.entries())
    for (const [k, x] of row.entries()) weighted[k] = (weighted[k] as number) + x * (past[at] as SpentDay).spent;
  const fitted = solve(lower, weighted);
  const degrees = length - parameters;
  const residuals = past.map(({ spent }, at) => spent - dot(rows[at] as number[], fitted));
  const noise = dot(residuals, residuals) / degrees;
  return {
    method: "trend_and_weekdays",
    degrees,
    predict(days) {
      const sum = new Float64Array(parameters);
      let own = 0;
      for (const { index, day } of days) {
        own += day.part;
        const row = features(day.weekday, length + index, length);
        for (const [k, x] of row.entries()) sum[k] = (sum[k] as number) + day.part * x;
      }
      return { value: dot(sum, fitted), variance: noise * (own + dot(sum, solve(lower, sum))) };
    },
  };
}

function products(rows: readonly number[][]): Matrix {
  const matrix = zeroMatrix(parameters);
  for (const row of rows)
    for (const [i, x] of row.entries())
      for (const [j, y] of row.entries())
        (matrix[i] as Float64Array)[j] = ((matrix[i] as Float64Array)[j] as number) + x * y;
  return matrix;
}

const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
};

/** The noise is that of all days around their mean: rather too much where weekdays differ. */
function naive(past: readonly SpentDay[]): Predictor {
  const mean = past.reduce((sum, { spent }) => sum + spent, 0) / past.length;
  const noise = past.reduce((sum, { spent }) => sum + (spent - mean) ** 2, 0) / (past.length - 1);
  const byWeekday = new Map(past.length < week ? [] : past.map(({ weekday, spent }) => [weekday, spent]));
  return {
    method: "seasonal_naive",
    degrees: past.length - 1,
    predict(days) {
      const used = new Map<number | null, number>();
      let [value, own] = [0, 0];
      for (const { day } of days) {
        const before = byWeekday.get(day.weekday);
        value += day.part * (before ?? mean);
        own += day.part;
        const source = before === undefined ? null : day.weekday;
        used.set(source, (used.get(source) ?? 0) + day.part);
      }
      const again = [...used].reduce(
        (sum, [source, parts]) => sum + parts ** 2 / (source === null ? past.length : 1),
        0,
      );
      return { value, variance: noise * (own + again) };
    },
  };
}

/** How good forecasts of a week would have been, made at the ends of the last weeks but one; null: too few days. */
export function backtest(past: readonly SpentDay[]): Backtest | null {
  const origins = Array.from({ length: mostBacktests }, (_, k) => past.length - week * (k + 1));
  const tried = origins.flatMap((origin) => {
    const predicted = origin < week ? null : forecast(past.slice(0, origin), comingWeek(past, origin));
    return predicted ? [{ predicted, was: past.slice(origin, origin + week).map(({ spent }) => spent) }] : [];
  });
  if (tried.length === 0) return null;
  const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
  const errors = tried.map(({ predicted, was }) => Math.abs(predicted.sum.value - total(was)));
  const spent = total(tried.flatMap(({ was }) => was));
  const pairs = tried.flatMap(({ predicted, was }) =>
    predicted.days.map((day, at) => ({ day, was: was[at] as number })),
  );
  const covered = (low: "low80" | "low95", high: "high80" | "high95"): number =>
    pairs.filter(({ day, was }) => day[low] <= was && was <= day[high]).length / pairs.length;
  return {
    forecasts: tried.length,
    meanAbsoluteError: total(errors) / tried.length,
    relativeError: spent > 0 ? total(errors) / spent : null,
    covered80: covered("low80", "high80"),
    covered95: covered("low95", "high95"),
  };
}

const comingWeek = (past: readonly SpentDay[], origin: number): ComingDay[] =>
  past.slice(origin, origin + week).map(({ weekday }) => ({ weekday, part: 1 }));
