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

/** How many occurrences of a term count half of what any number can, in a text of this length. */
export const normOf = (length: number, mean: number): number =>
  ranking.k1 * (1 - ranking.b + (ranking.b * length) / mean);

export const saturated = (often: number, length: number, mean: number): number =>
  (often * (ranking.k1 + 1)) / (often + normOf(length, mean));

/** How much a term tells that so many of all chunks have. */
export const idfOf = (having: number, all: number): number =>
  Math.log(1 + (Math.max(0, all - having) + 0.5) / (having + 0.5));

/** The terms of candidates by number, those of the query first, and the numbers of each candidate's. */
export interface Vocabulary {
  readonly numbers: ReadonlyMap<string, number>;
  readonly terms: readonly Int32Array[];
}

export function vocabularyOf(query: readonly string[], candidates: readonly Stems[]): Vocabulary {
  const numbers = new Map(query.map((term, at) => [term, at]));
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
  return { numbers, terms };
}

/** Per candidate what of each of its terms: its number, its part in a score of BM25, and its part in the text. */
interface Matrix {
  readonly idf: Float64Array;
  readonly terms: readonly Int32Array[];
  readonly values: readonly Float64Array[];
  readonly shares: readonly Float64Array[];
}

function matrixOf(
  candidates: readonly Stems[],
  mean: number,
  { numbers, terms }: Vocabulary,
  idf: (term: string) => number,
): Matrix {
  const idfs = new Float64Array(numbers.size);
  for (const [term, number] of numbers) idfs[number] = idf(term);
  const values: Float64Array[] = [];
  const shares: Float64Array[] = [];
  for (const { often, length } of candidates) {
    const value = new Float64Array(often.length);
    const share = new Float64Array(often.length);
    for (let at = 0; at < often.length; at += 1) {
      const n = often[at] as number;
      value[at] = saturated(n, length, mean);
      share[at] = n / length;
    }
    values.push(value);
    shares.push(share);
  }
  return { idf: idfs, terms, values, shares };
}

function scoresBy({ idf, terms, values }: Matrix, weights: Float64Array): Float64Array {
  const scores = new Float64Array(terms.length);
  for (let at = 0; at < scores.length; at += 1) {
    const own = terms[at] as Int32Array;
    const value = values[at] as Float64Array;
    let score = 0;
    for (let i = 0; i < own.length; i += 1) {
      const term = own[i] as number;
      const weight = weights[term] as number;
      if (weight > 0) score += weight * (idf[term] as number) * (value[i] as number);
    }
    scores[at] = score;
  }
  return scores;
}

export interface Ranked {
  /** In the order of the candidates. */
  readonly scores: Float64Array;
  readonly bm25: Float64Array;
}

/** Scores candidates for the query's terms, `size` of them. `mean` is the mean length of the candidates. */
export function rank(
  size: number,
  candidates: readonly Stems[],
  vocabulary: Vocabulary,
  mean: number,
  idf: (term: string) => number,
): Ranked {
  const matrix = matrixOf(candidates, mean, vocabulary, idf);
  const weights = new Float64Array(vocabulary.numbers.size).fill(1, 0, size);
  const bm25 = scoresBy(matrix, weights);
  if (candidates.length < ranking.fewest) return { scores: bm25, bm25 };
  const expanded = scoresBy(matrix, withFeedback(matrix, bm25, weights, size));
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
  const bound = model.slice().sort().at(-kept) ?? 0;
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
  const sorted = new Float32Array(n);
  const result = new Float64Array(n);
  for (let at = 0; at < n; at += 1) {
    const row = alike.subarray(at * n, at * n + n);
    sorted.set(row);
    const bound = n > count ? (sorted.sort()[n - count] as number) : 0;
    let sum = 0;
    let total = 0;
    for (let other = 0; other < n; other += 1) {
      const near = row[other] as number;
      if (near <= 0 || near < bound) continue;
      sum += near * (scores[other] as number);
      total += near;
    }
    result[at] = (1 - weight) * (scores[at] as number) + (total > 0 ? (weight * sum) / total : 0);
  }
  return result;
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
    let squares = 0;
    for (let i = 0; i < own.length; i += 1) squares += ((value[i] as number) * (idf[own[i] as number] as number)) ** 2;
    const norm = Math.sqrt(squares) || 1;
    for (let i = 0; i < own.length; i += 1) {
      const term = own[i] as number;
      const slot = ends[term] as number;
      ends[term] = slot + 1;
      owners[slot] = at;
      weights[slot] = ((value[i] as number) * (idf[term] as number)) / norm;
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
