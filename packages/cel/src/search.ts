/** Below so many characters of the searched text the platform's search suffices, however the two texts are chosen. */
const SHORT_NEEDLE = 8;

/**
 * A text to look for in others, in time that grows with the sum of their lengths: the platform's search grows with their product for texts that are chosen
 * so. (Knuth, Morris, Pratt.)
 */
export class Needle {
  readonly #text: string;
  #steps: Int32Array | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Where it stands in a text first from `from` on; -1: nowhere. */
  indexIn(text: string, from = 0): number {
    const needle = this.#text;
    if (needle.length < SHORT_NEEDLE || text.length < 64) return text.indexOf(needle, from);
    this.#steps ??= stepsOf(needle);
    let matched = 0;
    for (let at = Math.max(0, from); at < text.length; at++) {
      const code = text.charCodeAt(at);
      while (matched > 0 && needle.charCodeAt(matched) !== code) matched = this.#steps[matched - 1] as number;
      if (needle.charCodeAt(matched) === code) matched++;
      if (matched === needle.length) return at - matched + 1;
    }
    return -1;
  }
}

/** For each prefix the length of its longest proper prefix that is its suffix too. */
function stepsOf(needle: string): Int32Array {
  const steps = new Int32Array(needle.length);
  let matched = 0;
  for (let at = 1; at < needle.length; at++) {
    const code = needle.charCodeAt(at);
    while (matched > 0 && needle.charCodeAt(matched) !== code) matched = steps[matched - 1] as number;
    if (needle.charCodeAt(matched) === code) matched++;
    steps[at] = matched;
  }
  return steps;
}

/** Units of one search: for all characters of both. */
export const searchCost = (text: string, needle: string): number =>
  needle.length < SHORT_NEEDLE ? (text.length * (needle.length + 1)) >>> 4 : (text.length + needle.length) >>> 2;
