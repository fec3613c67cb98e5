import { ln } from "./exact-math.ts";
import { wordsOf } from "./grams.ts";
import { type Leaf, leavesOf, type Source } from "./leaves.ts";

/** A sentence or a field that can be quoted, word for word. */
export interface Quotable {
  /** `input`, or the name of the tool that found it. */
  readonly from: string;
  /** JSON Pointer from there to the value that it stands in. */
  readonly path: string;
  readonly text: string;
  /** The name of the value, where it is a field rather than prose. */
  readonly label: string | null;
}

/** A quotation, with how well it answers: 1 where it shares three telling words with what was asked, less with fewer. */
export interface Quoted {
  readonly quotable: Quotable;
  readonly score: number;
  readonly support: number;
}

const mostSentences = 2_000;
const longestSentence = 400;
/** Words that tell nothing: the commonest of English, which is what most skills are written in. Shorter ones do not count anyway. */
const common = new Set(
  "about after all also and any are because been before but can could did does each for from had has have her here him his how into its just may more most not now off only other our out over own said she should some such than that the their them then there these they this those through too under very was way were what when where which while who why will with would you your".split(
    " ",
  ),
);

/** Everything that can be quoted from an input and its records. */
export function quotablesOf(source: Source): Quotable[] {
  const quotables: Quotable[] = [];
  for (const leaf of leavesOf(source)) {
    if (typeof leaf.value === "string" && isProse(leaf.value)) {
      for (const text of sentencesOf(leaf.value)) quotables.push({ from: leaf.from, path: leaf.path, text, label: null });
    } else {
      quotables.push({ from: leaf.from, path: leaf.path, text: String(leaf.value), label: labelOf(leaf) });
    }
    if (quotables.length >= mostSentences) break;
  }
  return quotables;
}

/** The name under which a value stands; of a list's item, the list's. */
export function labelOf({ path }: Pick<Leaf, "path">): string {
  const names = path.split("/").filter((token) => token !== "" && !/^\d+$/.test(token));
  return (names.at(-1) ?? "value").replaceAll("~1", "/").replaceAll("~0", "~");
}

function isProse(text: string): boolean {
  return text.length > 40 && text.trim().split(/\s+/, 6).length > 5;
}

const sentenceEnd = /[.!?…。！？](?=\s|$)|\n+/g;

/** Sentences of a text; an overlong one is cut at a word. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let from = 0;
  for (const match of [...text.matchAll(sentenceEnd), null]) {
    const to = match ? match.index + match[0].length : text.length;
    const sentence = text.slice(from, to).trim();
    from = to;
    if (sentence.length > 1) sentences.push(shortened(sentence));
    if (sentences.length >= 200) break;
  }
  return sentences;
}

function shortened(sentence: string): string {
  if (sentence.length <= longestSentence) return sentence;
  const space = sentence.lastIndexOf(" ", longestSentence);
  return sentence.slice(0, space > 0 ? space : longestSentence);
}

/** The telling words of a text, each once. */
export function tellingWords(text: string): Set<string> {
  return new Set(wordsOf(text).filter((word) => word.length > 2 && !common.has(word)));
}

/**
 * The quotations that answer best, the best first: those that share rare words with what is asked of their source, each word counting
 * ln(1 + n / quotations that have it), over the square root of the length. What shares none is no answer. Fields are quoted by their name as well.
 */
export function bestQuotations(quotables: readonly Quotable[], asked: (from: string) => ReadonlySet<string>, most: number): Quoted[] {
  const words = quotables.map(({ text, label }) => tellingWords(label === null ? text : `${label} ${text}`));
  const having = new Map<string, number>();
  for (const set of words) for (const word of set) having.set(word, (having.get(word) ?? 0) + 1);
  const scored = quotables.map((quotable, at): Quoted => {
    const own = words[at] as Set<string>;
    const wanted = asked(quotable.from);
    const shared = [...own].filter((word) => wanted.has(word));
    const weight = shared.reduce((sum, word) => sum + ln(1 + quotables.length / (having.get(word) as number)), 0);
    return { quotable, score: weight / Math.sqrt(own.size + 4), support: Math.min(1, shared.length / 3) };
  });
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, most);
}

/**
 * The words that a source is asked about: those of the field to fill, and of everything that stands in other sources. Its own words say nothing about
 * whether it answers.
 */
export function askedWords(description: string, leaves: readonly Leaf[]): (from: string) => ReadonlySet<string> {
  const bySource = new Map<string, Set<string>>();
  for (const { from, value } of leaves) {
    if (typeof value !== "string") continue;
    const words = bySource.get(from) ?? new Set<string>();
    for (const word of tellingWords(value.slice(0, 2_000))) words.add(word);
    bySource.set(from, words);
  }
  const asked = new Map<string, ReadonlySet<string>>();
  return (from) => {
    const known = asked.get(from);
    if (known) return known;
    const words = tellingWords(description);
    for (const [source, others] of bySource) if (source !== from) for (const word of others) words.add(word);
    asked.set(from, words);
    return words;
  };
}
