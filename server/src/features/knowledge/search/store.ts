import type { QueryContext } from "../../../kernel/db.ts";
import type { FactsReader } from "../../../kernel/facts.ts";
import type { PortReader } from "../../../kernel/port.ts";
import { type RerankModel, reranker } from "../../../kernel/reranker.ts";
import { type Sight, visibleText } from "../access.ts";
import { type Asked, readQuestion } from "./asked.ts";
import { askedThemselves, type Candidate, idfOf, type Question } from "./bm25.ts";
import { readShift } from "./calibration-store.ts";
import { allowedOf, findCandidates } from "./candidates.ts";
import type { Conditions, Filters } from "./conditions.ts";
import { type Evidence, evidenceOf, type Found } from "./evidence.ts";
import { type FoundRow, readFound } from "./found-store.ts";
import { type Judgement, judge } from "./judgement.ts";
import type { SearchedBase, Totals } from "./postings.ts";
import { parseQuery, parseStems } from "./query-words.ts";
import { rank } from "./ranking.ts";
import { recentCounts } from "./terms.ts";
import type { Correction } from "./typos.ts";
import { vectorCandidates } from "./vectors/nearest.ts";
import { reranked } from "./vectors/rerank.ts";
import { fuse, standsOut } from "./vectors/rules.ts";

export interface FoundChunk extends FoundRow {
  /** Above 0; comparable within one search only. */
  readonly score: number;
}

export interface SearchRequest {
  readonly query: string;
  /** Null: all in sight. */
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
  readonly judgement: Judgement;
  /** Whether something was found that may answer. */
  readonly answered: boolean;
  /** How much of what the query's words tell stands in the best chunks, from 0 to 1. */
  readonly coverage: number;
  readonly corrected: readonly Correction[];
  /** Null: no reranker was asked; false: it failed, and the order is the plain one. */
  readonly reranked: boolean | null;
  /** Why it failed, for people. */
  readonly rerankFailure: string | null;
  readonly bases: readonly string[];
  readonly unknown: readonly string[];
  /** Of the language in which the best passage was found. */
  readonly evidence: Evidence | null;
}

export const MOST_CHUNKS = 50;
const ranked = 150;
/** Passages of one document among the first ten, unless others find too few. */
const [mostOfDocument, firstPage] = [3, 10] as const;

interface BaseToSearch extends SearchedBase {
  readonly name: string;
  readonly language: string;
  /** Others that stand in its documents. */
  readonly languages: readonly string[];
  readonly reranker: RerankModel | null;
  readonly chunks: number;
  readonly stems: number;
}

/** Without facts and ports, searches are by words alone. */
type Searcher = QueryContext & { readonly facts?: FactsReader } & Partial<PortReader>;

const failureOf = (ctx: Searcher, [first]: readonly BaseToSearch[]): string | null =>
  first?.reranker ? (ctx.port?.(reranker).failureOf(ctx.scope, first.reranker) ?? null) : null;

/**
 * The chunks that answer a query best, best first (decision 0049). Words are reduced to their stems by the language of each document, and any of them may occur;
 * phrases in quotes must, and words after a minus must not. How much a word tells is counted over all bases.
 */
export async function search(ctx: Searcher, request: SearchRequest): Promise<SearchResult> {
  const bases = await basesToSearch(ctx, request);
  const known = new Set(bases.flatMap(({ id, name }) => [id, name]));
  const unknown = (request.bases ?? []).filter((one) => !known.has(one));
  const query = parseQuery(request.query);
  const limit = Math.min(request.limit, MOST_CHUNKS);
  const languages = [...new Set(bases.flatMap((base) => [base.language, ...base.languages]))];
  const asked = await readQuestion(ctx, { bases, languages, sight: request.sight }, query);
  const found = await searchBases(ctx, { bases, totals: totalsOf(bases), asked }, request);
  const ordered = await reranked(ctx, bases, request.query, found.places);
  const best = spread(ordered.places).slice(0, limit);
  const rows = await readFound(
    ctx,
    best.map(({ place }) => place),
    new Set(asked.stems.flat()),
  );
  const chunks = best.flatMap(({ place, score }) => {
    const row = rows.get(place);
    return row ? [{ ...row, score }] : [];
  });
  const evidence = chunks.length > 0 ? found.evidence : null;
  const judged = judge(evidence, await readShift(ctx));
  const judgement = found.standsOut ? { ...judged, outcome: "answered" as const } : judged;
  return {
    chunks,
    judgement,
    answered: judgement.outcome !== "nothing",
    coverage: found.coverage,
    corrected: asked.corrected,
    reranked: ordered.reranked,
    rerankFailure: ordered.reranked === false ? failureOf(ctx, bases) : null,
    bases: bases.map(({ id }) => id),
    unknown,
    evidence: found.evidence,
  };
}

