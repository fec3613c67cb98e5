import { askedThemselves, type Candidate, normOf, type Question, ranking, type Statistics, saturated } from "./bm25.ts";
import { expanded } from "./expansion.ts";

/** Scores of the candidates, in their order. */
export async function rank(
  question: Question,
  candidates: readonly Candidate[],
  statistics: Statistics,
): Promise<Float64Array> {
  const plain = candidates.map((one) => scoreOf(question, one, statistics));
  const scores = withDocuments(question, candidates, plain, statistics);
  if (candidates.length < ranking.fewest || !isThin(question, candidates, scores, statistics)) return scores;
  await statistics.readAll(candidates.flatMap(({ terms }) => terms));
  return expanded(question, candidates, scores, statistics);
}

function scoreOf(question: Question, candidate: Candidate, { mean, idf }: Statistics): number {
  const norm = normOf(candidate.length, mean);
  const asked = new Map(question.terms.map((term, at) => [term, question.often[at] as number]));
  let score = 0;
  for (const [at, term] of candidate.terms.entries()) {
    const times = asked.get(term);
    if (times !== undefined)
      score += times * idf(term) * saturated(candidate.often[at] as number, candidate.length, mean);
  }
  for (const [first, second] of question.pairs) {
    const near = sideBySide(candidate.positions.get(first), candidate.positions.get(second));
    if (near > 0) score += (ranking.pairs * 0.5 * (idf(first) + idf(second)) * (ranking.k1 + 1) * near) / (near + norm);
  }
  const whole = question.terms.reduce((sum, term) => sum + idf(term), 0);
  const said = candidate.heading.asked.reduce((sum, term) => sum + idf(term), 0);
  if (said > 0) score += (ranking.heading * said * Math.sqrt(said / whole)) / Math.sqrt(1 + candidate.heading.others);
  return candidate.leads ? score * ranking.lead : score;
}

/** How often the second stands right after the first. */
function sideBySide(first: readonly number[] = [], second: readonly number[] = []): number {
  const places = new Set(second);
  return first.reduce((sum, at) => sum + (places.has(at + 1) ? 1 : 0), 0);
}

/** Each score with a part of BM25 over all candidates of its document together. */
function withDocuments(
  { terms, often }: Question,
  candidates: readonly Candidate[],
  scores: readonly number[],
  { mean, idf }: Statistics,
): Float64Array {
  const documents = new Map<string, { readonly counts: Map<string, number>; length: number }>();
  for (const { document, terms: own, often: counts, length } of candidates) {
    const whole = documents.get(document) ?? { counts: new Map<string, number>(), length: 0 };
    documents.set(document, whole);
    whole.length += length;
    for (const [at, term] of own.entries())
      whole.counts.set(term, (whole.counts.get(term) ?? 0) + (counts[at] as number));
  }
  const part = ranking.document;
  return Float64Array.from(candidates, ({ document }, at) => {
    const { counts, length } = documents.get(document) as { counts: Map<string, number>; length: number };
    const whole = terms.reduce((sum, term, n) => {
      const times = counts.get(term) ?? 0;
      return times === 0 ? sum : sum + (often[n] as number) * idf(term) * saturated(times, length, mean);
    }, 0);
    return (1 - part) * (scores[at] as number) + part * whole;
  });
}

const bestFirst = (scores: Float64Array): number[] =>
  [...scores.keys()].sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);

/** Whether the best candidates have little of the question. */
function isThin(
  question: Question,
  candidates: readonly Candidate[],
  scores: Float64Array,
  { idf }: Statistics,
): boolean {
  const terms = askedThemselves(question);
  const whole = terms.reduce((sum, term) => sum + idf(term), 0);
  const best = bestFirst(scores).slice(0, ranking.feedback.chunks);
  const shares = best.map((at) => {
    const own = new Set((candidates[at] as Candidate).terms);
    return terms.reduce((sum, term) => sum + (own.has(term) ? idf(term) : 0), 0) / whole;
  });
  return shares.reduce((sum, share) => sum + share, 0) / shares.length < ranking.enough;
}
