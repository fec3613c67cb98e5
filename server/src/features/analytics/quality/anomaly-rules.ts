import { studentCumulative, studentQuantile } from "@aos/statistics";

/** How values are made comparable: numbers of things by Anscombe's root (1948), amounts by their logarithm, others as they are. */
export type ValueKind = "count" | "amount" | "plain";

export const anomalyRules = {
  weeks: 6,
  leastWeeks: 4,
  /** False alarms of an answer about usual hours. */
  level: 0.05,
} as const;

const week = 168;
/** So many values' worth does the spread of the whole series count beside that of the compared hours. */
const pooledWorth = 24;
/** Of the hours before, every fifth tells how they scatter; five and the hours of a day have no common divisor. */
const sampled = 5;
/** Of the information of a standard deviation, what a median absolute deviation keeps. */
const efficiency = 0.37;

/** Most medians are of a few values: sorting these by insertion costs a fraction of a sorted copy. */
const few = new Float64Array(32);

function sortedFew(values: readonly number[]): Float64Array {
  for (let count = 0; count < values.length; count++) {
    const value = values[count] as number;
    let at = count;
    for (; at > 0 && (few[at - 1] as number) > value; at--) few[at] = few[at - 1] as number;
    few[at] = value;
  }
  return few;
}

function medianOf(values: readonly number[]): number {
  const sorted = values.length <= few.length ? sortedFew(values) : Float64Array.from(values).sort();
  const middle = values.length >> 1;
  const high = sorted[middle] as number;
  return values.length % 2 === 1 ? high : ((sorted[middle - 1] as number) + high) / 2;
}
/** The median absolute deviation, as large as the standard deviation of normal values. */
const deviationOf = (values: readonly number[], middle: number): number =>
  1.4826 * medianOf(values.map((value) => Math.abs(value - middle)));

interface Scale {
  readonly to: (value: number) => number;
  readonly back: (value: number) => number;
  /** The least spread that is believed: Poisson's for numbers, 10 % for amounts. */
  readonly least: number;
}

function scaleOf(kind: ValueKind, values: readonly number[]): Scale {
  if (kind === "count")
    return {
      to: (value) => 2 * Math.sqrt(value + 0.375),
      back: (root) => Math.max(0, (root / 2) ** 2 - 0.375),
      least: 1,
    };
  const positive = values.filter((value) => value > 0);
  const usual = positive.length === 0 ? 1 : medianOf(positive);
  if (kind === "plain") return { to: (value) => value, back: (value) => value, least: Math.max(0.02 * usual, 1e-6) };
  const shift = usual / 10;
  return { to: (value) => Math.log(value + shift), back: (log) => Math.max(0, Math.exp(log) - shift), least: 0.1 };
}

export interface Judged {
  readonly expected: number;
  /** 95 % of such values lie between these. */
  readonly low: number;
  readonly high: number;
  readonly n: number;
  /** How often chance gives such a value or a higher one, and such or a lower one. */
  readonly pHigh: number;
  readonly pLow: number;
}

/**
 * Judges a value by its distance from the median of comparable ones, in median absolute deviations, by Student's t whose degrees of freedom say how well the spread
 * is known. `pooledAt`: the spread of the whole series around what is usual at each hour, where there is one. Null where there are too few to compare with.
 */
function judgeScaled(
  value: number,
  comparable: readonly number[],
  scale: Scale,
  pooledAt: (middle: number) => number | null,
): Judged | null {
  const n = comparable.length;
  if (n < anomalyRules.leastWeeks) return null;
  const middle = medianOf(comparable);
  const pooled = pooledAt(middle);
  const own = deviationOf(comparable, middle);
  const worth = pooled === null ? 0 : pooledWorth;
  const spread = Math.max(Math.sqrt((n * own ** 2 + worth * (pooled ?? 0) ** 2) / (n + worth)), scale.least);
  const freedom = Math.max(2, efficiency * (n - 1) + worth);
  // The median has an error of its own, half as large again as the mean's.
  const error = spread * Math.sqrt(1 + 1.57 / n);
  const t = (value - middle) / error;
  const half = error * studentQuantile(0.975, freedom);
  return {
    n,
    expected: scale.back(middle),
    low: scale.back(middle - half),
    high: scale.back(middle + half),
    pHigh: studentCumulative(-t, freedom),
    pLow: studentCumulative(t, freedom),
  };
}

export function judgeValue(value: number, comparable: readonly number[], kind: ValueKind): Judged | null {
  const scale = scaleOf(kind, comparable);
  return judgeScaled(scale.to(value), comparable.map(scale.to), scale, () => null);
}

/** Values hour by hour; null: nothing to measure. `from`: where the looked-at window begins, what is before it only compares. */
export interface HourSeries {
  readonly values: readonly (number | null)[];
  readonly from: number;
  readonly kind: ValueKind;
}

export interface JudgedHour extends Judged {
  readonly hour: number;
  readonly observed: number;
}

