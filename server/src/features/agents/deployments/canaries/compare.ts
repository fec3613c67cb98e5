import { boundMargin, boundPValue, type ClusterMean, differenceRange } from "@aos/statistics";

/** Constants of a canary's decision that its rule does not set. */
export const canaryConfig = {
  /** Chance that a canary no worse than the live version is ever aborted, by the share of accepted and by the share of failed tasks. */
  abort: { quality: 0.028, failures: 0.002 },
  /** How that is spent: nearly all by about this many judged tasks of the canary, the rest without end. */
  abort_scale: 270,
  abort_power: 14,
  abort_rest: 0.03,
  /** Chance that a canary worse by the tolerance is promoted. */
  promote: 0.06,
  /** How that is spent, by either share: as this power of the part of the limit that was judged. Failures rest on all ended tasks, so that little is lost by spending early. */
  promote_power: { quality: 4, failures: 0.5 },
  /** Judged tasks of the canary at the first look. */
  first_look: 25,
  /** Fewer independent tasks of an arm make its stage count for nothing. */
  least: 5,
  /** Error on each side of the intervals shown. */
  alpha: 0.025,
} as const;

/**
 * Outcomes of an arm in [0, 1], summed. Tasks with one sticky key went to one version together, so they count as one piece of evidence (a cluster); any other
 * task is its own. With W and X the sums of weights and of weighted outcomes within a cluster:
 */
export interface ArmSums {
  readonly tasks: number;
  readonly clusters: number;
  /** Σ W */
  readonly weight: number;
  /** Σ X */
  readonly sum: number;
  /** Σ W², Σ W·X and Σ X² over clusters. */
  readonly ww: number;
  readonly wx: number;
  readonly xx: number;
}

/** Both arms while tasks were drawn by one share. */
export interface Stage {
  readonly canary: ArmSums;
  readonly stable: ArmSums;
}

export const noTasks: ArmSums = { tasks: 0, clusters: 0, weight: 0, sum: 0, ww: 0, wx: 0, xx: 0 };

export function addArms(a: ArmSums, b: ArmSums): ArmSums {
  const members = Object.keys(noTasks) as (keyof ArmSums)[];
  return Object.fromEntries(members.map((name) => [name, a[name] + b[name]])) as unknown as ArmSums;
}

/** Sums of independent tasks with outcome 1 or 0. */
export const countedArm = (tasks: number, good: number): ArmSums => ({
  tasks,
  clusters: tasks,
  weight: tasks,
  sum: good,
  ww: tasks,
  wx: good,
  xx: good,
});

interface Mean {
  readonly mean: number;
  readonly variance: number;
  /** Independent observations that would weigh as much (Kish). */
  readonly n: number;
}

function meanOf({ weight, sum, ww, wx, xx, clusters }: ArmSums): Mean | null {
  if (weight <= 0 || clusters < 2) return null;
  const mean = sum / weight;
  const residuals = Math.max(0, xx - 2 * mean * wx + mean * mean * ww);
  return { mean, variance: ((clusters / (clusters - 1)) * residuals) / weight ** 2, n: weight ** 2 / ww };
}

