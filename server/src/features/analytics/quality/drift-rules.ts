import { studentCumulative } from "@aos/statistics";

/** A value with its 95 % interval and how many things it is about. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly n: number;
}

const z95 = 1.959963984540054;

/** P(Z > z) of the standard normal distribution, by Student's with so many degrees of freedom that they make no difference. */
export const upperTail = (z: number): number => studentCumulative(-z, 1e7);

/** A share of `n` with Wilson's interval (1927); `sum` may be fractional. */
export function wilson(sum: number, n: number): Estimate {
  const p = sum / n;
  const square = z95 * z95;
  const middle = (p + square / (2 * n)) / (1 + square / n);
  const half = (z95 * Math.sqrt((p * (1 - p)) / n + square / (4 * n * n))) / (1 + square / n);
  return { value: p, low: Math.max(0, middle - half), high: Math.min(1, middle + half), n };
}

/** A mean with its normal interval. `deviation`: of one observation. */
export function normalInterval(sum: number, n: number, deviation: number): Estimate {
  const half = (z95 * deviation) / Math.sqrt(n);
  return { value: sum / n, low: sum / n - half, high: sum / n + half, n };
}

/** `after − before` from two estimates, by Newcombe's square-and-add (1998, method 10); `n` is that of both. */
export function differenceOf(before: Estimate, after: Estimate): Estimate {
  const value = after.value - before.value;
  const down = Math.hypot(after.value - after.low, before.high - before.value);
  const up = Math.hypot(after.high - after.value, before.value - before.low);
  return { value, low: value - down, high: value + up, n: before.n + after.n };
}

export interface SeriesWindow {
  readonly n: number;
  readonly sum: number;
}

export interface Change {
  readonly at: number;
  readonly before: Estimate;
  readonly after: Estimate;
  readonly difference: Estimate;
  /** How often a series that does not change shows one as clear, at most. */
  readonly p_value: number;
}

/** `rate`: values are shares, whose variance follows from their mean; `mean`: the variance is estimated. */
export type SeriesKind = "rate" | "mean";

export const driftRules = {
  /** False alarms of a series that does not change. */
  level: 0.05,
  /** Of that level, what drops get; the rest is for rises. */
  drops: 0.8,
  /** Things on each side at least. */
  leastOnSide: 20,
  /** Outcomes of the rarer kind at least, for a rate. */
  leastRare: 10,
  leastWindows: 6,
  /** Changes reported of a series at most. */
  mostChanges: 5,
} as const;

/** Windows beyond these are joined with their neighbours before they are looked through. */
const mostWindows = 60;
const draws = 4_000;
/** Between 0 (a plain CUSUM, keenest in the middle) and .5 (as keen at the edges, and less so everywhere). */
const edges = 0.15;

interface Step extends SeriesWindow {
  readonly at: number;
}

/**
 * Where the level of a series changed. Binary segmentation by a weighted CUSUM: with S(t) what the first t of all things sum to beyond the common mean, the statistic
 * is the largest |S(t)| / (σ √n (t (1 − t))^0.15) over the borders of windows (Page 1954; weights of Csörgő and Horváth 1997), drops and rises each with a share of the
 * level. σ² is p (1 − p) for rates; for means, and for rates whose neighbouring windows scatter more than that allows, it is estimated from differences of neighbours
 * (von Neumann 1941), which a single change hardly touches. The p-value comes from 4,000 seeded series of normal values with the same numbers of things, so it heeds how
 * many windows there are, and that σ was estimated. After a change that is found, both sides are looked through in turn.
 */
