import { exp, ln, logit, sigmoid } from "./exact-math.ts";
import { softmax } from "./linear.ts";

// From scores to probabilities that can be taken at their word, by what a model said of examples that it had not learnt from.

/** A rising map from a score (in log odds) to a probability. */
export type ProbabilityMap =
  | { readonly kind: "platt"; readonly slope: number; readonly shift: number }
  /** Between the points linearly, beyond them flat. */
  | { readonly kind: "isotonic"; readonly scores: readonly number[]; readonly probabilities: readonly number[] };

/** Takes a score at its word. */
export const identityMap: ProbabilityMap = { kind: "platt", slope: 1, shift: 0 };

/** The probability of a score. */
export function applyMap(map: ProbabilityMap, score: number): number {
  if (map.kind === "platt") return sigmoid(map.slope * score + map.shift);
  const { scores, probabilities } = map;
  const last = scores.length - 1;
  if (score <= (scores[0] as number)) return probabilities[0] as number;
  if (score >= (scores[last] as number)) return probabilities[last] as number;
  let [low, high] = [0, last];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((scores[middle] as number) <= score) low = middle;
    else high = middle;
  }
  const [from, to] = [scores[low] as number, scores[high] as number];
  const share = to > from ? (score - from) / (to - from) : 0;
  return (probabilities[low] as number) + share * ((probabilities[high] as number) - (probabilities[low] as number));
}

/** Folds by which the two kinds of map are compared. */
const folds = 5;
/** Isotonic regression needs many examples before its steps mean something. */
const enoughForIsotonic = 1_000;
/** By how much of its log loss Platt's map must be beaten, for a map with so many more parameters to be taken. */
const worthwhile = 0.99;

/** Finds the map that predicts `right` best from `scores`, judged by cross-validated log loss: Platt's, or an isotonic one where it is clearly better. */
export function fitMap(scores: Float64Array, right: Uint8Array): ProbabilityMap {
  if (scores.length === 0) return identityMap;
  const all = Int32Array.from(scores, (_, at) => at);
  const platt = fitPlatt(scores, right, all);
  if (scores.length < enoughForIsotonic) return platt;
  let [ofPlatt, ofIsotonic] = [0, 0];
  for (let fold = 0; fold < folds; fold++) {
    const learnt = all.filter((at) => at % folds !== fold);
    const [one, other] = [fitPlatt(scores, right, learnt), fitIsotonic(scores, right, learnt)];
    for (let at = fold; at < scores.length; at += folds) {
      ofPlatt += lossOf(one, scores[at] as number, right[at] as number);
      ofIsotonic += lossOf(other, scores[at] as number, right[at] as number);
    }
  }
  return ofIsotonic < ofPlatt * worthwhile ? fitIsotonic(scores, right, all) : platt;
}

function lossOf(map: ProbabilityMap, score: number, right: number): number {
  const p = Math.min(1 - 1e-9, Math.max(1e-9, applyMap(map, score)));
  return -ln(right === 1 ? p : 1 - p);
}

/** How strongly Platt's map is drawn towards the identity: as much as one example. */
const ridge = 1;

/** Platt's σ(slope · score + shift) by Newton's method, drawn towards the identity, so that few examples change little. */
function fitPlatt(scores: Float64Array, right: Uint8Array, rows: Int32Array): ProbabilityMap {
  let [slope, shift] = [1, 0];
  for (let step = 0; step < 50; step++) {
    let [gradSlope, gradShift] = [ridge * (slope - 1), ridge * shift];
    let [ss, st, tt] = [ridge, 0, ridge];
    for (let i = 0; i < rows.length; i++) {
      const at = rows[i] as number;
      const score = scores[at] as number;
      const p = sigmoid(slope * score + shift);
      const error = p - (right[at] as number);
      const weight = p * (1 - p);
      gradSlope += error * score;
      gradShift += error;
      ss += weight * score * score;
      st += weight * score;
      tt += weight;
    }
    const determinant = ss * tt - st * st;
    const bySlope = Math.max(-1, Math.min(1, (tt * gradSlope - st * gradShift) / determinant));
    const byShift = Math.max(-1, Math.min(1, (ss * gradShift - st * gradSlope) / determinant));
    slope = Math.max(0.05, slope - bySlope);
    shift -= byShift;
    if (Math.abs(bySlope) + Math.abs(byShift) < 1e-9) break;
  }
  return { kind: "platt", slope, shift };
}

