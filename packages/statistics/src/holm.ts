/**
 * Holm's adjusted p-values (Holm 1979), in the order given: rejecting those at or below α errs in any of them with probability at most α, whatever
 * their dependence.
 */
export function holmAdjusted(values: readonly number[]): number[] {
  const order = values.map((_, index) => index).sort((a, b) => values[a]! - values[b]!);
  const adjusted = new Array<number>(values.length).fill(1);
  let least = 0;
  order.forEach((index, rank) => {
    least = Math.max(least, Math.min(1, (values.length - rank) * values[index]!));
    adjusted[index] = least;
  });
  return adjusted;
}
