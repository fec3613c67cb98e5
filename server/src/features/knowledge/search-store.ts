import type { FactsReader } from "../../kernel/facts.ts";
import { type Sight, visibleText } from "./access.ts";
import { allowedOf, findCandidates } from "./search/candidates.ts";
import type { Conditions, Filters } from "./search/conditions.ts";
import { type FoundRow, readFound } from "./search/found-store.ts";
import type { SearchedBase } from "./search/postings.ts";
import { type ParsedQuery, parseQuery } from "./search/query.ts";
import { idfOf, rank, vocabularyOf } from "./search/ranking.ts";
import { parseStems, type Stems } from "./search/stems.ts";
import { recentCounts } from "./search/term-counts.ts";
import { type Correction, correctWords } from "./search/typos.ts";
import { visibleTerms } from "./search/visible-terms.ts";
import type { Looking } from "./store.ts";
import { vectorCandidates } from "./vectors/candidates.ts";
import { fuse } from "./vectors/fuse.ts";
import { standsOut } from "./vectors/stands-out.ts";

/** A chunk that a search found. */
export interface FoundChunk extends FoundRow {
  /** How well it answers the query, more than 0. Comparable within one search only. */
  readonly score: number;
}

export interface SearchRequest {
  readonly query: string;
  /** Names or ids of bases; null: all that are in sight. Bases that do not exist hold nothing. */
  readonly bases: readonly string[] | null;
  /** Lists of names, each of which must have the base. */
  readonly within?: readonly (readonly string[])[];
  readonly limit: number;
  readonly sight: Sight;
  readonly filters?: Filters;
  /** `auto`: by words, and by meaning where a provider of embeddings is connected. */
  readonly hybrid?: "auto" | "words" | "vectors";
}

export interface SearchResult {
  readonly chunks: readonly FoundChunk[];
  /** Whether something good was found. */
  readonly answered: boolean;
  /** How much of what the query's words tell stands in the best chunks, from 0 to 1. */
  readonly coverage: number;
  readonly corrected: readonly Correction[];
  /** The bases that were searched, by id. */
  readonly bases: readonly string[];
  /** Bases of the request that are not in sight. */
  readonly unknown: readonly string[];
}

/** Chunks that a search answers at most. */
export const MOST_CHUNKS = 50;
/** Chunks that are ranked in full, and words of a query that are looked for. */
const [ranked, mostTerms] = [150, 32] as const;
/** The least coverage of an answer. Calibrated in decision 0049, with its rates of error. */
export const leastCoverage = 0.45;

interface BaseToSearch extends SearchedBase {
  readonly name: string;
  readonly language: string;
  readonly chunks: number;
  readonly stems: number;
}

/**
 * The chunks that answer a query best, best first (decision 0049). Words are reduced to their stems by each base's language, and any of them may occur; phrases
 * in quotes must, and words after a minus must not. Of bases in several languages, each language is ranked by itself.
 */
export async function search(
  ctx: Looking & { readonly facts?: FactsReader },
  request: SearchRequest,
): Promise<SearchResult> {
  const bases = await basesToSearch(ctx, request);
  const known = new Set(bases.flatMap(({ id, name }) => [id, name]));
  const unknown = (request.bases ?? []).filter((one) => !known.has(one));
  const query = parseQuery(request.query);
  const limit = Math.min(request.limit, MOST_CHUNKS);
  const byLanguage = [...Map.groupBy(bases, ({ language }) => language).values()];
  const parts = await Promise.all(byLanguage.map((group) => searchLanguage(ctx, group, request, query)));
  const best = parts
    .flatMap(({ places, terms, language }) => places.map((one) => ({ ...one, terms, language })))
    .sort((a, b) => b.score - a.score || a.place - b.place)
    .slice(0, limit);
  const rows = await readFound(ctx, best);
  const chunks = best.flatMap(({ place, score }) => {
    const row = rows.get(place);
    return row ? [{ ...row, score }] : [];
  });
  const coverage = parts.reduce((most, part) => Math.max(most, part.coverage), 0);
  const answered = chunks.length > 0 && parts.some((part) => part.answered);
  const corrected = parts.flatMap((part) => part.corrected);
  return { chunks, answered, coverage, corrected, bases: bases.map(({ id }) => id), unknown };
}

