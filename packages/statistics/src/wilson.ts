/** The 97.5th percentile of the standard normal distribution: two-sided intervals of 95 %. */
const z95 = 1.959963984540054;

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * Wilson's score interval (Wilson 1927) with 95 % for a share of n. For a mean of values in [0, 1] it is a conservative one: no such values vary more than a share
 * does (Bhatia and Davis 2000). Null where there is nothing.
 */
export function wilsonInterval(share: number, n: number): Interval | null {
  if (!(n > 0)) return null;
  const z2 = z95 * z95;
  const center = (share + z2 / (2 * n)) / (1 + z2 / n);
  const half = (z95 / (1 + z2 / n)) * Math.sqrt(Math.max(0, share * (1 - share)) / n + z2 / (4 * n * n));
  return { low: Math.max(0, Math.min(share, center - half)), high: Math.min(1, Math.max(share, center + half)) };
}

/**
 * Quantiles of a sample whose values enclose the distribution's own quantile with 95 %, whatever the distribution (the normal approximation of the rank, Conover
 * 1999, section 3.2). Null where the sample is too small for it.
 */
export function quantileInterval(at: number, n: number): Interval | null {
  if (n * at * (1 - at) < 5) return null;
  const half = z95 * Math.sqrt((at * (1 - at)) / n);
  return { low: Math.max(0, at - half), high: Math.min(1, at + half) };
}
