import { logNormalCumulative, normalQuantile } from "./normal.ts";

/** How a fixed-size result enters a sequential test. */
export interface SequentialLook {
  /** p-value of the one-sided test with all data so far. */
  readonly p: number;
  /** Standard error of the estimate with all data so far, positive. */
  readonly standard_error: number;
}

/**
 * The logarithm of an e-value, to be asked at any number of looks at growing data: under the null hypothesis the chance that it ever exceeds
 * 1/α is at most α (Ville 1939), however often one looks and whatever makes one stop.
 *
 * Estimates with growing data behave as a Brownian motion in information time: with I = 1/SE² and z the normal score of the p-value, B = z·√I has
 * drift θ and independent increments (Jennison and Turnbull 2000, chapter 11). exp(θB − θ²I/2) is a supermartingale for every θ > 0 under
 * the null, and so is its mixture over a half-normal θ with scale `effect` (Robbins 1970):
 * E = 2 · (1 + r)^(−1/2) · exp(z² r / (2(1 + r))) · Φ(z √(r/(1 + r))), r = effect² · I.
 *
 * `effect`: size of the effects to be found, in the unit of the estimate; it decides how soon, not how often wrongly.
 */
export function logEValue({ p, standard_error }: SequentialLook, effect: number): number {
  if (!(p >= 0 && p <= 1)) throw new RangeError("a probability lies in [0, 1]");
  if (!(standard_error > 0 && effect > 0)) throw new RangeError("a standard error and an effect are positive");
  // Beyond 37 standard errors doubles end; an e-value of 10^300 is as good as any larger one.
  const z = Math.min(37, Math.max(-37, -normalQuantile(p)));
  const r = (effect / standard_error) ** 2;
  const share = Number.isFinite(r) ? r / (1 + r) : 1;
  return Math.LN2 - 0.5 * Math.log1p(r) + 0.5 * z * z * share + logNormalCumulative(z * Math.sqrt(share));
}