async function basesToSearch(
  { scope, db }: QueryContext,
  { bases, sight, within = [] }: SearchRequest,
): Promise<BaseToSearch[]> {
  const values: unknown[] = [scope.organization, scope.environment, bases];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const seen = [
    visibleText(sight, ["b.readers"], bind),
    ...within.map((names) => `b.name = any(${bind(names)}::text[])`),
  ];
  return db.query<BaseToSearch>(
    `select b.id, b.name, b.language, b.generation, b.reranker, coalesce(i.languages, '{}') as languages, coalesce(i.chunks, 0) as chunks, coalesce(i.stems, 0)::float8 as stems from knowledge_bases b
     left join chunk_indexes i on i.organization = $1 and i.environment = $2 and i.base = b.id and i.generation = b.generation
     where b.organization = $1 and b.environment = $2 and ($3::text[] is null or b.name = any($3) or b.id = any($3)) and ${seen.join(" and ")} order by b.id`,
    values,
  );
}

interface RankedPlace {
  readonly place: number;
  readonly score: number;
  readonly document: string;
}

interface Ranking {
  readonly places: readonly RankedPlace[];
  readonly coverage: number;
  /** By meaning, where vectors are searched. */
  readonly standsOut: boolean;
  readonly evidence: Evidence | null;
}

/** The best passages of each document first: those beyond `mostOfDocument` follow the others among the first ten. */
function spread(places: readonly RankedPlace[]): RankedPlace[] {
  const often = new Map<string, number>();
  const [first, later]: [RankedPlace[], RankedPlace[]] = [[], []];
  for (const one of places) {
    const times = (often.get(one.document) ?? 0) + 1;
    often.set(one.document, times);
    (first.length < firstPage && times > mostOfDocument ? later : first).push(one);
  }
  return [...first.slice(0, firstPage), ...later, ...first.slice(firstPage)];
}

/** Over all that is searched, so that scores of one base mean the same as those of another. */
function totalsOf(bases: readonly BaseToSearch[]): Totals {
  const chunks = bases.reduce((sum, base) => sum + base.chunks, 0);
  return { chunks, mean: bases.reduce((sum, base) => sum + base.stems, 0) / Math.max(1, chunks) };
}

interface Searching {
  readonly bases: readonly BaseToSearch[];
  readonly totals: Totals;
  readonly asked: Asked;
}

async function searchBases(
  ctx: Searcher,
  { bases, totals, asked: { question, stems, having, required, phrases, excluded, corrected } }: Searching,
  { filters = {}, sight, hybrid = "auto", query: asked }: SearchRequest,
): Promise<Ranking> {
  const { terms } = question;
  const conditions: Conditions = { sight, filters, phrases, excluded };
  const wanted = { bases, question, stems, having, required, totals, conditions };
  const byWords = hybrid === "vectors" || terms.length === 0 ? [] : await findCandidates(ctx, wanted, ranked);
  const byMeaning =
    hybrid === "words" || ctx.facts === undefined
      ? []
      : await vectorCandidates(ctx as Parameters<typeof vectorCandidates>[0], bases, asked, ranked);
  const { places, coverage, evidence } = await rankPlaces(ctx, wanted, byWords, corrected.length);
  if (byMeaning.length === 0) return { places, coverage, evidence, standsOut: false };
  const allowed = await allowedOf(
    ctx,
    wanted,
    byMeaning.map(({ place }) => place),
  );
  const meant = byMeaning.filter(({ place }) => allowed.has(place));
  const fused = fuse([{ ranked: places.map(({ place }, at) => ({ place, rank: at + 1 })) }, { ranked: meant }]);
  const documents = new Map([...allowed, ...places.map(({ place, document }) => [place, document] as const)]);
  const found = fused.map((one) => ({ ...one, document: documents.get(one.place) as string }));
  return { places: found, coverage, evidence, standsOut: standsOut(meant) };
}

