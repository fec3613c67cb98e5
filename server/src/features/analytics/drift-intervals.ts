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
