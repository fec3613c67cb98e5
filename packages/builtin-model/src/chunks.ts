import { wordsOf } from "./grams.ts";
import { type Leaf, leavesOf, type Source } from "./leaves.ts";

/** A sentence or a value that can be quoted, word for word. */
export interface Quotable {
  /** `input`, or the name of the tool that found it. */
  readonly from: string;
  /** JSON Pointer from there to the value that it stands in. */
  readonly path: string;
  readonly text: string;
  /** What says what it is about without being quoted: the title of its chunk and a question before it, or the name of the value. */
  readonly about: string;
  /** A value of a record rather than prose. */
  readonly value: boolean;
}

const mostSentences = 2_000;
const longestSentence = 400;
/** Words that tell nothing: the commonest of English, which is what most skills are written in. Shorter ones do not count anyway. */
const common = new Set(
  "about after all also and any are because been before but can could did does each for from get give had has have her here him his how into its just make may more most much not now off only other our out over own please said she should some such tell than that the their them then there these they this those through too under use very was way were what when where which while who why will with would you your".split(
    " ",
  ),
);

/** Everything that can be quoted from an input and its records. Of what a search found only the text of its chunks: ids, scores and names are its own. */
export function quotablesOf(source: Source): Quotable[] {
  const quotables: Quotable[] = [];
  const leaves = leavesOf(source);
  const titles = titlesOf(leaves);
  for (const leaf of leaves) {
    const title = titles.get(chunkOf(leaf));
    if (title !== undefined && nameOf(leaf) !== "text") continue;
    if (title === undefined && isInternal(leaf)) continue;
    if (typeof leaf.value === "string" && (title !== undefined || isProse(leaf.value)))
      quotables.push(...sentences(leaf, title ?? ""));
    else
      quotables.push({ from: leaf.from, path: leaf.path, text: String(leaf.value), about: labelOf(leaf), value: true });
    if (quotables.length >= mostSentences) break;
  }
  return quotables;
}

/** The sentences of a prose leaf; a question is quoted by nobody, it says what the next sentence is about. */
function sentences({ from, path, value }: Leaf, title: string): Quotable[] {
  const quotables: Quotable[] = [];
  let question = "";
  for (const line of sentencesOf(String(value))) {
    const text = line.replace(/^[A-Za-z][\w. -]{0,30}: +(?=\S)/, ""); // of a record, as `name: value`
    if (/[?？]$/.test(text)) question = text;
    else quotables.push({ from, path, text, about: `${title} ${question}`, value: false });
  }
  return quotables;
}

const nameOf = ({ path }: Pick<Leaf, "path">): string => path.slice(path.lastIndexOf("/") + 1);
const chunkOf = ({ from, path }: Pick<Leaf, "from" | "path">): string =>
  `${from} ${path.slice(0, path.lastIndexOf("/"))}`;

/** The chunks that searches found, by where they stand, with their titles: they have a text and a score. */
function titlesOf(leaves: readonly Leaf[]): ReadonlyMap<string, string> {
  const members = new Map<string, Map<string, Leaf["value"]>>();
  for (const leaf of leaves) {
    const at = chunkOf(leaf);
    members.set(at, (members.get(at) ?? new Map()).set(nameOf(leaf), leaf.value));
  }
  const chunks = [...members].filter(
    ([, of]) => typeof of.get("text") === "string" && typeof of.get("score") === "number",
  );
  return new Map(chunks.map(([at, of]) => [at, String(of.get("title") ?? "")]));
}

/** Whether a leaf belongs to a chunk that a search found. */
export function foundBySearch(leaves: readonly Leaf[]): (leaf: Leaf) => boolean {
  const titles = titlesOf(leaves);
  return (leaf) => titles.has(chunkOf(leaf));
}

/** Names that systems give: nobody asks for them in words. */
export function isInternal(leaf: Pick<Leaf, "path" | "value">): boolean {
  const name = nameOf(leaf);
  return (
    /^(?:id|uuid|guid|score|base|etag|checksum|digest|href|url)$|(?:_id|Id)$/.test(name) ||
    /^[a-z]{2,8}_[0-9a-z]{20,}/.test(String(leaf.value))
  );
}

/** The name under which a value stands; of a list's item, the list's. */
export function labelOf({ path }: Pick<Leaf, "path">): string {
  const names = path.split("/").filter((token) => token !== "" && !/^\d+$/.test(token));
  return (names.at(-1) ?? "value").replaceAll("~1", "/").replaceAll("~0", "~");
}

export function isProse(text: string): boolean {
  return text.length > 40 && text.trim().split(/\s+/, 6).length > 5;
}

const sentenceEnd = /[.!?…。！？](?=\s|$)|\n+/g;

/** Sentences of a text; an overlong one is cut at a word. */
export function sentencesOf(text: string): string[] {
  const found: string[] = [];
  let from = 0;
  for (const match of [...text.matchAll(sentenceEnd), null]) {
    const to = match ? match.index + match[0].length : text.length;
    const sentence = text.slice(from, to).trim();
    from = to;
    if (sentence.length > 1) found.push(shortened(sentence));
    if (found.length >= 200) break;
  }
  return found;
}

function shortened(sentence: string): string {
  if (sentence.length <= longestSentence) return sentence;
  const space = sentence.lastIndexOf(" ", longestSentence);
  return sentence.slice(0, space > 0 ? space : longestSentence);
}

/** The telling words of a text, each once, without the endings that English gives them. */
export function tellingWords(text: string): Set<string> {
  const words = wordsOf(text.replaceAll("_", " ")).filter((word) => word.length > 2 && !common.has(word));
  return new Set(words.map(stemOf));
}

/** Plurals, -ed, -ing and -er come off; what is left is no word, but the same for all of them. */
function stemOf(word: string): string {
  const bare = word.replace(/['’]s?$/, "");
  if (bare.length < 5) return bare.replace(/([^s])s$/, "$1");
  const cut = bare.replace(/(?:ies|ied)$/, "y").replace(/(?:(?<=[^s])s|ed|ing|ly|ment|ments)$/, "");
  return cut.replace(/([^aeiou])\1$/, "$1").replace(/e$/, "");
}
