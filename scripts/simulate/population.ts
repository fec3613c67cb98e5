import type { Random } from "./random.ts";

/** Versions whose truth is known: for each item the probability with which a version solves it. */

/** How items differ: their probabilities of being solved by the deployed version are Beta-distributed with this mean and concentration. */
export const itemShape = { mean: 0.8, concentration: 3 } as const;

/** In what way a candidate is worse. `spread`: every item a little. `broken`: some items are never solved any more, the others are as before. */
export type DropShape = "spread" | "broken";

const sigma = (z: number) => 1 / (1 + Math.exp(-z));
const logit = (p: number) => Math.log(p / (1 - p));

/** How likely the deployed version solves an item that is drawn at random. */
export function drawItem(random: Random): number {
  const { mean, concentration } = itemShape;
  return random.beta(mean * concentration, (1 - mean) * concentration);
}

/** Turns an item's probability under the deployed version into the candidate's, so that the mean over all possible items falls by `drop`. */
export function createDrop(drop: number, shape: DropShape): (p: number, random: Random) => number {
  if (drop === 0) return (p) => p;
  if (shape === "broken") return (p, random) => (random.yes(drop / itemShape.mean) ? 0 : p);
  const shift = shiftFor(drop);
  return (p) => (p <= 0 || p >= 1 ? p : sigma(logit(p) - shift));
}

/** The shift on the logit scale that lowers the population's mean by `drop`, by bisection over the Beta's density on a fine grid. */
function shiftFor(drop: number): number {
  const { mean, concentration } = itemShape;
  const [a, b] = [mean * concentration, (1 - mean) * concentration];
  // On the logit scale the density is p^a (1 − p)^b / B(a, b): bounded, so a plain sum over a wide grid is exact enough.
  const grid = Array.from({ length: 4001 }, (_, index) => -40 + index * 0.02);
  const weights = grid.map((z) => Math.exp(-a * Math.log1p(Math.exp(-z)) - b * Math.log1p(Math.exp(z))));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const meanAfter = (shift: number) =>
    grid.reduce((sum, z, index) => sum + weights[index]! * sigma(z - shift), 0) / total;
  let low = 0;
  let high = 20;
  for (let round = 0; round < 60; round++) {
    const middle = (low + high) / 2;
    if (meanAfter(middle) > mean - drop) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
