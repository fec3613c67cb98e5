import { type Candidate, idfOf, ranking, saturated } from "../../src/features/knowledge/search/bm25.ts";
import {
  type ChunkTokens,
  chunkTokens,
  headingWeight,
  lexemesOf,
} from "../../src/features/knowledge/search/lexemes.ts";
import { parseStems } from "../../src/features/knowledge/search/query-words.ts";
import { rank } from "../../src/features/knowledge/search/ranking.ts";
import { type StemOf, stemmer } from "../../src/features/knowledge/search/stems.ts";
import { silenceIn } from "../../src/features/knowledge/search/stop-words.ts";
import { type Token, tokensOf } from "../../src/features/knowledge/search/tokens.ts";
import { editDistance } from "../../src/features/knowledge/search/typos.ts";
import type { QueryContext } from "../../src/kernel/db.ts";
import type { Collection, Query } from "./collections.ts";
import { ndcg } from "./intervals.ts";

/** How texts become words, and what counts in the order, where that is not as in the service. */
export interface Variant {
  readonly name: string;
  readonly tokens?: (text: string) => Token[];
  /** Words of headings count once, as those of the text. */
  readonly plainHeadings?: boolean;
  /** In place of the service's own values. */
  readonly ranking?: Partial<Record<keyof typeof ranking, unknown>>;
  /** Unknown words of the question are repaired. */
  readonly spelling?: boolean;
}

interface Stored {
  readonly document: string;
  readonly leads: boolean;
  readonly lexemes: string;
  readonly length: number;
}

/**
 * A collection in memory: the service's words, formulas and order, without its database and the limits of its index.
 */
export interface MemoryIndex {
  readonly chunks: readonly Stored[];
  readonly postings: ReadonlyMap<string, { readonly places: number[]; readonly often: number[] }>;
  readonly mean: number;
  readonly stemmerOf: (tokens: readonly Token[]) => Promise<StemOf>;
}

export type Database = Pick<QueryContext, "db">;
const candidates = 150;

export async function indexOf(
  ctx: Database,
  { passages, language }: Collection,
  variant: Variant,
): Promise<MemoryIndex> {
  const postings = new Map<string, { places: number[]; often: number[] }>();
  const chunks: Stored[] = [];
  const seen = new Set<string>();
  const stemmerOf = (tokens: readonly Token[]) => stemmer(ctx, language, tokens);
  for (let from = 0; from < passages.length; from += 500) {
    const some = passages.slice(from, from + 500);
    const tokens = some.map((one) => tokensOfChunk(one, variant));
    const stemOf = await stemmerOf(tokens.flatMap(({ headings, text }) => [...headings.flat(), ...text]));
    for (const [at, { doc, title }] of some.entries()) {
      const written = lexemesOf(tokens[at] as ChunkTokens, stemOf);
      const { lexemes, length } = variant.plainHeadings ? withPlainHeadings(written) : written;
      const { terms, often } = parseStems(lexemes);
      for (const [n, term] of terms.entries()) {
        const own = postings.get(term) ?? { places: [], often: [] };
        postings.set(term, own);
        own.places.push(chunks.length);
        own.often.push(often[n] as number);
      }
      chunks.push({ document: doc, leads: title === "" && !seen.has(doc), lexemes, length });
      seen.add(doc);
    }
  }
  const mean = chunks.reduce((sum, { length }) => sum + length, 0) / chunks.length;
  return { chunks, postings, mean, stemmerOf };
}

function tokensOfChunk({ title, text }: { title: string; text: string }, { tokens }: Variant): ChunkTokens {
  if (tokens === undefined) return chunkTokens({ title, headings: [], text });
  return { headings: title.trim() === "" ? [] : [tokens(title)], text: tokens(text) };
}

/** Of the positions of words of headings, one of each that the service writes. */
function withPlainHeadings({ lexemes, length }: { lexemes: string; length: number }) {
  let dropped = 0;
  const plain = lexemes.replace(/(?<=:|,)\d+[BC](?:,\d+[BC])*/g, (places) => {
    const all = places.split(",");
    const kept = all.filter((_one, at) => at % headingWeight === 0);
    dropped += all.length - kept.length;
    return kept.join(",");
  });
  return { lexemes: plain, length: length - dropped };
}

