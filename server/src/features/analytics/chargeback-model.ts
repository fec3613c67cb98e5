/** Billionths of a dollar in a millionth. */
const nanosPerMicro = 1_000;

/**
 * Rounds amounts to whole millionths of a dollar so that they sum to the rounded sum: each down, and what is left over one by one to those that lost most, the
 * first of equals first (the method of the largest remainder).
 */
export function inMicros(nanos: readonly number[]): { readonly each: number[]; readonly total: number } {
  const total = Math.round(nanos.reduce((sum, amount) => sum + amount, 0) / nanosPerMicro);
  const each = nanos.map((amount) => Math.floor(amount / nanosPerMicro));
  const left = total - each.reduce((sum, amount) => sum + amount, 0);
  const byLoss = nanos
    .map((amount, at) => ({ at, lost: amount - Math.floor(amount / nanosPerMicro) * nanosPerMicro }))
    .sort((a, b) => b.lost - a.lost || a.at - b.at);
  for (const { at } of byLoss.slice(0, left)) each[at] = (each[at] as number) + 1;
  return { each, total };
}
