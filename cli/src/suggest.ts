/** A name of a command, and the words to suggest for it. */
export interface Name {
  readonly words: readonly string[];
  readonly means: readonly string[];
}

/** Verbs that people type for others. */
export const synonyms: Readonly<Record<string, string>> = {
  ls: "list",
  show: "get",
  view: "get",
  read: "get",
  describe: "get",
  inspect: "get",
  new: "create",
  edit: "update",
  modify: "update",
  rm: "delete",
  remove: "delete",
  del: "delete",
};

/**
 * The command that is nearest to what was typed, anywhere in its path: `kill-switches` is `governance kill-switch list`, by the id of its operation, and `documents add` is
 * `knowledge bases documents add`. What follows a command's words, such as an id, is left out of the comparison.
 */
export function suggest(typed: readonly string[], names: readonly Name[]): readonly string[] | undefined {
  const all = [...names, ...prefixesOf(names)].map((name) => ({ name, tokens: tokensOf(name.words) }));
  // The most words that mean something; then those behind a first word that may be the wrong group.
  const lengths = Array.from({ length: Math.min(typed.length, 5) }, (_, index) => Math.min(typed.length, 5) - index);
  const attempts = [
    ...lengths.filter((length) => length > 1 || typed.length === 1).map((length) => typed.slice(0, length)),
    ...(typed.length > 1 ? [typed.slice(1, 2), typed.slice(0, 1)] : []),
  ];
  for (const words of attempts) {
    const best = bestOf(tokensOf(words), all);
    if (best !== undefined && best.join(" ") !== typed.slice(0, best.length).join(" ")) return best;
  }
  return undefined;
}

interface Candidate {
  readonly name: Name;
  readonly tokens: readonly string[];
}

function bestOf(typed: readonly string[], all: readonly Candidate[]): readonly string[] | undefined {
  const orders = typed.length === 2 ? [typed, [...typed].reverse()] : [typed];
  let best: { cost: number; words: readonly string[] } | undefined;
  for (const { name, tokens } of all) {
    const costs = orders.map((order, index) => costOf(order, tokens) + index * 0.3);
    const cost = Math.min(...costs) + (name.words === name.means ? 0 : 0.05);
    if (cost < (best?.cost ?? Number.POSITIVE_INFINITY)) best = { cost, words: name.means };
  }
  return best?.words;
}

/** How far words are from a name: each has to stand in it, in their order. Words of the name that were not typed cost a little, a last one that was not typed more. */
function costOf(typed: readonly string[], tokens: readonly string[]): number {
  let cost = 0;
  let at = 0;
  for (const word of typed) {
    const rest = tokens.slice(at).map((token) => distance(word, token));
    const least = Math.min(...rest);
    if (least > 0.34) return Number.POSITIVE_INFINITY;
    cost += least;
    at += rest.indexOf(least) + 1;
  }
  return cost + 0.08 * (tokens.length - typed.length) + (at === tokens.length ? 0 : 0.3);
}

/** The share of letters to change; a word of up to three letters is meant or not. */
function distance(word: string, token: string): number {
  if (word === token) return 0;
  if (stem(word) === stem(token)) return 0.05;
  if (synonyms[word] === token) return 0.1;
  if (word.length <= 2 || token.length <= 3) return Number.POSITIVE_INFINITY;
  return editDistance(word, token) / token.length;
}

const stem = (word: string): string => word.replace(/(ie)?s$/, (end) => (end === "ies" ? "y" : ""));

const tokensOf = (words: readonly string[]): readonly string[] => words.flatMap((word) => word.split(/[-_]/));

/** Groups within groups, such as `knowledge bases documents`, which list their commands. */
function prefixesOf(names: readonly Name[]): readonly Name[] {
  const found = new Map<string, readonly string[]>();
  for (const { words, means } of names.filter((name) => name.words === name.means))
    for (let length = 1; length < words.length; length++)
      found.set(words.slice(0, length).join(" "), means.slice(0, length));
  return [...found.values()].map((words) => ({ words, means: words }));
}

/** The text with the fewest edits from what was typed; none where a third of its letters or more differ. */
export function nearest(typed: string, candidates: readonly string[]): string | undefined {
  const ranked = candidates
    .map((text) => ({ text, share: editDistance(typed, text) / text.length }))
    .sort((a, b) => a.share - b.share);
  const [best] = ranked;
  return best !== undefined && best.share <= 0.34 ? best.text : undefined;
}

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment) that turn one text into the other. */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] ?? 0) + 1);
      current.push(least);
    }
    before = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}
