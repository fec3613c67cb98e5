/** Damps how much the first ranks count (Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion", 2009). */
export const FUSION_K = 60;

/** Something that a ranking puts at a rank, from 1. */
export interface Ranked {
  readonly place: number;
  readonly rank: number;
}

/** One ranking, and how much it counts; 1 unless given. */
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