async function basesToSearch(
  { scope, db }: Looking,
  { bases, sight, within = [] }: SearchRequest,
): Promise<BaseToSearch[]> {
  const values: unknown[] = [scope.organization, scope.environment, bases];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const seen = [
    visibleText(sight, ["b.readers"], bind),
    ...within.map((names) => `b.name = any(${bind(names)}::text[])`),
  ];
  return db.query<BaseToSearch>(
    `select b.id, b.name, b.language, b.generation, coalesce(i.chunks, 0) as chunks, coalesce(i.stems, 0)::float8 as stems from knowledge_bases b
     left join chunk_indexes i on i.organization = $1 and i.environment = $2 and i.base = b.id and i.generation = b.generation
     where b.organization = $1 and b.environment = $2 and ($3::text[] is null or b.name = any($3) or b.id = any($3)) and ${seen.join(" and ")} order by b.id`,
    values,
  );
}

interface Part {
  readonly places: readonly { place: number; score: number }[];
  readonly terms: readonly string[];
  readonly language: string;
  readonly coverage: number;
  readonly answered: boolean;
  readonly corrected: readonly Correction[];
}

async function searchLanguage(
  ctx: Looking & { readonly facts?: FactsReader },
  bases: readonly BaseToSearch[],
  { filters = {}, sight, hybrid = "auto", query: asked }: SearchRequest,
  query: ParsedQuery,
): Promise<Part> {
  const language = (bases[0] as BaseToSearch).language;
  const chunks = bases.reduce((sum, base) => sum + base.chunks, 0);
  const mean = bases.reduce((sum, base) => sum + base.stems, 0) / Math.max(1, chunks);
  const { terms, having, required, corrected } = await termsOf(ctx, bases, language, sight, query);
  const conditions: Conditions = { sight, filters, language, phrases: query.phrases, excluded: query.excluded };
  const wanted = { bases, terms, having, required, totals: { chunks, mean }, conditions };
  const byWords = hybrid === "vectors" || terms.length === 0 ? [] : await findCandidates(ctx, wanted, ranked);
  const byMeaning =
    hybrid === "words" || ctx.facts === undefined
      ? []
      : await vectorCandidates(ctx as Parameters<typeof vectorCandidates>[0], bases, asked, ranked);
  const { places, coverage } = await rankPlaces(ctx, wanted, byWords);
  const answered = coverage >= leastCoverage;
  if (byMeaning.length === 0) return { places, terms, language, coverage, answered, corrected };
  const allowed = new Set(
    await allowedOf(
      ctx,
      wanted,
      byMeaning.map(({ place }) => place),
    ),
  );
  const meant = byMeaning.filter(({ place }) => allowed.has(place));
  const fused = fuse([{ ranked: places.map(({ place }, at) => ({ place, rank: at + 1 })) }, { ranked: meant }]);
  return { places: fused, terms, language, coverage, answered: answered || standsOut(meant), corrected };
}

