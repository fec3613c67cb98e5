import { boundMargin, type ClusterMean, studentQuantile } from "@aos/statistics";
import { gateConfig } from "./config.ts";
import type { Measured } from "./measure.ts";
import type { GateInput, GateLevels } from "./types.ts";

const { power, most_items } = gateConfig;

/** What a test of this size adds to its margin so that it finds a true drop with the configured chance. */
function powerMargin(at: ClusterMean): number {
  return studentQuantile(power, at.n - 1) * at.standard_error;
}

/** The smallest true drop below its threshold that this many clusters with this spread would show at a level in 80 of 100 cases; null with one cluster. */
export function smallestDetectableDrop(at: ClusterMean, level: number): number | null {
  if (at.n < 2) return null;
  return boundMargin(at, 1, level) + powerMargin(at);
}

/** The same mean and spread with another number of clusters. */
function withClusters(at: ClusterMean, n: number): ClusterMean {
  return { ...at, n, standard_error: at.standard_error * Math.sqrt(at.n / n) };
}

/**
 * The least number of clusters that would settle the gate with the configured chance, if further ones fall out as these did. Bounds narrow with
 * every cluster, so the search halves. Null where no number up to a million does, a single cluster says nothing of the spread,
 * or the deployed version was not run, be it on one of the sets only.
 */
export function itemsToSettle(
  all: readonly Measured[],
  { rule: { tolerance }, compared, uncompared = [] }: GateInput,
  levels: GateLevels,
): number | null {
  if (uncompared.length > 0) return null;
  if (compared && all.some(({ difference }) => difference === null)) return null;
  if (all.some(({ score, difference }) => score.n < 2 || difference?.n === 1)) return null;
  const settles = (n: number) => settledBy(all, tolerance, levels, n);
  if (!settles(most_items)) return null;
  let low = 1;
  let high: number = most_items;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (settles(middle)) high = middle;
    else low = middle;
  }
  return high;
}

function settledBy(all: readonly Measured[], tolerance: number, levels: GateLevels, n: number): boolean {
  // The strictest step of Holm's for what a single scorer may trigger.
  const worse = (at: ClusterMean | null, threshold: number) => {
    if (at === null) return false;
    const then = withClusters(at, n);
    return then.mean + boundMargin(then, 1, levels.fail / all.length) + powerMargin(then) < threshold;
  };
  const holds = (at: ClusterMean | null, threshold: number) => {
    if (at === null || threshold <= at.range.least) return true;
    const then = withClusters(at, n);
    return then.mean - boundMargin(then, -1, levels.open) - powerMargin(then) >= threshold;
  };
  return (
    all.some(({ difference, score, floor }) => worse(difference, 0) || worse(score, floor)) ||
    all.every(({ difference, score, floor }) => holds(difference, -tolerance) && holds(score, floor))
  );
}