/** The values at this hour of earlier weeks and at the hours beside it, as far as the series goes back to something. */
function comparableAt(values: readonly (number | null)[], hour: number, begin: number): number[] {
  const found: number[] = [];
  for (let back = 1; back <= anomalyRules.weeks; back++) {
    for (const beside of [-1, 0, 1]) {
      const at = hour - back * week + beside;
      const value = at >= begin ? values[at] : null;
      if (value !== null && value !== undefined) found.push(value);
    }
  }
  return found;
}

/** The first hour that has something; what is before it is not known to be usual. */
const beginOf = (values: readonly (number | null)[]): number => {
  const at = values.findIndex((value) => value !== null && value > 0);
  return at < 0 ? values.length : at;
};

/** Whole weeks that a series has before the looked-at window, at most six. */
export const weeksBefore = ({ values, from }: Pick<HourSeries, "values" | "from">): number =>
  Math.max(0, Math.min(anomalyRules.weeks, Math.floor((from - beginOf(values)) / week)));

/** Every hour of the looked-at window beside the same hours of earlier weeks. Those with too little to compare with are left out. */
export function judgeHours({ values, from, kind }: HourSeries): JudgedHour[] {
  const known = values.filter((value): value is number => value !== null);
  const scale = scaleOf(kind, known);
  const scaled = values.map((value) => (value === null ? null : scale.to(value)));
  const begin = beginOf(values);
  const compared = (hour: number) => comparableAt(scaled, hour, begin);
  const pooled = pooledSpread(scaled, compared, begin, from);
  const result: JudgedHour[] = [];
  for (let hour = from; hour < values.length; hour++) {
    const [observed, value] = [values[hour], scaled[hour]];
    if (hour - begin < anomalyRules.leastWeeks * week) continue;
    if (observed === null || observed === undefined || value === null || value === undefined) continue;
    const judged = judgeScaled(value, compared(hour), scale, pooled);
    if (judged) result.push({ hour, observed, ...judged });
  }
  return result;
}

/**
 * How hours before the looked-at window lie around the median of the same hours of their earlier weeks: of hours with as much to do as one, since quiet hours scatter
 * more than busy ones. Hours are grouped by quarters of that median. Null where there are too few.
 */
function pooledSpread(
  scaled: readonly (number | null)[],
  compared: (hour: number) => number[],
  begin: number,
  from: number,
): (level: number) => number | null {
  const residuals: { level: number; by: number }[] = [];
  for (let hour = begin + 2 * week; hour < from; hour += sampled) {
    const value = scaled[hour];
    const others = compared(hour);
    if (value === null || value === undefined || others.length < 4) continue;
    const level = medianOf(others);
    // A median of few values strays; what is left of it is taken off.
    residuals.push({ level, by: (value - level) / Math.sqrt(1 + 1.57 / others.length) });
  }
  if (residuals.length < 4 * pooledWorth) return () => null;
  residuals.sort((a, b) => a.level - b.level);
  const quarters = [0, 1, 2, 3].map((quarter) => {
    const part = residuals.slice((quarter * residuals.length) / 4, ((quarter + 1) * residuals.length) / 4);
    const deviation = deviationOf(
      part.map(({ by }) => by),
      0,
    );
    return { least: part[0]?.level ?? 0, deviation };
  });
  return (level) => (quarters.findLast(({ least }) => level >= least) ?? quarters[0])?.deviation ?? null;
}

export interface Silence {
  readonly from: number;
  readonly to: number;
  readonly expected: number;
  readonly n: number;
  readonly p: number;
}

/**
 * Runs of hours without anything in the looked-at window, where earlier weeks had some: by the sum of the usual numbers, as few as that by Poisson's distribution,
 * its mean made smaller as far as numbers scatter more than Poisson's.
 */
export function findSilences({ values, from }: Pick<HourSeries, "values" | "from">): Silence[] {
  const begin = beginOf(values);
  const numbers = values.map((value) => value ?? 0);
  const found: Silence[] = [];
  for (let hour = Math.max(from, begin + anomalyRules.leastWeeks * week); hour < numbers.length; hour++) {
    if (numbers[hour] !== 0) continue;
    let to = hour + 1;
    while (to < numbers.length && numbers[to] === 0) to++;
    const silence = judgeSilence(numbers, hour, to, begin);
    if (silence) found.push(silence);
    hour = to;
  }
  return found;
}

function judgeSilence(numbers: readonly number[], from: number, to: number, begin: number): Silence | null {
  const totals: number[] = [];
  for (let back = 1; back <= anomalyRules.weeks && from - back * week >= begin; back++) {
    let total = 0;
    for (let hour = from; hour < to; hour++) total += numbers[hour - back * week] as number;
    totals.push(total);
  }
  if (totals.length < anomalyRules.leastWeeks || totals.some((total) => total === 0)) return null;
  const expected = medianOf(totals);
  const scatter = Math.max(1, deviationOf(totals, expected) ** 2 / expected);
  return { from, to, expected, n: totals.length, p: Math.exp(-expected / scatter) };
}