export function armInterval(arm: ArmSums): { value: number | null; low: number | null; high: number | null } {
  const at = meanOf(arm);
  if (!at) return { value: arm.weight > 0 ? arm.sum / arm.weight : null, low: null, high: null };
  // Wilson's, at as many independent observations as have this variance; where all agree, at those that there are.
  const n = at.variance > 0 ? Math.min(at.n, (at.mean * (1 - at.mean)) / at.variance || at.n) : at.n;
  const z = 1.959964;
  const centre = (at.mean + z ** 2 / (2 * n)) / (1 + z ** 2 / n);
  const half = (z / (1 + z ** 2 / n)) * Math.sqrt((at.mean * (1 - at.mean)) / n + z ** 2 / (4 * n ** 2));
  return { value: at.mean, low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}

const spreadAt = (mean: number): number => Math.max(0, mean * (1 - mean));

/** Variances of both means if the canary were worse by `drop`, as a score test takes them (Farrington and Manning 1990): a lucky sample varies less than its population. */
function underDrop({ a, b }: { readonly a: Mean; readonly b: Mean }, drop: number): { a: Mean; b: Mean } {
  const stable = Math.min(1, (a.n * (a.mean + drop) + b.n * b.mean) / (a.n + b.n));
  const at = (arm: Mean, mean: number): Mean => {
    const own = spreadAt(arm.mean);
    return { ...arm, variance: own > 1e-9 ? (arm.variance * spreadAt(mean)) / own : spreadAt(mean) / arm.n };
  };
  return { a: at(a, stable - drop), b: at(b, stable) };
}

/** Stages with enough tasks on both sides, weighted by their smaller arm (Mantel and Haenszel). */
function pairsOf(stages: readonly Stage[]): { readonly a: Mean; readonly b: Mean; readonly weight: number }[] {
  return stages.flatMap(({ canary, stable }) => {
    const [a, b] = [meanOf(canary), meanOf(stable)];
    const enough = Math.min(canary.clusters, stable.clusters) >= canaryConfig.least;
    return a && b && enough ? [{ a, b, weight: (a.n * b.n) / (a.n + b.n) }] : [];
  });
}

/**
 * Canary minus live version. Each stage is compared by itself, so that a share that was raised while work changed does not pass for a difference; Welch's degrees of
 * freedom. `drop`: as it would vary if the canary were worse by so much. Null where no stage has enough tasks on both sides.
 */
function differenceOf(stages: readonly Stage[], drop: number | null): ClusterMean | null {
  const pairs = pairsOf(stages).map((pair) => (drop === null ? pair : { ...pair, ...underDrop(pair, drop) }));
  if (pairs.length === 0) return null;
  const all = pairs.reduce((sum, { weight }) => sum + weight, 0);
  let [mean, variance, parts, least] = [0, 0, 0, 0];
  for (const { a, b, weight } of pairs) {
    const share = weight / all;
    mean += share * (a.mean - b.mean);
    for (const arm of [a, b]) {
      const part = share ** 2 * arm.variance;
      variance += part;
      parts += part ** 2 / Math.max(1, arm.n - 1);
    }
    least += Math.min(a.n, b.n);
  }
  // Equal values leave rounding residues, which are no spread.
  const standard_error = variance < 1e-24 ? 0 : Math.sqrt(variance);
  const n = standard_error === 0 ? least : Math.max(2, variance ** 2 / parts + 1);
  const observations = stages.reduce((sum, { canary, stable }) => sum + canary.tasks + stable.tasks, 0);
  return { mean, standard_error, n, observations, range: differenceRange };
}

/**
 * A canary without one bad outcome: were it worse by d, it would have gone without for so long with chance (1 − d)^n at most, whatever the live version does. That is
 * exact, where a normal score asks for about twice as many tasks. With stages, n is that of the stage with the fewest tasks for its weight, since the logarithm is
 * concave. Null where there was a bad outcome.
 */
function flawlessCanary(stages: readonly Stage[]): ClusterMean | null {
  const pairs = pairsOf(stages);
  if (pairs.length === 0 || pairs.some(({ a }) => a.mean < 1 - 1e-12)) return null;
  const all = pairs.reduce((sum, { weight }) => sum + weight, 0);
  const n = Math.min(...pairs.map(({ a, weight }) => (a.n * all) / weight));
  return { mean: 0, standard_error: 0, n, observations: n, range: differenceRange };
}

export interface Comparison {
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  /** Of "it is no worse": small where it is worse. */
  readonly p_worse: number;
  /** Of "it is worse by the tolerance or more": small where it is not. */
  readonly p_holds: number;
  /** The look aborts at a difference at or below this one, and finds the canary no worse at or above the other. */
  readonly abort_at: number;
  readonly promote_at: number;
}

/** Returns null if either side has too few tasks. */
export function compare(
  stages: readonly Stage[],
  { tolerance, abort, promote }: { readonly tolerance: number; readonly abort: number; readonly promote: number },
): Comparison | null {
  const at = differenceOf(stages, null);
  const score = differenceOf(stages, tolerance);
  if (!at || !score) return null;
  const holds = (of: ClusterMean): number => boundPValue(of, -1, -tolerance);
  const flawless = flawlessCanary(stages);
  const dropped = flawless && holds(flawless) < holds(score) ? flawless : score;
  const within = (value: number): number => Math.min(1, Math.max(-1, value));
  // Where a look may spend nothing, no difference decides.
  const margin = (of: ClusterMean, side: -1 | 1, alpha: number): number =>
    alpha < 1e-9 ? 2 : boundMargin(of, side, alpha);
  return {
    difference: at.mean,
    low: within(at.mean - margin(at, -1, canaryConfig.alpha)),
    high: within(at.mean + margin(at, 1, canaryConfig.alpha)),
    p_worse: boundPValue(at, 1, 0),
    p_holds: holds(dropped),
    abort_at: within(-margin(at, 1, abort)),
    promote_at: within(at.mean - dropped.mean + margin(dropped, -1, promote) - tolerance),
  };
}
