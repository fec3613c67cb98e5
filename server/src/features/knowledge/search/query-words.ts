/** A chunk's words, as its `lexemes` have them (`lexemes.ts`). */
export interface Stems {
  readonly terms: readonly string[];
  readonly often: readonly number[];
  readonly length: number;
  /** Where wanted terms stand in the text. */
  readonly positions: ReadonlyMap<string, readonly number[]>;
  /** The terms of the last heading above it. */
  readonly heading: readonly string[];
}

const [quote, backslash, colon, comma, nine] = [39, 92, 58, 44, 57];

/**
 * Reads the text form of a tsvector: `'boundari':3C,12 'layer':4B`. `names`: the terms of a question that stems count as; those whose names are the same are one, and its
 * positions are read.
 */
export function parseStems(lexemes: string, names: ReadonlyMap<string, string> = new Map()): Stems {
  const [terms, often, heading] = [[] as string[], [] as number[], [] as string[]];
  const positions = new Map<string, readonly number[]>();
  let length = 0;
  let at = 0;
  while (at < lexemes.length) {
    const start = at + 1;
    let escaped = false;
    for (at = start; ; at += 1) {
      const code = lexemes.charCodeAt(at);
      if (code === backslash || (code === quote && lexemes.charCodeAt(at + 1) === quote)) {
        escaped = true;
        at += 1;
      } else if (code === quote || Number.isNaN(code)) break;
    }
    const term = escaped
      ? lexemes.slice(start, at).replace(/''|\\\\/g, (pair) => pair[0] as string)
      : lexemes.slice(start, at);
    const end = endOf(lexemes, at + 1);
    const places = lexemes.slice(at + 2, end);
    const times = lexemes.charCodeAt(at + 1) === colon ? commasIn(places) + 1 : 0;
    at = end + 1;
    length += times;
    if (places.includes("C")) heading.push(term);
    const name = names.get(term);
    const known = name === undefined ? undefined : positions.get(name);
    if (name !== undefined) positions.set(name, [...(known ?? []), ...inText(places)]);
    if (known === undefined) {
      terms.push(name ?? term);
      often.push(times);
    } else {
      const own = terms.indexOf(name as string);
      often[own] = (often[own] as number) + times;
    }
  }
  return { terms, often, length, positions, heading };
}

function endOf(lexemes: string, from: number): number {
  const end = lexemes.indexOf(" ", from);
  return end < 0 ? lexemes.length : end;
}

function commasIn(places: string): number {
  let count = 0;
  for (let at = 0; at < places.length; at += 1) if (places.charCodeAt(at) === comma) count += 1;
  return count;
}

/** Positions without a weight. */
const inText = (places: string): number[] =>
  places.split(",").flatMap((one) => (one.charCodeAt(one.length - 1) <= nine ? [Number(one)] : []));

export interface ParsedQuery {
  /** Words, phrases among them, and none that are excluded. */
  readonly text: string;
  readonly phrases: readonly string[];
  readonly excluded: readonly string[];
}

const mostCharacters = 4000;

/** A quote that is not closed is none. */
export function parseQuery(query: string): ParsedQuery {
  const phrases: string[] = [];
  const excluded: string[] = [];
  const plain = query
    .slice(0, mostCharacters)
    .replaceAll("\0", " ")
    .replace(/"([^"]+)"/g, (_whole, phrase: string) => {
      if (/[\p{L}\p{N}]/u.test(phrase)) phrases.push(phrase);
      return ` ${phrase} `;
    })
    .replace(/(?<=^|\s)-([\p{L}\p{N}]\S*)/gu, (_whole, word: string) => {
      excluded.push(word);
      return " ";
    });
  return {
    text: plain,
    phrases: phrases.slice(0, 8),
    excluded: excluded.slice(0, 16),
  };
}
