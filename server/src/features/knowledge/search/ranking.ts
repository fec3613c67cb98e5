import type { Stems } from "./stems.ts";

/**
 * The order of a search's candidates. Three steps, each of which raises nDCG@10 on Cranfield in both halves of the questions (decision 0049):
 * BM25 (Robertson and Zaragoza 2009); a relevance model of the best of them, RM3 (Abdul-Jaleel et al. 2004); and smoothing over nearest neighbours,
 * since chunks that say alike are relevant alike (Diaz, "Regularizing ad hoc retrieval scores", 2005).
 */
export const ranking = {
  k1: 2,
  b: 0.75,
  /** Chunks that the relevance model is made of, its terms, its part in the query, and how much more the best chunk counts than the next. */
  feedback: { chunks: 10, terms: 60, weight: 0.5, sharpness: 4 },
  /** Neighbours of each chunk, and their part in its score. */
  neighbours: { count: 10, weight: 0.6 },
  /** Fewer candidates than these are left in the order of BM25: there is nothing to learn from. */
  fewest: 20,
} as const;

export const saturated = (often: number, length: number, mean: number): number =>
  (often * (ranking.k1 + 1)) / (often + ranking.k1 * (1 - ranking.b + (ranking.b * length) / mean));

/** How much a term tells that so many of all chunks have. */
export const idfOf = (having: number, all: number): number =>
  Math.log(1 + (Math.max(0, all - having) + 0.5) / (having + 0.5));

/** Terms by number, and per candidate what of each: term, its part in a score of BM25. */
interface Matrix {
  readonly idf: Float64Array;
  readonly terms: Int32Array[];
  readonly values: Float64Array[];
  readonly shares: Float64Array[];
}

function matrixOf(
  candidates: readonly Stems[],
  mean: number,
  numbers: Map<string, number>,
  idf: (term: string) => number,
) {
  const terms = candidates.map((one) => {
    const own = new Int32Array(one.terms.length);
    for (let at = 0; at < own.length; at += 1) {
      const term = one.terms[at] as string;
      let number = numbers.get(term);
      if (number === undefined) {
        number = numbers.size;
        numbers.set(term, number);
      }
      own[at] = number;
    }
    return own;
  });
  const idfs = new Float64Array(numbers.size);
  for (const [term, number] of numbers) idfs[number] = idf(term);
  const values = candidates.map(({ often, length }) => Float64Array.from(often, (n) => saturated(n, length, mean)));
  const shares = candidates.map(({ often, length }) => Float64Array.from(often, (n) => n / length));
  return { idf: idfs, terms, values, shares } satisfies Matrix;
}

function scoresBy({ idf, terms, values }: Matrix, weights: Float64Array): Float64Array {
  return Float64Array.from(terms, (own, at) => {
    const value = values[at] as Float64Array;
    let score = 0;
    for (let i = 0; i < own.length; i += 1) {
      const term = own[i] as number;
      const weight = weights[term] as number;
      if (weight > 0) score += weight * (idf[term] as number) * (value[i] as number);
    }
    return score;
  });
}

export interface Ranked {
  /** In the order of the candidates. */
  readonly scores: Float64Array;
  readonly bm25: Float64Array;
}

/** Scores candidates for the query's terms. `mean` is the mean length of the base's chunks. */
export function rank(
  query: readonly string[],
  candidates: readonly Stems[],
  mean: number,
  idf: (term: string) => number,
): Ranked {
  const numbers = new Map(query.map((term, at) => [term, at]));
  const matrix = matrixOf(candidates, mean, numbers, idf);
  const weights = new Float64Array(numbers.size).fill(0).fill(1, 0, query.length);
  const bm25 = scoresBy(matrix, weights);
  if (candidates.length < ranking.fewest) return { scores: bm25, bm25 };
  const expanded = scoresBy(matrix, withFeedback(matrix, bm25, weights, query.length));
  return { scores: smoothed(matrix, expanded), bm25 };
}

