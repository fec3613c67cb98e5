/** How far the best must stand above the middle, of all that it could. */
const leastShare = 0.25;
/** Of fewer candidates nobody can say what is usual. */
const leastCandidates = 8;

/**
 * Whether the best candidate is much nearer to the question than candidates usually are: some chunk is always the nearest, also to a question that the base
 * says nothing about. Cosines of one model mean nothing beside another's, so the measure is where the best lies between the middle one and 1. A rule of thumb,
 * not calibrated on any base.
 */
export function standsOut(candidates: readonly { readonly likeness: number }[]): boolean {
  if (candidates.length < leastCandidates) return false;
  const likenesses = candidates.map(({ likeness }) => likeness).sort((a, b) => b - a);
  const best = likenesses[0] as number;
  const middle = likenesses[Math.floor(likenesses.length / 2)] as number;
  return middle < 1 && (best - middle) / (1 - middle) >= leastShare;
}
