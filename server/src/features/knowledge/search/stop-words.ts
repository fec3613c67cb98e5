import type { QueryContext } from "../../../kernel/db.ts";
import type { Token } from "./tokens.ts";

/** Languages that are distinguished by the words of each that say nothing. */
export const stopWordLanguages =
  "danish dutch english finnish french german hungarian italian norwegian portuguese romanian russian spanish swedish turkish".split(
    " ",
  );
/** By word, the languages in which it says nothing. */
const known = new Map<string, readonly string[]>();
const mostKnown = 100_000;

export interface Silence {
  /** In these languages most of its words say nothing, equally many in each; none where all of them tell something. */
  readonly languages: ReadonlySet<string>;
  /** What counts in no base: in one of another language such words are rare, and would decide. Empty where nothing else would be left. */
  readonly empty: ReadonlySet<string>;
}

/** The language in which a question is asked, by its words that say nothing there (`how`, `wie`). */
export async function silenceIn(ctx: Pick<QueryContext, "db">, tokens: readonly Token[]): Promise<Silence> {
  const words = [...new Set(tokens.flatMap(({ word, kind }) => (kind === "word" ? [word] : [])))];
  const byWord = await languagesOfStopWords(ctx, words);
  const votes = new Map<string, number>();
  for (const own of byWord.values()) for (const language of own) votes.set(language, (votes.get(language) ?? 0) + 1);
  const most = Math.max(0, ...votes.values());
  const languages = new Set([...votes].flatMap(([language, count]) => (count === most ? [language] : [])));
  const empty = words.filter((word) => byWord.get(word)?.some((language) => languages.has(language)));
  return { languages, empty: new Set(empty.length < words.length ? empty : []) };
}

/** By word, the languages in which it says nothing. */
export async function languagesOfStopWords(
  { db }: Pick<QueryContext, "db">,
  words: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const missing = words.filter((word) => !known.has(word));
  if (missing.length > 0) {
    const rows = await db.query<{ word: string; languages: string[] }>(
      `select w as word, array(select l from unnest($2::text[]) l where ts_lexize((l || '_stem')::regdictionary, w) = '{}') as languages
       from unnest($1::text[]) w`,
      [missing, stopWordLanguages],
    );
    if (known.size > mostKnown) for (const word of known.keys()) if (!words.includes(word)) known.delete(word);
    for (const { word, languages: own } of rows) known.set(word, own);
  }
  return new Map(words.map((word) => [word, known.get(word) ?? []]));
}
