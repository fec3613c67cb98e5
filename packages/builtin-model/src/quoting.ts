import {
  foundBySearch,
  isInternal,
  isProse,
  labelOf,
  type Quotable,
  quotablesOf,
  sentencesOf,
  tellingWords,
} from "./chunks.ts";
import { ln } from "./exact-math.ts";
import type { Leaf, Source } from "./leaves.ts";
import type { OutputField } from "./outputs.ts";

// Texts are made of quotations only: what the input asks decides which.

/** A text made of quotations, and how firmly it stands on them, from 0 to 1. */
export interface QuotedText {
  readonly value: string | string[];
  readonly quotables: readonly Quotable[];
  readonly support: number;
}

interface Piece {
  readonly quotable: Quotable;
  readonly written: string;
  readonly support: number;
}

/** Sentences that a text is made of at most, texts of a list, and fields that are named as reasons. */
const most = { sentences: 2, items: 3, reasons: 3 } as const;
const longestText = 1_000;
/** How firmly a text stands on a record of which nothing is known but that it was looked up. */
const loosely = 0.3;
/** The share of what is asked that a sentence has to speak of: below it, it answers something else. */
const leastShare = 0.4;
/** A second sentence speaks of nearly as much as the first. */
const nearlyAsGood = 0.7;
/** Words of a question that count at most: nobody's answer speaks of all of a long letter. */
const mostAsked = 5;
/** What a word of the title counts, or of the question that stands before. */
const aboutWeight = 0.7;
/** What words of a field's description may add: they decide between sentences that answer equally well. */
const tieWeight = 0.1;

/** Quotes for one field: the fields that decided what was learnt, then the sentences that answer what is asked. Null: nothing does. */
export function quoteFor(
  field: OutputField,
  source: Source,
  leaves: readonly Leaf[],
  reasons: readonly Leaf[],
): QuotedText | null {
  if (isInternal({ path: field.pointer, value: "" })) return null;
  const quotables = quotablesOf(source);
  const asked = questionOf(leaves);
  const wanted = field.kind === "texts" ? most.items : most.sentences;
  const pieces = decidedBy(reasons, leaves);
  if (asked.size > 0) pieces.push(...best(quotables, asked, tellingWords(field.told), wanted));
  else pieces.push(...(reasons.length > 0 ? [] : unasked(field, quotables, leaves, wanted)));
  for (let count = pieces.length; count > 0; count--) {
    const used = pieces.slice(0, count);
    const written = used.map((piece) => piece.written);
    const value = field.kind === "texts" ? written : written.join(" ");
    if ((typeof value === "string" && value.length > longestText) || !field.fits(value)) continue;
    return {
      value,
      quotables: used.map(({ quotable }) => quotable),
      support: Math.max(...used.map(({ support }) => support)),
    };
  }
  return null;
}

/** The telling words of the texts of the input. Single words, such as ids, ask nothing. */
function questionOf(leaves: readonly Leaf[]): ReadonlySet<string> {
  const texts = leaves.flatMap(({ from, value }) =>
    from === "input" && typeof value === "string" && /\S\s+\S/.test(value) ? [value.slice(0, 2_000)] : [],
  );
  return tellingWords(texts.join(" "));
}

