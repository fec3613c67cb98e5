import type { Bag } from "./bag.ts";

// Texts as features: word n-grams over the text with its ends marked, and character 3–5-grams inside words with their ends marked.

/** How texts become features. An artifact keeps the scheme that it was learnt with. */
export interface TextScheme {
  /** Words of a word n-gram at most. */
  readonly words: number;
  /** Two words up to so far apart are a feature, whatever stands between them and whichever comes first; 0: none are. */
  readonly pairs: number;
  /** Characters of a character n-gram at most. */
  readonly characters: number;
  /** Length to which the values of the characters are scaled; that of the words is 1. */
  readonly reach: number;
  /** Whether features that are not known count in the length that a text is scaled by, so that a text of which little is known says little. */
  readonly whole: boolean;
}

/** Of artifacts of the format's first version. */
export const firstScheme: TextScheme = { words: 3, pairs: 0, characters: 5, reach: 1, whole: false };

/** From how many examples on pairs of words help, and what is unknown is so little that it need not be counted. */
const many = 4_000;

/** Measured on customer questions from 500, 2,000 and 8,003 examples. */
export function schemeFor(examples: number): TextScheme {
  return { words: 2, pairs: examples >= many ? 6 : 0, characters: 5, reach: Math.SQRT2, whole: examples < many };
}

const prime = 0x01000193;
const offset = 0x811c9dc5;

/** FNV-1a over UTF-16 code units, from `seed` on. */
export function hashText(text: string, seed: number = offset): number {
  let hash = seed;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), prime);
  return mixed(hash);
}

/** Spreads a hash over all 32 bits (the finalizer of MurmurHash3); unsigned. */
export function mixed(hash: number): number {
  let h = hash ^ (hash >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

const mostWords = 8_192;
const starts = new Int32Array(mostWords + 2);
const ends = new Int32Array(mostWords + 2);
const wordHashes = new Int32Array(mostWords + 2);

const none = 0;
const letter = 1;
/** A sign that says something by itself, or a letter of a script that writes no spaces. */
const alone = 2;

/**
 * The class of a code unit. ASCII by table; beyond it everything but the blocks of spaces, punctuation and signs counts as a letter, so that no Unicode
 * table, which differs between releases, has a say in what a model has learnt.
 */
function classOf(code: number): number {
  if (code < 0x80) {
    if ((code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39)) return letter;
    return code === 0x3f || code === 0x21 || code === 0x24 || code === 0x25 ? alone : none;
  }
  if (code < 0xc0)
    return code === 0xa3 || code === 0xa5 ? alone : code === 0xaa || code === 0xb5 || code === 0xba ? letter : none;
  if (code === 0xd7 || code === 0xf7) return none;
  if (code >= 0x2000 && code <= 0x2bff) return code === 0x20ac ? alone : none;
  if (code >= 0x3000 && code <= 0x303f) return none;
  if ((code >= 0x3040 && code <= 0x30ff) || (code >= 0x3400 && code <= 0x9fff) || (code >= 0xac00 && code <= 0xd7af))
    return alone;
  if ((code >= 0xfe30 && code <= 0xfe6f) || (code >= 0xff00 && code <= 0xff0f)) return none;
  return letter;
}

/** Finds the words of a text in lower case: their places go into the shared tables, from 1 on. Answers how many. */
function cut(text: string): number {
  let words = 0;
  let at = 0;
  while (at < text.length && words < mostWords) {
    const kind = classOf(text.charCodeAt(at));
    if (kind === none) {
      at++;
      continue;
    }
    words++;
    starts[words] = at++;
    if (kind === letter) at = endOfWord(text, at);
    ends[words] = at;
  }
  return words;
}

/** An apostrophe between letters belongs to the word: "can't", "card's". */
function endOfWord(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (classOf(code) === letter) continue;
    const apostrophe = code === 0x27 || code === 0x2019;
    if (!apostrophe || at + 1 >= text.length || classOf(text.charCodeAt(at + 1)) !== letter) break;
  }
  return at;
}

/** The words of a text in lower case, as its features see them. */
export function wordsOf(text: string): string[] {
  const lower = text.toLowerCase();
  const count = cut(lower);
  const words: string[] = [];
  for (let word = 1; word <= count; word++) words.push(lower.slice(starts[word], ends[word]).replaceAll("’", "'"));
  return words;
}

/** Adds a text's features to the bag: words as group `group`, characters as `group + 1`. `seed` tells the fields of an example apart. */
export function addText(bag: Bag, text: string, seed: number, group: number, leaf: number, scheme: TextScheme): void {
  const lower = text.toLowerCase();
  const count = cut(lower);
  addWords(bag, lower, count, seed, group, leaf, scheme.words);
  if (scheme.pairs > 0) addPairs(bag, count, seed, group, leaf, scheme.pairs);
  for (let word = 1; word <= count; word++) {
    addCharacters(bag, lower, starts[word] as number, ends[word] as number, seed, group + 1, leaf, scheme.characters);
  }
}

function codeAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code === 0x2019 ? 0x27 : code;
}

function addWords(
  bag: Bag,
  text: string,
  count: number,
  seed: number,
  group: number,
  leaf: number,
  most: number,
): void {
  for (let word = 1; word <= count; word++) {
    let hash = offset;
    for (let at = starts[word] as number; at < (ends[word] as number); at++)
      hash = Math.imul(hash ^ codeAt(text, at), prime);
    wordHashes[word] = mixed(hash);
  }
  wordHashes[0] = 1;
  wordHashes[count + 1] = 2;
  for (let first = 0; first <= count + 1; first++) {
    let hash = seed ^ 0x5bd1e995;
    for (let last = first; last < first + most && last <= count + 1; last++) {
      hash = Math.imul(hash ^ (wordHashes[last] as number), prime) ^ (hash >>> 15);
      const onlyAnEnd = last === first && (first === 0 || first === count + 1);
      if (!onlyAnEnd) bag.add(mixed(hash), 1, group, leaf);
    }
  }
}

/** Of the words that were hashed last. */
function addPairs(bag: Bag, count: number, seed: number, group: number, leaf: number, most: number): void {
  for (let first = 1; first <= count; first++) {
    for (let last = first + 2; last <= count && last <= first + most; last++) {
      const [one, other] = [wordHashes[first] as number, wordHashes[last] as number];
      if (one === other) continue;
      const hash = Math.imul(Math.min(one, other), prime) ^ Math.max(one, other) ^ seed ^ 0x2c1b3c6d;
      bag.add(mixed(Math.imul(hash, prime)), 1, group, leaf);
    }
  }
}

function addCharacters(
  bag: Bag,
  text: string,
  start: number,
  end: number,
  seed: number,
  group: number,
  leaf: number,
  most: number,
): void {
  for (let first = start - 1; first + 3 <= end + 1; first++) {
    let hash = seed ^ 0x27d4eb2f;
    for (let at = first; at < first + most && at <= end; at++) {
      const code = at < start || at === end ? 0x20 : codeAt(text, at);
      hash = Math.imul(hash ^ code, prime);
      if (at - first >= 2) bag.add(mixed(hash ^ (at - first)), 1, group, leaf);
    }
  }
}