interface Wanted {
  readonly bases: readonly BaseToSearch[];
  readonly question: Question;
  readonly stems: readonly (readonly string[])[];
  readonly having: readonly number[];
  readonly totals: Totals;
}

async function rankPlaces(
  ctx: QueryContext,
  { bases, question, stems, having, totals }: Wanted,
  places: readonly number[],
  corrected: number,
) {
  if (places.length === 0) return { places: [], coverage: 0, evidence: null };
  const rows = await ctx.db.query<{ place: number; document: string; leads: boolean; lexemes: string }>(
    `select place::float8 as place, document, number = 1 and (title = '' or title = headings[1]) as leads, lexemes::text as lexemes
     from chunks where place = any($1::bigint[]) and organization = $2 and environment = $3`,
    [places, ctx.scope.organization, ctx.scope.environment],
  );
  const byPlace = new Map(rows.map((row) => [row.place, row]));
  const asked = new Set(question.terms);
  const present = places.flatMap((place) => byPlace.get(place) ?? []);
  const names = new Map(question.terms.flatMap((term, at) => (stems[at] ?? []).map((stem) => [stem, term] as const)));
  const candidates = present.map((row) => candidateOf(row, names));
  const counts = new Map(question.terms.map((term, at) => [term, having[at] as number]));
  const idf = (term: string): number => idfOf(counts.get(term) ?? 0, totals.chunks);
  const scores = await rank(question, candidates, {
    mean: totals.mean,
    idf,
    async readAll(terms) {
      const rest = await recentCounts(ctx, bases, terms);
      for (const [term, chunks] of rest) if (!asked.has(term)) counts.set(term, chunks);
    },
  });
  const order = present
    .map(({ place, document }, at) => ({
      place,
      document,
      score: scores[at] as number,
      candidate: candidates[at] as Candidate,
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.place - b.place);
  const found: Found = {
    ...totals,
    corrected,
    question: { terms: askedThemselves(question), pairs: question.pairs },
    best: order.map(({ candidate, score }) => ({ ...candidate, score })),
    candidates: places.length,
    idf,
    having: (term) => counts.get(term) ?? 0,
  };
  return {
    places: order.map(({ place, score, document }) => ({ place, score, document })),
    coverage: coverageOf(
      found.question.terms,
      order.map(({ candidate }) => candidate),
      idf,
    ),
    evidence: evidenceOf(found),
  };
}

/** `names`: the term of the question that each stem counts as. */
function candidateOf(
  { document, leads, lexemes }: { document: string; leads: boolean; lexemes: string },
  names: ReadonlyMap<string, string>,
): Candidate {
  const { heading, ...stems } = parseStems(lexemes, names);
  const said = [...new Set(heading.flatMap((stem) => names.get(stem) ?? []))];
  const others = heading.filter((stem) => !names.has(stem)).length;
  return { document, leads, ...stems, heading: { asked: said, others } };
}

/** The part of the query's information, by idf, that one of the best chunks has. */
function coverageOf(
  terms: readonly string[],
  best: readonly { readonly terms: readonly string[] }[],
  idf: (term: string) => number,
): number {
  const weights = new Map(terms.map((term) => [term, idf(term)]));
  const whole = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  const parts = best.slice(0, 10).map((one) => one.terms.reduce((sum, term) => sum + (weights.get(term) ?? 0), 0));
  return whole > 0 ? Math.min(1, Math.max(0, ...parts) / whole) : 0;
}

/** Without access checks. */
export async function searchChunks(
  ctx: QueryContext,
  bases: readonly string[],
  query: string,
  limit: number,
): Promise<readonly FoundChunk[]> {
  return (await search(ctx, { query, bases, limit, sight: [], hybrid: "words" })).chunks;
}