/** The sentences of other sources that speak of enough of what is asked, the best first, each once. */
function best(
  quotables: readonly Quotable[],
  asked: ReadonlySet<string>,
  told: ReadonlySet<string>,
  wanted: number,
): Piece[] {
  const open = quotables.filter(({ from }) => from !== "input");
  const words = open.map(({ text, about, value }) => ({
    own: value ? new Set<string>() : tellingWords(text),
    about: tellingWords(about),
  }));
  const rarity = raritiesOf(open, words);
  const weights = [...asked].map(rarity).sort((a, b) => b - a);
  const whole = weights.slice(0, mostAsked).reduce((sum, weight) => sum + weight, 0);
  const scored = open.map((quotable, at) => {
    const { own, about } = words[at] as (typeof words)[number];
    const shared = [...asked].filter((word) => own.has(word) || about.has(word));
    const weight = shared.reduce((sum, word) => sum + rarity(word) * (own.has(word) ? 1 : aboutWeight), 0);
    // One word in common by the way, such as "order", answers nothing: it has to be what the passage is about.
    const meant = shared.length > 1 || asked.size === 1 || shared.some((word) => about.has(word));
    const support = meant ? Math.min(1, weight / whole) : 0;
    const tie = [...told].filter((word) => own.has(word)).length / (told.size + 1);
    return { quotable, at, written: quotable.text, support, rank: support + tieWeight * tie };
  });
  const enough = scored.filter(({ support }) => support >= leastShare).sort((a, b) => b.rank - a.rank);
  const least = (enough[0]?.support ?? 0) * nearlyAsGood;
  const once = new Map(enough.filter(({ support }) => support >= least).map((one) => [one.written, one]));
  return inTextOrder([...once.values()].slice(0, wanted));
}

interface Words {
  readonly own: ReadonlySet<string>;
  readonly about: ReadonlySet<string>;
}

const placeOf = ({ from, path }: Quotable): string => `${from} ${path}`;

/** How rare words are among passages. One that none speaks of counts as one that a single passage does: it may have another name there. */
function raritiesOf(quotables: readonly Quotable[], words: readonly Words[]): (word: string) => number {
  const having = new Map<string, Set<string>>();
  quotables.forEach((quotable, at) => {
    const { own, about } = words[at] as Words;
    for (const word of [...own, ...about]) having.set(word, (having.get(word) ?? new Set()).add(placeOf(quotable)));
  });
  const passages = new Set(quotables.map(placeOf)).size;
  return (word) => ln(1 + (passages + 1) / ((having.get(word)?.size ?? 1) + 0.5));
}

/** Sentences of one passage in the order in which they stand there. */
function inTextOrder<P extends Piece & { readonly at: number }>(pieces: P[]): P[] {
  const single = new Set(pieces.map(({ quotable }) => placeOf(quotable))).size === 1;
  return single ? pieces.sort((a, b) => a.at - b.at) : pieces;
}

/**
 * Where the input asks nothing: sentences that speak of what the field's description names, else what a record that was looked up says first. What a
 * search brought up need not be about the matter.
 */
function unasked(
  { told }: OutputField,
  quotables: readonly Quotable[],
  leaves: readonly Leaf[],
  wanted: number,
): Piece[] {
  const searched = new Set(leaves.filter(foundBySearch(leaves)).map(({ from }) => from));
  const prose = quotables.filter(({ from, value }) => !value && from !== "input" && !searched.has(from));
  const words = tellingWords(told);
  const fitting = prose
    .map((quotable) => ({
      quotable,
      shared: [...tellingWords(quotable.text)].filter((word) => words.has(word)).length,
    }))
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared)
    .slice(0, wanted)
    .map(({ quotable, shared }) => ({ quotable, written: quotable.text, support: Math.min(1, shared / 3) }));
  const [first] = prose;
  return fitting.length > 0 || !first ? fitting : [{ quotable: first, written: first.text, support: loosely }];
}

/** The fields that decided, named where they are values. What systems call things decided nothing that people would want to read. */
function decidedBy(reasons: readonly Leaf[], leaves: readonly Leaf[]): Piece[] {
  const searched = foundBySearch(leaves);
  const telling = reasons.filter((leaf) => !isInternal(leaf) && (!searched(leaf) || leaf.path.endsWith("/text")));
  return telling.slice(0, most.reasons).map((leaf) => {
    const whole = String(leaf.value);
    const text = sentencesOf(whole)[0] ?? whole;
    const quotable = { from: leaf.from, path: leaf.path, text, about: labelOf(leaf), value: !isProse(whole) };
    const written = quotable.value ? `${quotable.about}: ${text}${/[.!?]$/.test(text) ? "" : "."}` : text;
    return { quotable, written, support: 1 };
  });
}
