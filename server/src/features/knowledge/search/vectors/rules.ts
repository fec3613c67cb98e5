/** Damps how much the first ranks count (Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion", 2009). */
const FUSION_K = 60;

export interface Ranked {
  readonly place: number;
  readonly rank: number;
}

/** Default weight: 1. */
export interface Ranking {
  readonly ranked: readonly Ranked[];
  readonly weight?: number;
}

/**
 * Fuses rankings by reciprocal rank: each place scores weight / (60 + rank), summed over the rankings that have it. Best first, ties by place. A place that a
 * ranking names several times counts at its best rank.
 */
export function fuse(rankings: readonly Ranking[], limit: number = Number.POSITIVE_INFINITY) {
  const scores = new Map<number, number>();
  for (const { ranked, weight = 1 } of rankings) {
    const best = new Map<number, number>();
    for (const { place, rank } of ranked) best.set(place, Math.min(rank, best.get(place) ?? rank));
    for (const [place, rank] of best) scores.set(place, (scores.get(place) ?? 0) + weight / (FUSION_K + rank));
  }
  return [...scores]
    .map(([place, score]) => ({ place, score }))
    .sort((a, b) => b.score - a.score || a.place - b.place)
    .slice(0, limit);
}

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

/** The same direction with length 1, so that the inner product of two is their cosine. */
export function normalized(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector);
  return vector.map((x) => x / length);
}

/** A bit per dimension: 1 where it is above 0. Vectors with few different bits point in nearly the same direction. */
export const signsOf = (vector: readonly number[]): string => vector.map((x) => (x > 0 ? "1" : "0")).join("");

/** Bytes before the elements of an array, and of each element's length, as PostgreSQL's `array_send` writes them. */
const wire = { header: 20, length: 4, element: 8 } as const;

/** `packed` is as `array_send` writes it; null: other dimensions. */
export function innerProduct(vector: readonly number[], packed: Buffer): number | null {
  if (packed.length !== wire.header + vector.length * wire.element) return null;
  let sum = 0;
  let at = wire.header + wire.length;
  for (let i = 0; i < vector.length; i++, at += wire.element) sum += (vector[i] as number) * packed.readFloatBE(at);
  return sum;
}
