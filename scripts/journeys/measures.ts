/** A case with two ends: how likely the first was said to be, and whether it came. */
export interface Likelihood {
  readonly likelihood: number;
  readonly came: boolean;
}

/**
 * Area under the ROC curve: the chance that of two cases, one of which came, the one that came was said to be likelier; ties count half (Mann and Whitney 1947).
 * Null where all or none came.
 */
export function areaUnderCurve(cases: readonly Likelihood[]): number | null {
  const sorted = [...cases].sort((a, b) => a.likelihood - b.likelihood);
  const came = sorted.filter((one) => one.came).length;
  const others = sorted.length - came;
  if (came === 0 || others === 0) return null;
  let ranks = 0;
  for (let from = 0; from < sorted.length; ) {
    let to = from;
    while (to < sorted.length && sorted[to]?.likelihood === sorted[from]?.likelihood) to++;
    const middle = (from + 1 + to) / 2; // the mean of the ranks from + 1 to `to`
    for (let at = from; at < to; at++) if (sorted[at]?.came) ranks += middle;
    from = to;
  }
  return (ranks - (came * (came + 1)) / 2) / (came * others);
}

/** The share of true ones; null of none. */
export function shareOf(flags: readonly boolean[]): number | null {
  return flags.length === 0 ? null : flags.filter(Boolean).length / flags.length;
}
