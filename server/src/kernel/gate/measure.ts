import {
  betaQuantile,
  type ClusterMean,
  clusterMean,
  differenceRange,
  type Observation,
  scoreRange,
} from "@aos/statistics";
import { gateConfig } from "./config.ts";
import type { GateInput, GateItem, GateScorer } from "./types.ts";

/** What one scorer measured, before anything is asked of it. */
export interface Measured {
  readonly scorer: GateScorer;
  readonly floor: number;
  readonly score: ClusterMean;
  /** Null where nothing is compared, or no item was run by both. */
  readonly difference: ClusterMean | null;
  /** Fewest repeats of an item. */
  readonly repeats: number;
  /** Whether more repeats could change the picture: some item's repeats differ, or there is one each so far. */
  readonly noisy: boolean;
}

/** Checks a gate's input: a RangeError names what has no meaning. */
export function checkInput({ rule, repeats, scorers }: GateInput): void {
  const must = (holds: boolean, what: string) => {
    if (!holds) throw new RangeError(`gate: ${what}`);
  };
  const share = (value: number) => value >= 0 && value <= 1;
  must(share(rule.floor) && share(rule.tolerance), "floor and tolerance lie in [0, 1]");
  must(Number.isInteger(rule.repeats) && rule.repeats >= 1, "repeats is a whole number from 1");
  must(
    Number.isInteger(rule.max_repeats) && rule.max_repeats >= rule.repeats,
    "max_repeats is a whole number from repeats on",
  );
  must(Number.isInteger(repeats) && repeats >= 1, "the pooled repeats are a whole number from 1");
  must(scorers.length > 0, "a decision needs a scorer");
  for (const { scorer, pass_at, floor, items } of scorers) {
    must(pass_at > 0 && pass_at <= 1, `pass_at of ${scorer} lies in (0, 1]`);
    must(floor === undefined || share(floor), `floor of ${scorer} lies in [0, 1]`);
    must(items.length > 0, `${scorer} needs an item`);
    must(new Set(items.map(({ item }) => item)).size === items.length, `${scorer} has an item twice`);
    for (const { item, candidate, deployed = [] } of items) {
      must(candidate.length > 0, `the item ${item} has no score of ${scorer}; a run that failed scores 0`);
      must(candidate.every(share) && deployed.every(share), `scores of ${scorer} on the item ${item} lie in [0, 1]`);
    }
  }
}

/** Means per item over repeats, then over items. */
export function measure(scorer: GateScorer, input: GateInput): Measured {
  const scores: Observation[] = [];
  const differences: Observation[] = [];
  for (const { item, cluster, candidate, deployed = [] } of scorer.items) {
    const of = cluster === undefined ? `item ${item}` : `cluster ${cluster}`;
    const value = meanOf(candidate);
    scores.push({ cluster: of, value });
    if (input.compared && deployed.length > 0) differences.push({ cluster: of, value: value - meanOf(deployed) });
  }
  return {
    scorer,
    floor: scorer.floor ?? input.rule.floor,
    score: clusterMean(scores, scoreRange)!,
    difference: clusterMean(differences, differenceRange),
    repeats: Math.min(...scorer.items.map(({ candidate }) => candidate.length)),
    noisy: scorer.items.some(
      ({ candidate, deployed = [] }) => isNoisy(candidate) || (input.compared && isNoisy(deployed)),
    ),
  };
}

function meanOf(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

function isNoisy(repeats: readonly number[]): boolean {
  return repeats.length === 1 || repeats.some((value) => value !== repeats[0]);
}

/** Repeats of an item that do not pass. */
export function failedRepeats({ candidate }: GateItem, { pass_at }: GateScorer): number {
  return candidate.filter((score) => score < pass_at).length;
}

/**
 * Clusters with an item that failed in any repeat, and the exact 95 % upper bound of their share (Clopper and Pearson 1934). Where none failed that is
 * 1 − .05^(1/n), the "3/n" of a set without a failure.
 */
export function failures(scorer: GateScorer): { items: number; share_at_most: number } {
  const clusters = new Map<string, boolean>();
  let items = 0;
  for (const item of scorer.items) {
    const failed = failedRepeats(item, scorer) > 0;
    if (failed) items++;
    const of = item.cluster === undefined ? `item ${item.item}` : `cluster ${item.cluster}`;
    clusters.set(of, failed || clusters.get(of) === true);
  }
  const failed = [...clusters.values()].filter(Boolean).length;
  const n = clusters.size;
  return { items, share_at_most: failed === n ? 1 : betaQuantile(1 - gateConfig.alpha, failed + 1, n - failed) };
}
