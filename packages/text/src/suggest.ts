/** The nearest valid name, for faults that say "unknown": a typing error costs one look instead of a search in the reference. */

/** Longer names are compared by this many characters, so that a hostile name costs no more than a long one. */
const COMPARED = 64;

/**
 * The optimal string alignment distance between two texts: insertions, deletions, substitutions and swaps of neighbours,
 * each counted once (Damerau 1964, restricted form).
 */
export function editDistance(a: string, b: string): number {
  const width = b.length + 1;
  let before = new Array<number>(width).fill(0);
  let above = Array.from({ length: width }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = new Array<number>(width).fill(row);
    for (let column = 1; column < width; column++) {
      const same = a[row - 1] === b[column - 1];
      let least = Math.min(above[column]! + 1, current[column - 1]! + 1, above[column - 1]! + (same ? 0 : 1));
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        least = Math.min(least, before[column - 2]! + 1);
      }
      current[column] = least;
    }
    before = above;
    above = current;
  }
  return above[b.length]!;
}

/**
 * The one of `valid` that `name` was most likely meant to be, or `null` when none is near: letter case and the characters
 * `-`, `_`, ` ` do not count, and beyond that one edit per three characters (at least one, at most three) is allowed.
 * Among equally near names the first wins.
 */
export function nearestName(name: string, valid: Iterable<string>): string | null {
  const wanted = fold(name);
  const allowed = Math.min(3, Math.max(1, Math.floor(wanted.length / 3)));
  let best: string | null = null;
  let least = allowed + 1;
  for (const candidate of valid) {
    const folded = fold(candidate);
    if (Math.abs(folded.length - wanted.length) >= least) continue;
    const distance = editDistance(wanted, folded);
    if (distance < least && distance < folded.length) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

function fold(name: string): string {
  return name.slice(0, COMPARED).toLowerCase().replaceAll(/[-_ ]/g, "");
}
