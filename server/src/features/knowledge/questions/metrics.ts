import { clusterMean, oneSidedBound, scoreRange } from "@aos/statistics";

/** By document, above 0. */
export type Grades = ReadonlyMap<string, number>;

const DEPTH = { ndcg: 10, recall: [5, 10, 50] } as const;

/** Each from 0 to 1. */
export interface QuestionScores {
  readonly ndcg_at_10: number;
  readonly recall_at_5: number;
  readonly recall_at_10: number;
  readonly recall_at_50: number;
  /** 1 / rank of the first document expected; 0: none was found. */
  readonly reciprocal_rank: number;
}

/** With its 95 % interval; null bounds: a single question. */
export interface Figure {
  readonly mean: number;
  readonly low: number | null;
  readonly high: number | null;
}

/**
 * nDCG at `depth`, the gain being the grade and the discount log2(rank + 1) (Järvelin and Kekäläinen 2002, as trec_eval does): what was gained as a share of what the best order would.
 * A document that was found twice counts at its first rank; later ones move up.
 */
export function ndcg(found: readonly string[], grades: Grades, depth: number = DEPTH.ndcg): number {
  const best = [...grades.values()].sort((a, b) => b - a);
  const most = dcg(best.slice(0, depth));
  return most === 0 ? 0 : dcg(distinct(found, depth).map((id) => grades.get(id) ?? 0)) / most;
}

export function recall(found: readonly string[], grades: Grades, depth: number): number {
  if (grades.size === 0) return 0;
  return distinct(found, depth).filter((id) => grades.has(id)).length / grades.size;
}

/** 1 / rank of the first that is expected; 0 where none was found. */
export function reciprocalRank(found: readonly string[], grades: Grades): number {
  const at = distinct(found, Number.POSITIVE_INFINITY).findIndex((id) => grades.has(id));
  return at < 0 ? 0 : 1 / (at + 1);
}

/** `found`: best first. */
export function scoreQuestion(found: readonly string[], grades: Grades): QuestionScores {
  return {
    ndcg_at_10: ndcg(found, grades),
    recall_at_5: recall(found, grades, 5),
    recall_at_10: recall(found, grades, 10),
    recall_at_50: recall(found, grades, 50),
    reciprocal_rank: reciprocalRank(found, grades),
  };
}

/** The mean over questions, each independent, with its two-sided 95 % interval by Student's t, cut at 0 and 1. Null without a question. */
export function figureOf(values: readonly number[]): Figure | null {
  const mean = clusterMean(
    values.map((value, at) => ({ cluster: String(at), value })),
    scoreRange,
  );
  return mean && { mean: mean.mean, low: oneSidedBound(mean, -1, 0.025), high: oneSidedBound(mean, 1, 0.025) };
}

export function figuresOf(scores: readonly QuestionScores[]): Record<keyof QuestionScores, Figure | null> {
  const over = (name: keyof QuestionScores) => figureOf(scores.map((one) => one[name]));
  return {
    ndcg_at_10: over("ndcg_at_10"),
    recall_at_5: over("recall_at_5"),
    recall_at_10: over("recall_at_10"),
    recall_at_50: over("recall_at_50"),
    reciprocal_rank: over("reciprocal_rank"),
  };
}

const distinct = (found: readonly string[], depth: number): string[] => [...new Set(found)].slice(0, depth);

const dcg = (grades: readonly number[]): number =>
  grades.reduce((sum, grade, at) => sum + grade / Math.log2(at + 2), 0);
