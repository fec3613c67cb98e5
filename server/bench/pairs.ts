/** The median; of an even number the mean of the two in the middle. Throws RangeError for an empty list. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError("there is no median of nothing");
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

export interface Paired {
  readonly a: readonly number[];
  readonly b: readonly number[];
  /** `a` over `b`, pair by pair. */
  readonly ratios: readonly number[];
  /** The median of `ratios`. */
  readonly ratio: number;
}

/**
 * Measures two things in turn, A B A B …, so that a machine that slows down or speeds up meanwhile does so to both. Each ratio is of two neighbours.
 */
export async function pairs(
  count: number,
  a: () => Promise<number>,
  b: () => Promise<number>,
  each?: (a: number, b: number) => void,
): Promise<Paired> {
  const taken = { a: [] as number[], b: [] as number[] };
  for (let i = 0; i < count; i++) {
    const one = await a();
    const other = await b();
    taken.a.push(one);
    taken.b.push(other);
    each?.(one, other);
  }
  const ratios = taken.a.map((value, i) => value / (taken.b[i] as number));
  return { ...taken, ratios, ratio: median(ratios) };
}
