import type { QueryContext } from "../../../kernel/db.ts";
import type { Sight } from "../access.ts";
import type { Question } from "./bm25.ts";
import { type Compounds, compoundLanguages, compoundsOf } from "./compounds.ts";
import { quotedLexeme } from "./lexemes.ts";
import type { SearchedBase } from "./postings.ts";
import type { ParsedQuery } from "./query-words.ts";
import { placedStems, type StemOf, stemmer } from "./stems.ts";
import { type Silence, silenceIn } from "./stop-words.ts";
import { readCounts, visibleTerms } from "./terms.ts";
import { type Token, tokensOf } from "./tokens.ts";
import { type Correction, correctWords } from "./typos.ts";

const mostTerms = 32;
/**
 * Parts of a compound that occurs itself, and compounds of two neighbouring words, count beside the words as they were
 * asked for.
 */
const ofCompound = 0.5;

/** What a question asks for in what is searched, in each language that stands there. */
export interface Asked {
  readonly question: Question;
  /** By term, the stems that count as it: a word's in each of the languages. */
  readonly stems: readonly (readonly string[])[];
  /** Chunks that have each term: a word tells as much wherever it is found. */
  readonly having: readonly number[];
  /** By number, the terms that must occur. */
  readonly required: readonly number[];
  readonly corrected: readonly Correction[];
  /** Text forms of queries that must match, and that must not. */
  readonly phrases: readonly string[];
  readonly excluded: readonly string[];
}

/** A word of the question with its stems in all languages; none where it says nothing in any. */
interface Word {
  readonly text: string;
  readonly kind: Token["kind"];
  readonly stems: readonly string[];
  readonly times: number;
}

/** Chunks that have each stem. */
type Counts = Map<string, number>;
interface Searched {
  readonly bases: readonly SearchedBase[];
  readonly languages: readonly string[];
  readonly sight: Sight;
}

/** Words that nobody wrote are replaced by the parts that they are made of, else by the nearest known ones. */
export async function readQuestion(ctx: QueryContext, searched: Searched, query: ParsedQuery): Promise<Asked> {
  const { bases, languages, sight } = searched;
  const tokens = tokensOf(query.text);
  const [phrases, excluded] = [query.phrases.map(tokensOf), query.excluded.map(tokensOf)];
  const silence = await silenceIn(ctx, tokens);
  const all = [...tokens, ...phrases.flat(), ...excluded.flat()];
  const readings = await Promise.all(languages.map((language) => stemmer(ctx, language, all)));
  const said = wordsOf(query.text, tokens, silence.empty, readings);
  const counts = await countsInSight(ctx, searched, [...new Set(said.flatMap(({ stems }) => stems))]);
  const compounds = await readCompounds(ctx, searched, silence, said, counts);
  const whole = said.flatMap((word) => withParts(word, compounds, counts));
  const corrected = await correctWords(
    ctx,
    bases,
    sight,
    whole.filter((word) => isUnknown(word, counts)),
  );
  for (const { correct, chunks } of corrected) counts.set(correct, chunks);
  const instead = new Map(corrected.map(({ from, correct }) => [from, [correct]]));
  const words = [
    ...whole.map((word) => ({ ...word, stems: instead.get(word.text) ?? word.stems })),
    ...compounds.wholes.map((stem) => ({ text: stem, kind: "whole" as const, stems: [stem], times: ofCompound })),
  ];
  const { question, stems } = questionOf(words);
  const needed = new Set(phrases.flatMap((phrase) => readings.flatMap((stemOf) => phrase.map(stemOf))));
  return {
    question,
    stems: stems.map((own) => own.filter((stem) => counts.has(stem))),
    having: stems.map((own) => own.reduce((sum, stem) => sum + (counts.get(stem) ?? 0), 0)),
    required: [...stems.keys()].filter((at) => stems[at]?.some((stem) => needed.has(stem))),
    corrected: corrected.map(({ from, to }) => ({ from, to })),
    phrases: conditions(phrases, readings, " <-> "),
    excluded: conditions(excluded, readings, " & "),
  };
}

/** Words that say nothing in the question's language count in no base. */
function wordsOf(
  text: string,
  tokens: readonly Token[],
  empty: ReadonlySet<string>,
  readings: readonly StemOf[],
): Word[] {
  return tokens.flatMap((token) => {
    if (empty.has(token.word)) return [];
    const stems = [...new Set(readings.flatMap((stemOf) => stemOf(token) ?? []))];
    return stems.length === 0 ? [] : [{ text: text.slice(token.start, token.end), kind: token.kind, stems, times: 1 }];
  });
}

