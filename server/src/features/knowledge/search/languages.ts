import type { QueryContext } from "../../../kernel/db.ts";
import { languagesOfStopWords, stopWordLanguages } from "./stop-words.ts";
import { tokensOf } from "./tokens.ts";

/** Languages of a script that PostgreSQL has stems of; the first is taken where the base is in none of them. */
const scripts = [
  [/\p{Script=Cyrillic}/gu, ["russian", "serbian"]],
  [/\p{Script=Greek}/gu, ["greek"]],
  [/\p{Script=Arabic}/gu, ["arabic"]],
  [/\p{Script=Armenian}/gu, ["armenian"]],
  [/\p{Script=Devanagari}/gu, ["hindi", "nepali"]],
  [/\p{Script=Hebrew}/gu, ["yiddish"]],
  [/\p{Script=Tamil}/gu, ["tamil"]],
] as const;

/** What is read of a text to find its language (UTF-16 code units), and the words without which nothing can be said. */
const [sample, fewestWords] = [6_000, 20] as const;
/** Stop words among the words of a text: running text has .3 to .5, and of another language's .05. */
const least = { share: 0.15, timesBase: 1.5 } as const;

/**
 * The language of each text that is not the base's, by its number; by script, else by stop words. A base of `simple`
 * takes words as they are, whatever its texts are in;
 * where PostgreSQL has no stop words of the base's language, only a script tells another.
 */
export async function otherLanguages(
  ctx: Pick<QueryContext, "db">,
  base: string,
  texts: readonly string[],
): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>();
  if (base === "simple") return found;
  const words = new Map<number, string[]>();
  for (const [at, text] of texts.entries()) {
    const part = text.slice(0, sample);
    const byScript = languageOfScript(part, base);
    if (byScript !== undefined) found.set(at, byScript);
    else words.set(at, wordsOf(part));
  }
  if (!stopWordLanguages.includes(base)) return found;
  const known = await languagesOfStopWords(ctx, [...new Set([...words.values()].flat())]);
  for (const [at, own] of words) {
    const language = mostSaid(own, base, known);
    if (language !== undefined) found.set(at, language);
  }
  return found;
}

function languageOfScript(text: string, base: string): string | undefined {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  for (const [script, languages] of scripts) {
    if ((text.match(script)?.length ?? 0) <= letters / 2) continue;
    return (languages as readonly string[]).includes(base) ? undefined : languages[0];
  }
  return undefined;
}

const wordsOf = (text: string): string[] =>
  tokensOf(text).flatMap(({ word, kind }) => (kind === "word" && /^\p{Script=Latin}{2,}$/u.test(word) ? [word] : []));

function mostSaid(
  words: readonly string[],
  base: string,
  known: ReadonlyMap<string, readonly string[]>,
): string | undefined {
  if (words.length < fewestWords) return undefined;
  const counts = new Map<string, number>();
  for (const word of words)
    for (const language of known.get(word) ?? []) counts.set(language, (counts.get(language) ?? 0) + 1);
  const [most] = [...counts].sort((a, b) => b[1] - a[1]);
  if (most === undefined) return undefined;
  const [language, count] = most;
  const enough = Math.max(least.share * words.length, least.timesBase * (counts.get(base) ?? 0));
  return language !== base && count >= enough ? language : undefined;
}
