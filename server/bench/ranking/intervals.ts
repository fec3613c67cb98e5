/** nDCG@10 of documents in the order in which they were found. */
export function ndcg(order: readonly string[], gains: ReadonlyMap<string, number>): number {
  const best = [...gains.values()].sort((a, b) => b - a);
  return discounted(order.map((document) => gains.get(document) ?? 0)) / discounted(best);
}

const discounted = (gains: readonly number[]): number =>
  gains.slice(0, 10).reduce((sum, gain, at) => sum + gain / Math.log2(at + 2), 0);

export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

export interface Difference {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

const resamples = 2_000;

/**
 * The mean of `values` minus `others`, question by question, with its 95 % interval by paired bootstrap. The same
 * questions are drawn in each run.
 */
export function pairedDifference(values: readonly number[], others: readonly number[]): Difference {
  const differences = values.map((value, at) => value - (others[at] as number));
  const next = randomNumbers(11);
  const means = Array.from({ length: resamples }, () => {
    let sum = 0;
    for (let n = 0; n < differences.length; n += 1)
      sum += differences[Math.floor(next() * differences.length)] as number;
    return sum / differences.length;
  }).sort((a, b) => a - b);
  const at = (part: number): number => means[Math.floor(part * (resamples - 1))] as number;
  return { mean: meanOf(differences), low: at(0.025), high: at(0.975) };
}

/** From 0 to below 1, the same ones for a seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