const isUnknown = ({ kind, stems }: Word, counts: Counts): boolean =>
  kind === "word" && !stems.some((stem) => counts.has(stem));

/** Without stems of hidden documents alone. */
async function countsInSight(ctx: QueryContext, { bases, sight }: Searched, stems: readonly string[]): Promise<Counts> {
  const counts = await readCounts(ctx, bases, stems);
  const shown = await visibleTerms(ctx, bases, sight, [...counts.keys()]);
  return new Map([...counts].filter(([stem]) => shown.has(stem)));
}

/**
 * Of questions in a language that writes compounds as one word. Where its language is not known, only of words that
 * nobody wrote.
 */
async function readCompounds(
  ctx: QueryContext,
  searched: Searched,
  silence: Silence,
  said: readonly Word[],
  counts: Counts,
): Promise<Compounds> {
  const own = searched.languages.filter((language) => compoundLanguages.has(language));
  const language = own.find((one) => silence.languages.has(one)) ?? (silence.languages.size === 0 ? own[0] : undefined);
  const isSure = silence.languages.size > 0 || own.length === searched.languages.length;
  const words = said.filter((word) => word.kind === "word" && (isSure || isUnknown(word, counts)));
  if (language === undefined) return { parts: new Map(), wholes: [] };
  return compoundsOf(
    words.map(({ text }) => text.normalize("NFKC").toLowerCase()),
    {
      async stemsOf(candidates) {
        const tokens = candidates.map((word) => ({ word, kind: "word" as const }));
        const stemOf = await stemmer(ctx, language, tokens);
        return new Map(
          tokens.flatMap((token) => {
            const stem = stemOf(token);
            return stem === null ? [] : [[token.word, stem] as const];
          }),
        );
      },
      async countsOf(stems) {
        const found = await countsInSight(ctx, searched, stems);
        for (const [stem, chunks] of found) counts.set(stem, chunks);
        return found;
      },
    },
  );
}

function withParts(word: Word, { parts }: Compounds, counts: Counts): Word[] {
  const own = parts.get(word.text.normalize("NFKC").toLowerCase());
  if (own === undefined) return [word];
  if (isUnknown(word, counts)) return own.map((stem) => ({ ...word, stems: [stem] }));
  return [word, ...own.map((stem) => ({ ...word, stems: [stem], kind: "whole" as const, times: ofCompound }))];
}

/** A term of the question: words that share a stem are one. */
interface Term {
  readonly stems: Set<string>;
  often: number;
}

/**
 * The terms in order, named by their first stems, and those side by side; of an identifier and its first part, which
 * share a place, the part.
 */
function questionOf(words: readonly Word[]): Pick<Asked, "question" | "stems"> {
  const terms: Term[] = [];
  const byStem = new Map<string, Term>();
  const inOrder: Term[] = [];
  for (const { kind, stems, times } of words) {
    const known = stems.flatMap((stem) => byStem.get(stem) ?? [])[0];
    if (known === undefined && terms.length >= mostTerms) continue;
    const term = known ?? { stems: new Set<string>(), often: 0 };
    if (known === undefined) terms.push(term);
    term.often += times;
    for (const stem of stems) {
      if (byStem.has(stem)) continue;
      byStem.set(stem, term);
      term.stems.add(stem);
    }
    if (kind !== "whole") inOrder.push(term);
  }
  const names = new Map(terms.map((term) => [term, [...term.stems][0] as string]));
  const nameOf = (term: Term): string => names.get(term) as string;
  const pairs = inOrder.flatMap((term, at) => {
    const next = inOrder[at + 1];
    return next === undefined || next === term ? [] : [[nameOf(term), nameOf(next)] as const];
  });
  return {
    question: { terms: terms.map(nameOf), often: terms.map(({ often }) => often), pairs },
    stems: terms.map((term) => [...term.stems]),
  };
}

/** Text forms of tsqueries, each of which matches in any of the languages. */
function conditions(some: readonly (readonly Token[])[], readings: readonly StemOf[], between: string): string[] {
  return some.flatMap((tokens) => {
    const forms = readings.map((stemOf) => conditionOf(tokens, stemOf, between)).filter((form) => form !== "");
    return forms.length === 0 ? [] : [[...new Set(forms)].join(" | ")];
  });
}

const conditionOf = (tokens: readonly Token[], stemOf: StemOf, between: string): string =>
  placedStems(
    tokens.filter(({ kind }) => kind !== "whole"),
    stemOf,
  )
    .map(({ stem }) => quotedLexeme(stem))
    .join(between);
