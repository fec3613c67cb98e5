import { studentCumulative, studentQuantile } from "./student.ts";

/** One observation of a bounded quantity; observations of one cluster hang together and count as one piece of independent evidence. */
export interface Observation {
  readonly cluster: string;
  readonly value: number;
}

/** The range in which every observation must lie. */
export interface Range {
  readonly least: number;
  readonly most: number;
}

export const scoreRange: Range = { least: 0, most: 1 };
export const differenceRange: Range = { least: -1, most: 1 };

/** A mean over observations with its standard error over clusters. */
export interface ClusterMean {
  readonly mean: number;
  /** 0 where clusters agree exactly or there is only one. */
  readonly standard_error: number;
  /** Independent clusters. */
  readonly n: number;
  readonly observations: number;
  readonly range: Range;
}

/**
 * The mean over observations, and its standard error that is robust to dependence inside clusters: √(G/(G−1) · Σ_g (Σ_{i∈g} (x_i − x̄))²) / N
 * (Liang and Zeger 1986, with the usual small-sample factor); with clusters of one it is s/√n. Null without an observation.
 */
export function clusterMean(observations: readonly Observation[], range: Range): ClusterMean | null {
  const count = observations.length;
  if (count === 0) return null;
  let sum = 0;
  for (const { value } of observations) {
    if (!(value >= range.least && value <= range.most))
      throw new RangeError(`an observation lies in [${range.least}, ${range.most}]`);
    sum += value;
  }
  const mean = sum / count;
  const residuals = new Map<string, number>();
  for (const { cluster, value } of observations) residuals.set(cluster, (residuals.get(cluster) ?? 0) + value - mean);
  const n = residuals.size;
  let squares = 0;
  for (const residual of residuals.values()) squares += residual * residual;
  const error = n === 1 ? 0 : Math.sqrt((n / (n - 1)) * squares) / count;
  // Equal values leave rounding residues, which are no spread.
  return { mean, standard_error: error < 1e-12 ? 0 : error, n, observations: count, range };
}

/**
 * The share of a population that n independent draws may have left unseen, with probability 1 − α: 1 − α^(1/n). At α = .05 about 3/n ("rule of
 * three"; Hanley and Lippman-Hand 1983).
 */
export function unseenShare(n: number, alpha: number): number {
  return -Math.expm1(Math.log(alpha) / n);
}

/**
 * How far the truth may lie below (`side` −1) or above (+1) a mean with error α: the Student bound with clusters − 1 degrees of freedom, but no
 * closer than what n clusters may have left unseen, all of it at the end of the range. So clusters that agree exactly never claim certainty: with
 * zero spread the bound is the exact one for a rare deviation. Infinite with one cluster.
 */
export function boundMargin(at: ClusterMean, side: -1 | 1, alpha: number): number {
  if (at.n < 2) return Number.POSITIVE_INFINITY;
  const student = studentQuantile(1 - alpha, at.n - 1) * at.standard_error;
  return Math.max(student, unseenShare(at.n, alpha) * reach(at, side));
}

function reach({ mean, range }: ClusterMean, side: -1 | 1): number {
  return side < 0 ? mean - range.least : range.most - mean;
}

/** The one-sided bound of a mean with error α, cut at its range; null with one cluster. */
export function oneSidedBound(at: ClusterMean, side: -1 | 1, alpha: number): number | null {
  if (at.n < 2) return null;
  const bound = at.mean + side * boundMargin(at, side, alpha);
  return Math.min(at.range.most, Math.max(at.range.least, bound));
}

/**
 * The p-value that belongs to these bounds: the least α at which the bound on that side still clears `threshold`. `side` −1 asks whether the
 * truth lies at or above the threshold (its lower bound would), +1 whether it lies below. 1 where it does not even by its mean, or with one
 * cluster; 0 where the range leaves no other answer.
 */
export function boundPValue(at: ClusterMean, side: -1 | 1, threshold: number): number {
  if (side < 0 && threshold <= at.range.least) return 0;
  const distance = side * (threshold - at.mean);
  if (at.n < 2 || !(distance > 0)) return 1;
  const student = at.standard_error === 0 ? 0 : studentCumulative(-distance / at.standard_error, at.n - 1);
  const share = distance / reach(at, side);
  const unseen = share >= 1 ? 0 : (1 - share) ** at.n;
  return Math.max(student, unseen);
}
