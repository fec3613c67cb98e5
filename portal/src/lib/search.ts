// What addresses carry behind the `?`: texts only, so that each filter is read by the room that knows it.

type Search = Record<string, unknown>;

/** A text, or nothing. */
export const textOf = (search: Search, name: string): string | undefined => {
  const value = search[name];
  return typeof value === "string" && value !== "" ? value : undefined;
};

/** One of these words, or nothing. */
export const wordOf = <Word extends string>(search: Search, name: string, words: readonly Word[]): Word | undefined =>
  words.find((word) => word === search[name]);

/** Those of these words that stand there, separated by commas; nothing where none does. */
export function wordsOf<Word extends string>(search: Search, name: string, words: readonly Word[]): Word[] | undefined {
  const given = textOf(search, name)?.split(",") ?? [];
  const known = words.filter((word) => given.includes(word));
  return known.length === 0 ? undefined : known;
}
