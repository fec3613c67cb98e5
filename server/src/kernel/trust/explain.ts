/**
 * The Shapley value of each player (Shapley 1953): its mean marginal contribution over all orders of arrival. Exact, over all 2^n coalitions;
 * the values sum to worth(all) − worth(nobody). Meant for a handful of players: a RangeError above ten.
 */
export function shapleyValues<Player>(players: readonly Player[], worth: (coalition: readonly Player[]) => number): number[] {
  const n = players.length;
  if (n > 10) throw new RangeError("exact Shapley values are for at most ten players");
  const worths = Array.from({ length: 1 << n }, (_, set) => worth(players.filter((_, index) => set & (1 << index))));
  const values = new Array<number>(n).fill(0);
  for (let set = 0; set < 1 << n; set++) {
    const weight = orderShare(bits(set), n);
    for (let index = 0; index < n; index++) {
      if ((set & (1 << index)) === 0) values[index]! += weight * (worths[set | (1 << index)]! - worths[set]!);
    }
  }
  return values;
}

/** The share of orders in which exactly a given `size` of others came before: size! (n − size − 1)! / n!. */
function orderShare(size: number, n: number): number {
  let share = 1 / n;
  for (let k = 1; k <= size; k++) share *= k / (n - k);
  return share;
}

function bits(set: number): number {
  let count = 0;
  for (let rest = set; rest > 0; rest >>= 1) count += rest & 1;
  return count;
}
