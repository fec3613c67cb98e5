import type { Candidate, Question } from "./bm25.ts";

type Scored = Candidate & { readonly score: number };

/** What a search found, as far as it tells whether the first passage answers the question. */
export interface Found {
  readonly question: Pick<Question, "terms" | "pairs">;
  /** Best first, with their scores. */
  readonly best: readonly Scored[];
  readonly candidates: number;
  readonly corrected: number;
  /** Of all bases that were searched. */
  readonly chunks: number;
  readonly mean: number;
  idf(term: string): number;
  /** Chunks that have a term. */
  having(term: string): number;
}

const looked = 10;

/** Each is a share, a ratio or a logarithm, so that it means the same in a base of any size. */
export interface Evidence {
  readonly score: number;
  readonly score_second: number;
  readonly gap_second: number;
  readonly gap_third: number;
  readonly gap_tenth: number;
  readonly coverage: number;
  readonly coverage_second: number;
  readonly coverage_best: number;
  readonly coverage_mean: number;
  readonly coverage_whole: number;
  readonly heading: number;
  readonly heading_exact: number;
  readonly heading_best: number;
  readonly heading_rank: number;
  readonly pairs: number;
  readonly pairs_best: number;
  readonly without_pairs: number;
  readonly same_document: number;
  readonly same_document_of_three: number;
  readonly unknown_words: number;
  readonly rarest_known: number;
  readonly rarest_there: number;
  readonly rarity: number;
  readonly rarity_most: number;
  readonly words: number;
  readonly single_word: number;
  readonly candidates: number;
  readonly length: number;
  readonly leads: number;
  readonly often: number;
  readonly corrected: number;
}

const ratio = (part: number, whole: number): number => (whole > 0 ? part / whole : 0);

/** Null: nothing was found. */
export function evidenceOf(found: Found): Evidence | null {
  const { question, best, idf } = found;
  const [first] = best;
  const { terms } = question;
  if (first === undefined || terms.length === 0) return null;
  const mass = terms.reduce((sum, term) => sum + idf(term), 0);
  const few = best.slice(0, looked);
  const shares = few.map((one) => shareOf(terms, new Set(one.terms), idf, mass));
  const headings = few.map(({ heading }) => shareOf(terms, new Set(heading.asked), idf, mass));
  const pairs = few.map((one) => pairsOf(question, one, idf));
  const pages = distinct(best);
  const gap = (other: Scored | undefined): number => 1 - ratio(other?.score ?? 0, first.score);
  const same = (some: readonly Scored[]): number => some.filter(({ document }) => document === first.document).length;
  return {
    score: ratio(first.score, mass),
    score_second: ratio(pages[1]?.score ?? 0, mass),
    gap_second: gap(pages[1]),
    gap_third: gap(pages[2]),
    gap_tenth: gap(few.at(-1)),
    coverage: shares[0] as number,
    coverage_second: shares[1] ?? 0,
    coverage_best: Math.max(...shares),
    coverage_mean: meanOf(shares),
    coverage_whole: shares[0] === 1 ? 1 : 0,
    heading: headings[0] as number,
    heading_exact: ratio(headings[0] as number, Math.sqrt(1 + first.heading.others)),
    heading_best: Math.max(...headings),
    heading_rank: headings.some((share) => share > (headings[0] as number)) ? 1 : 0,
    pairs: pairs[0] as number,
    pairs_best: Math.max(...pairs),
    without_pairs: question.pairs.length === 0 ? 1 : 0,
    same_document: ratio(same(few), few.length),
    same_document_of_three: same(few.slice(0, 3)) / 3,
    ...wordsOf(found, new Set(first.terms)),
    candidates: Math.log1p(found.candidates) / Math.log1p(150),
    length: Math.log(ratio(first.length, Math.max(1, found.mean)) + 0.01),
    leads: first.leads ? 1 : 0,
    often: oftenOf(terms, first),
    corrected: ratio(found.corrected, terms.length),
  };
}

function wordsOf({ question: { terms }, idf, having, chunks }: Found, first: ReadonlySet<string>) {
  const usual = Math.log(Math.max(2, chunks));
  const known = terms.filter((term) => having(term) > 0);
  const byRarity = [...known].sort((a, b) => idf(b) - idf(a));
  const [rarest] = byRarity;
  return {
    unknown_words: 1 - ratio(known.length, terms.length),
    rarest_known: rarest === undefined ? 0 : idf(rarest) / usual,
    rarest_there: rarest !== undefined && first.has(rarest) ? 1 : 0,
    rarity: meanOf(terms.map(idf)) / usual,
    rarity_most: Math.max(...terms.map(idf)) / usual,
    words: Math.log1p(terms.length),
    single_word: terms.length === 1 ? 1 : 0,
  };
}

const meanOf = (values: readonly number[]): number =>
  ratio(
    values.reduce((sum, one) => sum + one, 0),
    values.length,
  );

/** The part of the question, by rarity, that some words have. */
function shareOf(
  terms: readonly string[],
  own: ReadonlySet<string>,
  idf: (term: string) => number,
  mass: number,
): number {
  return ratio(
    terms.reduce((sum, term) => sum + (own.has(term) ? idf(term) : 0), 0),
    mass,
  );
}

/** The part of the question's pairs, by rarity, whose words stand side by side. */
function pairsOf({ pairs }: Found["question"], { positions }: Candidate, idf: (term: string) => number): number {
  const weights = pairs.map(([a, b]) => idf(a) + idf(b));
  const there = pairs.map(([a, b], at) => {
    const places = new Set(positions.get(b));
    return (positions.get(a) ?? []).some((place) => places.has(place + 1)) ? (weights[at] as number) : 0;
  });
  const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);
  return ratio(sum(there), sum(weights));
}

/** The best of each document. */
function distinct(best: Found["best"]): Found["best"] {
  const seen = new Set<string>();
  return best.filter(({ document }) => !seen.has(document) && seen.add(document));
}

/** How often the question's words stand in a passage, by logarithm. */
function oftenOf(terms: readonly string[], { terms: own, often }: Candidate): number {
  const counts = new Map(own.map((term, at) => [term, often[at] as number]));
  return meanOf(terms.map((term) => Math.log1p(counts.get(term) ?? 0)));
}
