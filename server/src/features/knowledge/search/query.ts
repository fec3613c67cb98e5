/** What a question asks for: words of which any may occur, phrases that must, and words that must not. */
export interface ParsedQuery {
  /** The words to look for, those of phrases among them, as they were written. */
  readonly words: readonly string[];
  readonly phrases: readonly string[];
  readonly excluded: readonly string[];
}

/** Characters of a query that are read, and words of it that are looked for. */
const most = { characters: 4000, words: 64 } as const;

/** Reads `"in quotes"` and `-word`; everything else is words. A quote that is not closed is none. */
export function parseQuery(query: string): ParsedQuery {
  const phrases: string[] = [];
  const excluded: string[] = [];
  const plain = query
    .slice(0, most.characters)
    .replaceAll("\0", " ")
    .replace(/"([^"]+)"/g, (_whole, phrase: string) => {
      if (/[\p{L}\p{N}]/u.test(phrase)) phrases.push(phrase);
      return ` ${phrase} `;
    })
    .replace(/(?<=^|\s)-([\p{L}\p{N}]\S*)/gu, (_whole, word: string) => {
      excluded.push(word);
      return " ";
    });
  const words = plain.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word));
  return {
    words: [...new Set(words)].slice(0, most.words),
    phrases: phrases.slice(0, 8),
    excluded: excluded.slice(0, 16),
  };
}
