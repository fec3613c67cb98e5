import type { Prediction } from "./predictions.ts";

/** A task as the rule before `trust-3` saw it: its label, if somebody gave one, from 0 to 1. */
export interface OldTask {
  readonly prediction: Prediction;
  readonly label: 0 | 1 | null;
}

const sigma = (z: number) => 1 / (1 + Math.exp(-z));
const capped = (S: number, F: number, weight: number, cap: number): [number, number] => {
  const whole = weight * (S + F);
  const factor = whole > cap ? (cap / whole) * weight : weight;
  return [factor * S, factor * F];
};

/**
 * The rule before `trust-3`, kept only to be compared with: evidence in channels with capped weights, completed runs and groundedness among them, the model's doubt as
 * a feature, and from 200 labels on a map σ(a·z + b). Answers the score that each task ends with, in their order.
 */
export function oldScores(evaluation: readonly Prediction[], tasks: readonly OldTask[]): number[] {
  const right = evaluation.filter((one) => one.right).length;
  const [evaluated, missed] = capped(right, evaluation.length - right, 1, 60);
  const sums = { runs: 0, accepted: 0, rejected: 0 };
  const labels: { z: number; outcome: number }[] = [];
  let map = { a: 1, b: 0 };
  let due = 200;
  return tasks.map(({ prediction, label }) => {
    const [ran] = capped(sums.runs, 0, 0.5, 60);
    const [grounded] = capped(sums.runs, 0, 0.5, 30);
    const [accepted, rejected] = capped(sums.accepted, sums.rejected, 1, 40);
    const z =
      Math.log((2 + evaluated + ran + grounded + accepted) / (2 + missed + rejected)) -
      4 * (1 - prediction.probability) -
      0.5 * prediction.novelty;
    sums.runs++;
    const score = sigma(map.a * z + map.b);
    if (label !== null) {
      labels.push({ z, outcome: label });
      if (label === 1) sums.accepted++;
      else sums.rejected++;
      if (labels.length >= due) {
        map = plattFit(labels);
        due = Math.ceil(labels.length * 1.05) + 1;
      }
    }
    return score;
  });
}

/** Log loss with the ridge 4/2 · ((a − 1)² + b²), by Newton's method with backtracking. */
function plattFit(labels: readonly { z: number; outcome: number }[]): { a: number; b: number } {
  const lossOf = (a: number, b: number): number =>
    labels.reduce(
      (sum, { z, outcome }) => {
        const eta = a * z + b;
        return sum + Math.max(0, eta) + Math.log1p(Math.exp(-Math.abs(eta))) - outcome * eta;
      },
      2 * ((a - 1) ** 2 + b ** 2),
    );
  let [a, b] = [1, 0];
  for (let round = 0; round < 30; round++) {
    let [ga, gb, haa, hab, hbb] = [4 * (a - 1), 4 * b, 4, 0, 4];
    for (const { z, outcome } of labels) {
      const p = sigma(a * z + b);
      const [rest, curve] = [p - outcome, p * (1 - p)];
      ga += rest * z;
      gb += rest;
      haa += curve * z * z;
      hab += curve * z;
      hbb += curve;
    }
    const det = haa * hbb - hab * hab;
    const [da, db] = [(hbb * ga - hab * gb) / det, (haa * gb - hab * ga) / det];
    const before = lossOf(a, b);
    let share = 1;
    while (share > 1e-6 && lossOf(Math.max(0.05, a - share * da), b - share * db) > before) share /= 2;
    if (share * (Math.abs(da) + Math.abs(db)) < 1e-9) break;
    a = Math.max(0.05, a - share * da);
    b -= share * db;
  }
  return { a, b };
}
