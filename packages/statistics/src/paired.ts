import { betaCumulative, betaQuantile } from "./beta.ts";
import { boundPValue, clusterMean, differenceRange, type Observation, oneSidedBound } from "./cluster-mean.ts";

/** The same thing measured before and after, each in [0, 1]; means over repeats where there are several. */
export interface Pair {
  readonly cluster: string;
  readonly before: number;
  readonly after: number;
}

export interface PairedComparison {
  /** Pairs, and the independent clusters among them. */
  readonly pairs: number;
  readonly n: number;
  readonly before: number;
  readonly after: number;
  /** Mean of after − before. */
  readonly difference: number;
  readonly standard_error: number;
  /** One-sided bounds, each with error α; together they enclose the truth with 1 − 2α. Null with a single cluster. */
  readonly low: number | null;
  readonly high: number | null;
  /** Small where it got worse, and where it got better. */
  readonly p_worse: number;
  readonly p_better: number;
}

/** How far a thing changed on the same cases, robust to clusters (see `clusterMean`, `oneSidedBound`). Null without a pair. */
export function comparePairs(pairs: readonly Pair[], alpha: number = 0.05): PairedComparison | null {
  const change = clusterMean(
    pairs.map(({ cluster, before, after }): Observation => ({ cluster, value: after - before })),
    differenceRange,
  );
  if (change === null) return null;
  const mean = (pick: (pair: Pair) => number) => pairs.reduce((sum, pair) => sum + pick(pair), 0) / pairs.length;
  return {
    pairs: pairs.length,
    n: change.n,
    before: mean((pair) => pair.before),
    after: mean((pair) => pair.after),
    difference: change.mean,
    standard_error: change.standard_error,
    low: oneSidedBound(change, -1, alpha),
    high: oneSidedBound(change, 1, alpha),
    p_worse: boundPValue(change, 1, 0),
    p_better: change.mean > 0 ? boundPValue(change, -1, 0) : 1,
  };
}

const STEPS = 64;

/**
 * The probability that one item got worse, from a handful of scores in [0, 1] before and after: P(after < before) of two independent Beta
 * posteriors under Jeffreys' prior Beta(½, ½), a score between 0 and 1 counting as that share of a success. 0.5 where both are alike or empty.
 */
export function probabilityWorse(before: readonly number[], after: readonly number[]): number {
  const [a, b] = posterior(before);
  const [c, d] = posterior(after);
  let sum = 0;
  for (let step = 0; step < STEPS; step++) sum += betaCumulative(betaQuantile((step + 0.5) / STEPS, a, b), c, d);
  return sum / STEPS;
}

function posterior(scores: readonly number[]): [number, number] {
  let good = 0;
  for (const score of scores) {
    if (!(score >= 0 && score <= 1)) throw new RangeError("a score lies in [0, 1]");
    good += score;
  }
  return [0.5 + good, 0.5 + scores.length - good];
}