export function findChanges(windows: readonly SeriesWindow[], kind: SeriesKind): Change[] {
  const steps = windows.map((window, at) => ({ ...window, at })).filter(({ n }) => n > 0);
  const borders: { at: number; p: number }[] = [];
  const segments = [steps];
  for (let segment = segments.shift(); segment && borders.length < driftRules.mostChanges; segment = segments.shift()) {
    const found = strongest(joined(segment), kind);
    if (!found || found.p > driftRules.level) continue;
    borders.push(found);
    segments.push(
      segment.filter(({ at }) => at < found.at),
      segment.filter(({ at }) => at >= found.at),
    );
  }
  borders.sort((a, b) => a.at - b.at);
  return borders.map(({ at, p }, index) => {
    const from = borders[index - 1]?.at ?? 0;
    const to = borders[index + 1]?.at ?? Number.POSITIVE_INFINITY;
    const before = estimateOf(
      steps.filter((step) => step.at >= from && step.at < at),
      kind,
    );
    const after = estimateOf(
      steps.filter((step) => step.at >= at && step.at < to),
      kind,
    );
    return { at, before, after, difference: differenceOf(before, after), p_value: p };
  });
}

/** Joins neighbours until there are few enough, of about equal numbers of things. */
function joined(steps: readonly Step[]): Step[] {
  if (steps.length <= mostWindows) return [...steps];
  const each = total(steps).n / mostWindows;
  const result: Step[] = [];
  let room = 0;
  for (const step of steps) {
    const last = result.at(-1);
    if (last && last.n + step.n / 2 <= each + room) {
      result[result.length - 1] = { at: last.at, n: last.n + step.n, sum: last.sum + step.sum };
    } else {
      room = last ? room + each - last.n : 0;
      result.push(step);
    }
  }
  return result;
}

const total = (steps: readonly SeriesWindow[]): SeriesWindow =>
  steps.reduce((all, { n, sum }) => ({ n: all.n + n, sum: all.sum + sum }), { n: 0, sum: 0 });

/** The clearest border of a segment with its p-value; null where too little is known to say. */
function strongest(steps: readonly Step[], kind: SeriesKind): { at: number; p: number } | null {
  const { n, sum } = total(steps);
  if (steps.length < driftRules.leastWindows || n < 2 * driftRules.leastOnSide) return null;
  if (kind === "rate" && Math.min(sum, n - sum) < driftRules.leastRare) return null;
  const estimated = kind === "mean" || scattersMore(steps);
  const numbers = steps.map((step) => step.n);
  const scan = scanOf(numbers);
  const values = Float64Array.from(steps, (step) => step.sum / step.n - sum / n);
  const deviation = estimated ? neighbourDeviation(values, numbers) : Math.sqrt((sum / n) * (1 - sum / n));
  // Differences below this are rounding.
  if (deviation < 1e-9) return null;
  const { drop, rise } = scan(values, deviation);
  const distribution = nullOf(numbers, scan, estimated);
  const p = (border: Border, share: number) => Math.min(1, pValue(distribution, numbers, border.by, estimated) / share);
  const sides = [
    { at: steps[drop.at]?.at, p: p(drop, driftRules.drops) },
    { at: steps[rise.at]?.at, p: p(rise, 1 - driftRules.drops) },
  ].sort((one, other) => one.p - other.p);
  const [{ at, p: least }] = sides as [(typeof sides)[number]];
  return at === undefined ? null : { at, p: least };
}

type Border = { readonly at: number; readonly by: number };

function scanOf(
  numbers: readonly number[],
): (values: Float64Array, deviation: number) => { drop: Border; rise: Border } {
  const n = numbers.reduce((all, one) => all + one, 0);
  let before = 0;
  const borders = numbers.slice(0, -1).flatMap((one, index) => {
    before += one;
    const share = before / n;
    const weight = 1 / (Math.sqrt(n) * (share * (1 - share)) ** edges);
    return Math.min(before, n - before) >= driftRules.leastOnSide ? [{ index, weight }] : [];
  });
  return (values, deviation) => {
    let [sum, next] = [0, 0];
    let drop: Border = { at: -1, by: Number.NEGATIVE_INFINITY };
    let rise = drop;
    for (const { index, weight } of borders) {
      for (; next <= index; next++) sum += (values[next] as number) * (numbers[next] as number);
      const by = (sum * weight) / deviation;
      if (by > drop.by) drop = { at: index + 1, by };
      if (-by > rise.by) rise = { at: index + 1, by: -by };
    }
    return { drop, rise };
  };
}

const known = new Map<string, Float64Array>();

