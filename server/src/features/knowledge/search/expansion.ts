import { type Candidate, type Question, ranking, type Statistics, saturated } from "./bm25.ts";

/** Candidates by the numbers of their terms. */
interface Matrix {
  /** How rare each term is. */
  readonly idf: Float64Array;
  readonly terms: readonly Int32Array[];
  /** What BM25 sees of each term of a candidate, without its rarity. */
  readonly values: readonly Float64Array[];
  /** Its part of the text. */
  readonly shares: readonly Float64Array[];
}

function matrixOf(candidates: readonly Candidate[], { mean, idf }: Statistics): Matrix {
  const numbers = new Map<string, number>();
  const terms: Int32Array[] = [];
  const values: Float64Array[] = [];
  const shares: Float64Array[] = [];
  for (const { terms: own, often, length } of candidates) {
    terms.push(Int32Array.from(own, (term) => numberOf(numbers, term)));
    values.push(Float64Array.from(often, (times) => saturated(times, length, mean)));
    shares.push(Float64Array.from(often, (times) => times / length));
  }
  return { idf: Float64Array.from(numbers.keys(), idf), terms, values, shares };
}

function numberOf(numbers: Map<string, number>, term: string): number {
  const known = numbers.get(term);
  if (known !== undefined) return known;
  numbers.set(term, numbers.size);
  return numbers.size - 1;
}

/**
 * Scores with what the best candidates say besides the question (RM3), and then with their nearest neighbours', since chunks that say alike are relevant alike
 * (Diaz, "Regularizing ad hoc retrieval scores", 2005).
 */
export function expanded(
  { often }: Question,
  candidates: readonly Candidate[],
  scores: Float64Array,
  statistics: Statistics,
): Float64Array {
  const matrix = matrixOf(candidates, statistics);
  const { weight } = ranking.feedback;
  // Times the words of the question, so that a score stays of the order of BM25.
  const model = modelOf(
    matrix,
    scores,
    often.reduce((sum, times) => sum + times, 0),
  );
  const near = neighboursOf(matrix, scores);
  const part = ranking.neighbours.weight;
  return scores.map((score, at) => {
    const learnt = (1 - weight) * score + weight * scoreBy(matrix, at, model);
    return (1 - part) * learnt + part * (near[at] as number);
  });
}

function scoreBy({ idf, terms, values }: Matrix, at: number, weights: Float64Array): number {
  const own = terms[at] as Int32Array;
  const value = values[at] as Float64Array;
  let score = 0;
  for (let i = 0; i < own.length; i += 1) {
    const term = own[i] as number;
    score += (weights[term] as number) * (idf[term] as number) * (value[i] as number);
  }
  return score;
}

/** The weights of terms, `whole` together, by how much the best candidates say of them. */
function modelOf({ idf, terms, shares }: Matrix, scores: Float64Array, whole: number): Float64Array {
  const { chunks, terms: kept, sharpness } = ranking.feedback;
  const best = [...scores.keys()]
    .sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b)
    .slice(0, chunks);
  const top = scores[best[0] as number] as number;
  const model = new Float64Array(idf.length);
  if (!(top > 0)) return model;
  for (const at of best) {
    const belief = ((scores[at] as number) / top) ** sharpness;
    const own = terms[at] as Int32Array;
    const share = shares[at] as Float64Array;
    for (let i = 0; i < own.length; i += 1) {
      const term = own[i] as number;
      model[term] = (model[term] as number) + belief * (share[i] as number);
    }
  }
  const bound = model.slice().sort().at(-kept) ?? 0;
  const sum = model.reduce((total, value) => (value >= bound ? total + value : total), 0);
  return model.map((value) => (value >= bound ? (whole * value) / sum : 0));
}

/** The mean score of each one's nearest neighbours, by the cosine of what BM25 sees of them. */
function neighboursOf(matrix: Matrix, scores: Float64Array): Float64Array {
  const n = scores.length;
  const alike = similarities(matrix);
  const { count } = ranking.neighbours;
  const sorted = new Float32Array(n);
  return scores.map((own, at) => {
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
    return total > 0 ? sum / total : own;
  });
}

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