/** The query's weights, mixed with those of the terms that its best chunks have. */
function withFeedback(matrix: Matrix, bm25: Float64Array, query: Float64Array, size: number): Float64Array {
  const { chunks, terms: kept, weight, sharpness } = ranking.feedback;
  const best = [...bm25.keys()].sort((a, b) => (bm25[b] as number) - (bm25[a] as number)).slice(0, chunks);
  const top = bm25[best[0] as number] as number;
  if (!(top > 0)) return query;
  const model = new Float64Array(query.length);
  for (const at of best) {
    const belief = ((bm25[at] as number) / top) ** sharpness;
    const own = matrix.terms[at] as Int32Array;
    const shares = matrix.shares[at] as Float64Array;
    for (let i = 0; i < own.length; i += 1) {
      const term = own[i] as number;
      model[term] = (model[term] as number) + belief * (shares[i] as number);
    }
  }
  const bound = Float64Array.from(model).sort().at(-kept) ?? 0;
  let sum = 0;
  for (const value of model) if (value >= bound) sum += value;
  // Times the query's size, so that a score stays of the order of BM25.
  return query.map((own, at) => {
    const learnt = (model[at] as number) >= bound ? (model[at] as number) / sum : 0;
    return (1 - weight) * own + weight * learnt * size;
  });
}

/** Each score with a part of its nearest neighbours' among the candidates, by the cosine of what BM25 sees of them. */
function smoothed(matrix: Matrix, scores: Float64Array): Float64Array {
  const n = scores.length;
  const alike = similarities(matrix);
  const { count, weight } = ranking.neighbours;
  return scores.map((own, at) => {
    const row = alike.subarray(at * n, at * n + n);
    const bound = n > count ? (Float32Array.from(row).sort()[n - count] as number) : 0;
    let sum = 0;
    let total = 0;
    for (let other = 0; other < n; other += 1) {
      const near = row[other] as number;
      if (near <= 0 || near < bound) continue;
      sum += near * (scores[other] as number);
      total += near;
    }
    return total > 0 ? (1 - weight) * own + (weight * sum) / total : own * (1 - weight);
  });
}

/** The cosines of all pairs of candidates, row by row. */
function similarities({ idf, terms, values }: Matrix): Float32Array {
  const n = terms.length;
  const starts = new Int32Array(idf.length + 1);
  for (const own of terms) for (const term of own) starts[term + 1] = (starts[term + 1] as number) + 1;
  for (let term = 0; term < idf.length; term += 1)
    starts[term + 1] = (starts[term + 1] as number) + (starts[term] as number);
  const ends = starts.slice();
  const owners = new Int32Array(starts[idf.length] as number);
  const weights = new Float32Array(owners.length);
  for (let at = 0; at < n; at += 1) {
    const own = terms[at] as Int32Array;
    const value = values[at] as Float64Array;
    const weightOf = (i: number): number => (value[i] as number) * (idf[own[i] as number] as number);
    let squares = 0;
    for (let i = 0; i < own.length; i += 1) squares += weightOf(i) ** 2;
    const norm = Math.sqrt(squares) || 1;
    for (let i = 0; i < own.length; i += 1) {
      const slot = ends[own[i] as number] as number;
      ends[own[i] as number] = slot + 1;
      owners[slot] = at;
      weights[slot] = weightOf(i) / norm;
    }
  }
  const alike = new Float32Array(n * n);
  for (let term = 0; term < idf.length; term += 1) {
    const end = starts[term + 1] as number;
    for (let a = (starts[term] as number) + 1; a < end; a += 1) {
      const row = (owners[a] as number) * n;
      const weight = weights[a] as number;
      for (let b = starts[term] as number; b < a; b += 1) {
        const cell = row + (owners[b] as number);
        alike[cell] = (alike[cell] as number) + weight * (weights[b] as number);
      }
    }
  }
  for (let a = 1; a < n; a += 1) for (let b = 0; b < a; b += 1) alike[b * n + a] = alike[a * n + b] as number;
  return alike;
}