/** nDCG@10 of each question. */
export async function evaluate(
  ctx: Database,
  index: MemoryIndex,
  queries: readonly Query[],
  variant: Variant,
): Promise<number[]> {
  const before = { ...ranking };
  Object.assign(ranking, variant.ranking);
  try {
    const values: number[] = [];
    for (const { text, gains } of queries) values.push(ndcg(await documentsFor(ctx, index, text, variant), gains));
    return values;
  } finally {
    Object.assign(ranking, before);
  }
}

/** Best first, each once. */
export async function documentsFor(
  ctx: Database,
  index: MemoryIndex,
  text: string,
  variant: Variant,
): Promise<string[]> {
  const places = await placesFor(ctx, index, text, variant);
  return [...new Set(places.map((place) => (index.chunks[place] as Stored).document))];
}

/** Numbers of the passages, best first. */
export async function placesFor(
  ctx: Database,
  index: MemoryIndex,
  text: string,
  { tokens: split = tokensOf, spelling = false }: Variant,
): Promise<number[]> {
  const { chunks, postings, mean, stemmerOf } = index;
  const tokens = split(text);
  const { empty } = await silenceIn(ctx, tokens);
  const stemOf = await stemmerOf(tokens);
  const words = tokens.flatMap(({ kind, word }) => {
    const stem = empty.has(word) ? null : stemOf({ kind, word });
    if (stem === null) return [];
    return [{ kind, stem: spelling && kind === "word" && !postings.has(stem) ? nearestTerm(index, stem) : stem }];
  });
  const often = new Map<string, number>();
  for (const { stem } of words) often.set(stem, (often.get(stem) ?? 0) + 1);
  const inOrder = words.flatMap(({ kind, stem }) => (kind === "whole" ? [] : [stem]));
  const pairs = inOrder.flatMap((stem, at) => {
    const next = inOrder[at + 1];
    return next === undefined || next === stem ? [] : [[stem, next] as const];
  });
  const question = { terms: [...often.keys()], often: [...often.values()], pairs };
  const idf = (term: string): number => idfOf(postings.get(term)?.places.length ?? 0, chunks.length);
  const scores = new Map<number, number>();
  for (const [term, times] of often) {
    const own = postings.get(term);
    for (const [at, place] of (own?.places ?? []).entries()) {
      const score = times * idf(term) * saturated(own?.often[at] as number, chunks[place]?.length as number, mean);
      scores.set(place, (scores.get(place) ?? 0) + score);
    }
  }
  const best = [...scores]
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, candidates)
    .map(([place]) => place);
  const names = new Map(question.terms.map((term) => [term, term]));
  const found = best.map((place) => candidateOf(chunks[place] as Stored, names));
  const ranked = await rank(question, found, { mean, idf, readAll: async () => undefined });
  const order = [...ranked.keys()].sort((a, b) => (ranked[b] as number) - (ranked[a] as number) || a - b);
  return order.map((at) => best[at] as number);
}

function candidateOf({ document, leads, lexemes }: Stored, names: ReadonlyMap<string, string>): Candidate {
  const { heading, ...stems } = parseStems(lexemes, names);
  const asked = heading.filter((stem) => names.has(stem));
  return { document, leads, ...stems, heading: { asked, others: heading.length - asked.length } };
}

/** As the service corrects words: at distance 1, or 2 in long ones, the most frequent. */
function nearestTerm({ postings }: MemoryIndex, stem: string): string {
  if (stem.length < 5 || /\p{N}/u.test(stem)) return stem;
  const slack = stem.length < 8 ? 1 : 2;
  let near = { term: stem, distance: slack + 1, chunks: 0 };
  for (const [term, { places }] of postings) {
    if (Math.abs(term.length - stem.length) > slack || (term[0] !== stem[0] && term.at(-1) !== stem.at(-1))) continue;
    const distance = editDistance(stem, term);
    if (distance < near.distance || (distance === near.distance && places.length > near.chunks))
      near = { term, distance, chunks: places.length };
  }
  return near.term;
}

/** Words as plain BM25 has them: letters and digits, in lower case. */
export const plainTokens = (text: string): Token[] =>
  [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map(({ 0: word, index }) => ({
    word: word.normalize("NFKC").toLowerCase(),
    start: index,
    end: index + word.length,
    kind: "word",
  }));
