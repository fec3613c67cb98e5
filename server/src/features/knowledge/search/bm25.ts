/**
 * The order of a search's candidates, in which no collection that it was tried on falls measurably below plain BM25 (decision 0049): BM25 over text and headings together, as
 * BM25F weighs fields (Robertson and Zaragoza 2009), with words of the question that stand side by side, a heading that is what was asked for, and the document
 * as a whole; and where even the best candidates have little of the question, by what the best of them say besides (RM3, Abdul-Jaleel et al. 2004; Diaz 2005).
 */
export const ranking = {
  k1: 1.2,
  b: 0.6,
  /** Below the usual length, a text is not taken for as much shorter. */
  base: 0.4,
  /** Dampens the weight of rare words. */
  rarity: 0.9,
  pairs: 0.3,
  heading: 0.5,
  /** The first passage of a document without a title of its own says what it is about. */
  lead: 1.2,
  document: 0.2,
  /** Candidates are ordered by what the best say only where the best ten have less of the question than this. */
  enough: 0.5,
  feedback: { chunks: 10, terms: 60, weight: 0.5, sharpness: 4 },
  neighbours: { count: 10, weight: 0.3 },
  /** Of fewer there is nothing to learn. */
  fewest: 20,
} as const;

/** How many occurrences of a term count half of what any number can, in a text of this length. */
export const normOf = (length: number, mean: number): number =>
  ranking.k1 * (ranking.base + (ranking.b * length) / Math.max(1, mean));

export const saturated = (often: number, length: number, mean: number): number =>
  (often * (ranking.k1 + 1)) / (often + normOf(length, mean));

/** How much a term tells that so many of all chunks have. */
export const idfOf = (having: number, all: number): number =>
  Math.log(1 + (Math.max(0, all - having) + 0.5) / (having + 0.5)) ** ranking.rarity;

/** What is ranked of a chunk. */
export interface Candidate {
  readonly document: string;
  /** Whether it is the first of a document without a title of its own. */
  readonly leads: boolean;
  readonly terms: readonly string[];
  /** How often each stands there; in headings, as often as they count. */
  readonly often: readonly number[];
  readonly length: number;
  /** Where words of the question stand in the text. */
  readonly positions: ReadonlyMap<string, readonly number[]>;
  /** The words of the question in the last heading above it, and how many others that has. */
  readonly heading: { readonly asked: readonly string[]; readonly others: number };
}

export interface Question {
  /** Each once. */
  readonly terms: readonly string[];
  /** How often each is asked for; below 1 what only counts beside the others. */
  readonly often: readonly number[];
  /** Words that stand side by side in the question. */
  readonly pairs: readonly (readonly [string, string])[];
}

/** Without what counts beside them, such as parts of a compound. */
export const askedThemselves = ({ terms, often }: Question): string[] =>
  terms.filter((_term, at) => (often[at] as number) >= 1);

/** Chunks that have the terms. Of those beyond the question's only where the candidates' other words are needed. */
export interface Statistics {
  readonly mean: number;
  idf(term: string): number;
  /** Reads how rare all these terms are. */
  readAll(terms: Iterable<string>): Promise<void>;
}
