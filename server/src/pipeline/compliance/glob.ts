/** Longest pattern that `glob` takes, in UTF-16 units: bounds the work per character of the text. */
export const MAX_GLOB_PATTERN = 256;

const STAR = 42;
const ANY = 63;
const WORD = 32;

/**
 * Whether the whole text fits the pattern: `*` stands for any run of UTF-16 units, the empty one too, `?` for exactly one, all else for
 * itself. Time is O(text) for a given pattern, without backtracking: the first and the last piece are compared in place, each piece
 * between stars is found leftmost by a bit-parallel automaton (Shift-And: Baeza-Yates and Gonnet, CACM 35(10), 1992).
 * Throws RangeError for a pattern longer than `MAX_GLOB_PATTERN`.
 */
export function glob(text: string, pattern: string): boolean {
  if (pattern.length > MAX_GLOB_PATTERN)
    throw new RangeError(`a glob pattern has at most ${MAX_GLOB_PATTERN} characters`);
  const first = pattern.indexOf("*");
  if (first < 0) return text.length === pattern.length && fits(text, 0, pattern, 0, pattern.length);
  const last = pattern.lastIndexOf("*");
  const tail = pattern.length - last - 1;
  if (text.length < first + tail) return false;
  if (!fits(text, 0, pattern, 0, first) || !fits(text, text.length - tail, pattern, last + 1, tail)) return false;
  let from = first;
  const end = text.length - tail;
  let start = first + 1;
  while (start <= last) {
    const stop = pattern.indexOf("*", start);
    if (stop > start) {
      from = find(text, from, end, pattern, start, stop);
      if (from < 0) return false;
    }
    start = stop + 1;
  }
  return true;
}

/** Whether `length` units of the text at `at` fit those of the pattern at `start`. */
function fits(text: string, at: number, pattern: string, start: number, length: number): boolean {
  for (let i = 0; i < length; i++) {
    const unit = pattern.charCodeAt(start + i);
    if (unit !== ANY && unit !== text.charCodeAt(at + i)) return false;
  }
  return true;
}

/** Where the leftmost occurrence of pattern[start, stop) in text[from, end) ends; -1 without one. */
function find(text: string, from: number, end: number, pattern: string, start: number, stop: number): number {
  const length = stop - start;
  const words = Math.ceil(length / WORD);
  const { masks, wild } = tables(pattern, start, length, words);
  const state = new Int32Array(words);
  const topWord = words - 1;
  const topBit = 1 << ((length - 1) % WORD);
  for (let at = from; at < end; at++) {
    const mask = masks.get(text.charCodeAt(at)) ?? wild;
    let carry = 1;
    for (let w = 0; w < words; w++) {
      const before = state[w] as number;
      state[w] = ((before << 1) | carry) & (mask[w] as number);
      carry = before >>> (WORD - 1);
    }
    if (((state[topWord] as number) & topBit) !== 0) return at + 1;
  }
  return -1;
}

/** Per unit, the bits of the positions that accept it; `wild` is for units that stand nowhere in the piece. */
function tables(
  pattern: string,
  start: number,
  length: number,
  words: number,
): { masks: Map<number, Int32Array>; wild: Int32Array } {
  const wild = new Int32Array(words);
  for (let i = 0; i < length; i++) {
    if (pattern.charCodeAt(start + i) === ANY) setBit(wild, i);
  }
  const masks = new Map<number, Int32Array>();
  for (let i = 0; i < length; i++) {
    const unit = pattern.charCodeAt(start + i);
    if (unit === ANY || unit === STAR) continue;
    let mask = masks.get(unit);
    if (!mask) {
      mask = wild.slice();
      masks.set(unit, mask);
    }
    setBit(mask, i);
  }
  return { masks, wild };
}

function setBit(mask: Int32Array, at: number): void {
  const word = Math.floor(at / WORD);
  mask[word] = (mask[word] as number) | (1 << (at % WORD));
}
