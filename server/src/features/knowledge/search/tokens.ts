/** A word of a text, a part of one, or an identifier as a whole, before it is reduced to its stem. */
export interface Token {
  /** In lower case and Unicode's compatible form. */
  readonly word: string;
  /** Where it stands in the text, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** `word`: has a stem. `whole`: an identifier (`max_wal_size`, `fastify.register`), besides its parts. `unspaced`: of a script without spaces, which has no stem. */
  readonly kind: "word" | "whole" | "unspaced";
}

/** Scripts that put no space between words. */
const unspaced =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}々ー";
/** Its particles hang on the words, which stand between spaces in many ways. */
const hangul = "\\p{Script=Hangul}";
const letters = `[[\\p{L}\\p{N}\\p{M}]--[${unspaced}${hangul}]]`;
const runs = new RegExp(`([${unspaced}]+)|(${hangul}+)|${letters}+(?:[._]${letters}+)*`, "gv");
const humps = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const mixed = /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}{2}\p{Ll}/u;
/** Longer words are none that anybody looks for. */
const longest = 100;

/** The same runs in a text of ASCII alone, three times as fast. */
const asciiRuns = /[A-Za-z0-9]+(?:[._][A-Za-z0-9]+)*/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: what ASCII is
const otherThanAscii = /[^\x00-\x7f]/;

/**
 * The words of a text, in order. `camelCase` and identifiers joined by dots and underscores are there whole and in parts, as whoever knows the name and whoever
 * knows a word of it look for it. Chinese, Japanese, Thai and alike are there as words by the dictionaries of ICU, Korean as
 * pairs of neighbouring characters (decision 0076).
 */
export function tokensOf(text: string): Token[] {
  const found: Token[] = [];
  if (!otherThanAscii.test(text)) {
    addAscii(found, text);
    return found;
  }
  for (const match of text.matchAll(runs)) {
    if (match[1] !== undefined) addUnspaced(found, match[0], match.index);
    else if (match[2] !== undefined) addPairs(found, match[0], match.index);
    else addWord(found, match[0], match.index);
  }
  return found;
}

/** Most texts are ASCII: their words are found without tables of Unicode, and made small all at once. */
function addAscii(found: Token[], text: string): void {
  const small = text.toLowerCase();
  for (const { 0: whole, index: start } of text.matchAll(asciiRuns)) {
    const end = start + whole.length;
    const word = small.slice(start, end);
    const isPlain = word === whole && !whole.includes(".") && !whole.includes("_");
    if (isPlain && whole.length <= longest) found.push({ word, start, end, kind: "word" });
    else addWord(found, whole, start);
  }
}

const plain = (text: string): string => text.normalize("NFKC").toLowerCase();

function addWord(found: Token[], whole: string, start: number): void {
  if (whole.length > longest) return;
  const dotted = whole.includes(".") || whole.includes("_");
  if (!dotted && !mixed.test(whole)) {
    found.push({ word: plain(whole), start, end: start + whole.length, kind: "word" });
    return;
  }
  if (dotted) found.push({ word: plain(whole), start, end: start + whole.length, kind: "whole" });
  let at = start;
  for (const name of whole.split(/[._]/)) {
    const parts = mixed.test(name) ? name.split(humps) : [name];
    if (parts.length > 1) found.push({ word: plain(name), start: at, end: at + name.length, kind: "whole" });
    for (const part of parts) {
      found.push({ word: plain(part), start: at, end: at + part.length, kind: "word" });
      at += part.length;
    }
    at += 1;
  }
}

/** Its dictionaries are the same for all locales. */
const segmenter = new Intl.Segmenter("en", { granularity: "word" });

function addUnspaced(found: Token[], run: string, start: number): void {
  for (const { segment, index } of segmenter.segment(run)) {
    const at = start + index;
    if (segment.length <= longest && /[\p{L}\p{N}]/u.test(segment))
      found.push({ word: plain(segment), start: at, end: at + segment.length, kind: "unspaced" });
  }
}

function addPairs(found: Token[], run: string, start: number): void {
  const characters = [...run];
  let at = start;
  for (const [index, character] of characters.entries()) {
    const next = characters[index + 1];
    const pair = next === undefined ? (index === 0 ? character : undefined) : character + next;
    if (pair !== undefined) found.push({ word: plain(pair), start: at, end: at + pair.length, kind: "unspaced" });
    at += character.length;
  }
}