/** The stems to look for, with how many chunks have each; words that the bases do not know are taken as the nearest that they do. */
async function termsOf(
  ctx: Looking,
  bases: readonly BaseToSearch[],
  language: string,
  sight: Sight,
  query: ParsedQuery,
) {
  const asked = [...query.words, ...query.phrases];
  const rows = await ctx.db.query<{ n: number; stems: string[]; counts: number[] }>(
    `select w.n::int as n, array_agg(s.lexeme order by s.positions[1]) as stems, array_agg(coalesce(t.chunks, 0) order by s.positions[1]) as counts
     from unnest($4::text[]) with ordinality as w(word, n), unnest(to_tsvector($3::regconfig, w.word)) s left join lateral (
       select sum(t.chunks)::int as chunks from unnest($5::text[], $6::int[]) as b(base, generation)
         join chunk_terms t on t.organization = $1 and t.environment = $2 and t.base = b.base and t.generation = b.generation and t.term = s.lexeme
     ) t on true group by w.n`,
    [
      ...[ctx.scope.organization, ctx.scope.environment, language, asked],
      ...[bases.map(({ id }) => id), bases.map(({ generation }) => generation)],
    ],
  );
  const byNumber = new Map(rows.map(({ n, stems }) => [n, stems]));
  const words = query.words.map((word, at) => ({ word, stems: byNumber.get(at + 1) ?? [] }));
  const all = [...new Set(words.flatMap(({ stems }) => stems))].slice(0, mostTerms);
  const inBases = new Map(
    rows
      .flatMap((row) => row.stems.map((stem, at) => [stem, row.counts[at] as number] as const))
      .filter(([, n]) => n > 0),
  );
  const shown = await visibleTerms(ctx, bases, sight, [...inBases.keys()]);
  const counts = new Map([...inBases].filter(([stem]) => shown.has(stem)));
  const corrected = await correctWords(
    ctx,
    bases,
    sight,
    words.filter(({ stems }) => stems.length > 0),
    counts,
  );
  const instead = new Map(corrected.flatMap(({ stems, stem }) => stems.map((one) => [one, stem] as const)));
  for (const { stem, chunks } of corrected) counts.set(stem, chunks);
  const terms = [...new Set(all.map((term) => instead.get(term) ?? term))];
  const needed = new Set(rows.filter(({ n }) => n > query.words.length).flatMap(({ stems }) => stems));
  return {
    terms,
    having: terms.map((term) => counts.get(term) ?? 0),
    required: [...terms.keys()].filter((at) => needed.has(terms[at] as string)),
    corrected: corrected.map(({ from, to }) => ({ from, to })),
  };
}

/** Ranks candidates by all that they say. */
async function rankPlaces(
  ctx: Looking,
  {
    bases,
    terms,
    having,
    totals,
  }: { bases: readonly BaseToSearch[]; terms: string[]; having: number[]; totals: { chunks: number } },
  places: readonly number[],
) {
  if (places.length === 0) return { places: [], coverage: 0 };
  const rows = await ctx.db.query<{ place: number; lexemes: string }>(
    "select place::float8 as place, lexemes::text as lexemes from chunks where place = any($1::bigint[]) and organization = $2 and environment = $3",
    [places, ctx.scope.organization, ctx.scope.environment],
  );
  const byPlace = new Map(rows.map(({ place, lexemes }) => [place, parseStems(lexemes)]));
  const candidates = places.flatMap((place) => {
    const stems = byPlace.get(place);
    return stems && stems.length > 0 ? [{ place, stems }] : [];
  });
  const all = candidates.map(({ stems }) => stems);
  const vocabulary = vocabularyOf(terms, all);
  const counts = await recentCounts(ctx, bases, vocabulary.numbers.keys());
  const fresh = new Map(terms.map((term, at) => [term, having[at] as number]));
  const idf = (term: string): number => idfOf(fresh.get(term) ?? counts.get(term) ?? 0, totals.chunks);
  const mean = all.reduce((sum, { length }) => sum + length, 0) / all.length;
  const { scores } = rank(terms.length, all, vocabulary, mean, idf);
  const order = candidates
    .map(({ place }, at) => ({ place, score: scores[at] as number, stems: all[at] as Stems }))
    .sort((a, b) => b.score - a.score || a.place - b.place);
  return { places: order.map(({ place, score }) => ({ place, score })), coverage: coverageOf(terms, order, idf) };
}

/** The part of the query's information, by idf, that one of the best chunks has. */
function coverageOf(
  terms: readonly string[],
  best: readonly { stems: Stems }[],
  idf: (term: string) => number,
): number {
  const weights = new Map(terms.map((term) => [term, idf(term)]));
  const whole = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  const parts = best
    .slice(0, 10)
    .map(({ stems }) => stems.terms.reduce((sum, term) => sum + (weights.get(term) ?? 0), 0));
  return whole > 0 ? Math.min(1, Math.max(0, ...parts) / whole) : 0;
}

/** The chunks of bases that answer a query best, for everybody who sees everything in them. */
export async function searchChunks(
  ctx: Looking,
  bases: readonly string[],
  query: string,
  limit: number,
): Promise<readonly FoundChunk[]> {
  return (await search(ctx, { query, bases, limit, sight: [], hybrid: "words" })).chunks;
}
