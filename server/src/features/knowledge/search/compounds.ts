/** Languages that write several nouns as one word (`Datenbanksicherung`). */
export const compoundLanguages: ReadonlySet<string> = new Set(
  "danish dutch finnish german hungarian norwegian swedish".split(" "),
);

/** What stands between the parts of a compound. */
const links = ["", "s", "es", "n", "en", "er", "e"];
/** Of a compound, and of each of its parts (letters). Shorter parts stand in words by chance. */
const [shortest, shortestPart, longest] = [9, 4, 40] as const;
/** Words of a question, in the order in which they are asked for, and neighbours of them. */
const most = 8;

/** The words of what is searched. */
export interface Vocabulary {
  /** The stem of each word; none for one that says nothing. */
  stemsOf(words: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Chunks that have each stem. */
  countsOf(stems: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

export interface Compounds {
  /** By word, the stems of the parts that it is made of. */
  readonly parts: ReadonlyMap<string, readonly string[]>;
  /** Stems of compounds that are made of two neighbouring words. */
  readonly wholes: readonly string[];
}

/**
 * Which words of a question are compounds of words that occur, and which compounds of its words occur (by their
 * frequencies: Koehn and Knight 2003).
 */
export async function compoundsOf(words: readonly string[], vocabulary: Vocabulary): Promise<Compounds> {
  const asked = words.filter((word) => /^\p{L}{4,40}$/u.test(word));
  const long = [...new Set(asked)].filter(({ length }) => length >= shortest && length <= longest).slice(0, most);
  const splits = new Map(long.map((word) => [word, splitsOf(word)]));
  const joined = asked.slice(0, most).flatMap((word, at) => joinsOf(word, asked[at + 1]));
  const candidates = [...new Set([...[...splits.values()].flat(2), ...joined])];
  if (candidates.length === 0) return { parts: new Map(), wholes: [] };
  const stems = await vocabulary.stemsOf(candidates);
  const counts = await vocabulary.countsOf([...new Set(stems.values())]);
  const known = (word: string): number => counts.get(stems.get(word) ?? "") ?? 0;
  const stemOf = (word: string): string => stems.get(word) as string;
  const parts = [...splits].flatMap(([word, own]) => {
    const [best] = own
      .map((split) => ({ split, weight: split.reduce((product, part) => product * known(part), 1) }))
      .filter(({ weight }) => weight > 0)
      .sort((a, b) => b.weight - a.weight);
    return best === undefined ? [] : [[word, best.split.map(stemOf)] as const];
  });
  return { parts: new Map(parts), wholes: [...new Set(joined.filter((word) => known(word) > 0).map(stemOf))] };
}

function splitsOf(word: string): string[][] {
  const splits: string[][] = [];
  for (let at = shortestPart; at <= word.length - shortestPart; at += 1) {
    const last = word.slice(at);
    for (const link of links) {
      const first = word.slice(0, at - link.length);
      if (first.length >= shortestPart && word.slice(first.length, at) === link) splits.push([first, last]);
    }
  }
  return splits;
}

function joinsOf(first: string, second: string | undefined): string[] {
  if (second === undefined || first === second) return [];
  return [
    [first, second],
    [second, first],
  ].flatMap(([a, b]) => links.map((link) => `${a}${link}${b}`));
}