/** Points of an isotonic map at most. */
const mostPoints = 64;

/** Isotonic regression by pooling adjacent violators over bins of neighbouring scores; each level is drawn towards ½ by as much as one example. */
function fitIsotonic(scores: Float64Array, right: Uint8Array, rows: Int32Array): ProbabilityMap {
  const order = [...rows].sort((a, b) => (scores[a] as number) - (scores[b] as number) || a - b);
  const blocks: { n: number; hits: number; sum: number }[] = [];
  for (let bin = 0; bin < mostPoints; bin++) {
    const members = order.slice(
      Math.floor((order.length * bin) / mostPoints),
      Math.floor((order.length * (bin + 1)) / mostPoints),
    );
    if (members.length === 0) continue;
    let block = { n: 0, hits: 0, sum: 0 };
    for (const at of members)
      block = { n: block.n + 1, hits: block.hits + (right[at] as number), sum: block.sum + (scores[at] as number) };
    let before = blocks.at(-1);
    while (before && levelOf(before) >= levelOf(block)) {
      blocks.pop();
      block = { n: block.n + before.n, hits: block.hits + before.hits, sum: block.sum + before.sum };
      before = blocks.at(-1);
    }
    blocks.push(block);
  }
  return { kind: "isotonic", scores: blocks.map(({ sum, n }) => sum / n), probabilities: blocks.map(levelOf) };
}

function levelOf({ n, hits }: { n: number; hits: number }): number {
  return (hits + 0.5) / (n + 1);
}

/**
 * The temperature at which the softmax of `scores` (one row of `classes` per example) gives its targets the greatest likelihood: Guo et al. 2017, "On
 * calibration of modern neural networks". Golden-section search from ⅛ to 8.
 */
export function fitTemperature(scores: Float32Array, targets: Int32Array, classes: number): number {
  const ratio = 0.6180339887498949;
  const lossAt = (log: number): number => meanLoss(scores, targets, classes, exp(log));
  let [low, high] = [-2.0794415416798357, 2.0794415416798357];
  let [left, right] = [high - ratio * (high - low), low + ratio * (high - low)];
  let [atLeft, atRight] = [lossAt(left), lossAt(right)];
  for (let step = 0; step < 16; step++) {
    if (atLeft <= atRight) {
      [high, right, atRight] = [right, left, atLeft];
      left = high - ratio * (high - low);
      atLeft = lossAt(left);
    } else {
      [low, left, atLeft] = [left, right, atRight];
      right = low + ratio * (high - low);
      atRight = lossAt(right);
    }
  }
  return exp((low + high) / 2);
}

function meanLoss(scores: Float32Array, targets: Int32Array, classes: number, temperature: number): number {
  const row = new Float64Array(classes);
  let sum = 0;
  for (let at = 0; at < targets.length; at++) {
    for (let c = 0; c < classes; c++) row[c] = scores[at * classes + c] as number;
    softmax(row, temperature);
    sum -= ln(Math.max(1e-12, row[targets[at] as number] as number));
  }
  return sum / Math.max(1, targets.length);
}

/** The score that a map takes where there are several classes: the log odds of the likeliest one. */
export function scoreOfTop(probabilities: Float64Array): { readonly top: number; readonly score: number } {
  let top = 0;
  for (let c = 1; c < probabilities.length; c++)
    if ((probabilities[c] as number) > (probabilities[top] as number)) top = c;
  return { top, score: logit(probabilities[top] as number) };
}