/** What normal values without a change come to with the same numbers of things, in ascending order. */
function nullOf(numbers: readonly number[], scan: ReturnType<typeof scanOf>, estimated: boolean): Float64Array {
  const key = `${estimated} ${numbers.join()}`;
  let distribution = known.get(key);
  if (!distribution) {
    if (known.size >= 100) known.clear();
    distribution = drawNull(numbers, scan, estimated);
    known.set(key, distribution);
  }
  return distribution;
}

function drawNull(numbers: readonly number[], scan: ReturnType<typeof scanOf>, estimated: boolean): Float64Array {
  const normal = normals(20_260_101);
  const n = numbers.reduce((all, one) => all + one, 0);
  const values = new Float64Array(numbers.length);
  const result = new Float64Array(2 * draws);
  for (let draw = 0; draw < draws; draw++) {
    let sum = 0;
    for (let index = 0; index < values.length; index++) {
      const value = normal() / Math.sqrt(numbers[index] as number);
      values[index] = value;
      sum += value * (numbers[index] as number);
    }
    for (let index = 0; index < values.length; index++) values[index] = (values[index] as number) - sum / n;
    const { drop, rise } = scan(values, estimated ? neighbourDeviation(values, numbers) : 1);
    // Both sides are as likely, so each draw tells twice.
    result[2 * draw] = drop.by;
    result[2 * draw + 1] = rise.by;
  }
  return result.sort();
}

/** How often normal values without a change reach `by` on one side. */
function pValue(distribution: Float64Array, numbers: readonly number[], by: number, estimated: boolean): number {
  let [low, high] = [0, distribution.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((distribution[middle] as number) < by) low = middle + 1;
    else high = middle;
  }
  const reached = distribution.length - low;
  const drawn = (1 + reached) / (1 + distribution.length);
  return estimated || reached > 8 ? drawn : Math.min(drawn, unionBound(numbers, by));
}

/** What the tails at all borders sum to, which the p-value does not exceed: tells of changes that no draw reaches. */
function unionBound(numbers: readonly number[], by: number): number {
  const n = numbers.reduce((all, one) => all + one, 0);
  let [before, sum] = [0, 0];
  for (const one of numbers.slice(0, -1)) {
    before += one;
    const share = before / n;
    sum += upperTail(by * (share * (1 - share)) ** (edges - 0.5));
  }
  return sum;
}

function neighbourDeviation(values: ArrayLike<number>, numbers: readonly number[]): number {
  let sum = 0;
  for (let index = 1; index < values.length; index++) {
    const difference = (values[index] as number) - (values[index - 1] as number);
    sum += difference ** 2 / (1 / (numbers[index] as number) + 1 / (numbers[index - 1] as number));
  }
  return Math.sqrt(sum / (values.length - 1));
}

/** Whether neighbours differ more than shares of independent outcomes do: by three standard deviations of what is expected. */
function scattersMore(steps: readonly SeriesWindow[]): boolean {
  const { n, sum } = total(steps);
  const numbers = steps.map((step) => step.n);
  const found =
    neighbourDeviation(
      steps.map((step) => step.sum / step.n),
      numbers,
    ) ** 2;
  return found > (sum / n) * (1 - sum / n) * (1 + 3 * Math.sqrt(3 / (steps.length - 1)));
}

function estimateOf(steps: readonly SeriesWindow[], kind: SeriesKind): Estimate {
  const { n, sum } = total(steps);
  if (kind === "rate") return wilson(sum, n);
  const numbers = steps.map((step) => step.n);
  const deviation =
    steps.length < 2
      ? 0
      : neighbourDeviation(
          steps.map((step) => step.sum / step.n),
          numbers,
        );
  return normalInterval(sum, n, deviation);
}

/** Standard normal numbers that only the seed decides: mulberry32, then Box and Muller. */
function normals(seed: number): () => number {
  let state = seed >>> 0;
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  let spare: number | null = null;
  return () => {
    if (spare !== null) {
      const held = spare;
      spare = null;
      return held;
    }
    const radius = Math.sqrt(-2 * Math.log(1 - uniform()));
    const angle = 2 * Math.PI * uniform();
    spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  };
}
