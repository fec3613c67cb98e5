/** What a chunk says, as the ranking sees it: how often each of its terms stands in it (a title counts twice), and how many words it has. */
export interface Stems {
  readonly terms: readonly string[];
  readonly often: readonly number[];
  readonly length: number;
}

const [quote, backslash, colon, comma, space, letterA] = [39, 92, 58, 44, 32, 65];

/** Reads the text form of a tsvector: `'boundari':3A,12 'layer':4A`. */
export function parseStems(lexemes: string): Stems {
  const terms: string[] = [];
  const often: number[] = [];
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
    const term = lexemes.slice(start, at);
    let times = 0;
    at += 1;
    if (lexemes.charCodeAt(at) === colon) times = 1;
    for (; at < lexemes.length; at += 1) {
      const code = lexemes.charCodeAt(at);
      if (code === space) break;
      if (code === comma || code === letterA) times += 1;
    }
    at += 1;
    terms.push(escaped ? term.replace(/''|\\\\/g, (pair) => pair[0] as string) : term);
    often.push(times);
    length += times;
  }
  return { terms, often, length };
}
