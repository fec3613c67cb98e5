import type { QueryContext } from "../../../kernel/db.ts";
import type { Token } from "./tokens.ts";

/** The stem of a token in a language; null for a word that says nothing, such as `the`. */
export type StemOf = (token: Pick<Token, "word" | "kind">) => string | null;

/** Languages in which PostgreSQL takes words of ASCII letters for English ones, as their texts have them as names. */
const otherScripts = new Set("arabic armenian greek hindi nepali russian serbian tamil yiddish".split(" "));
/** By dictionary, the stems of words that were asked for lately; null for those that say nothing. */
const known = new Map<string, Map<string, string | null>>();
const mostKnown = 200_000;

/** Reads the stems of tokens by PostgreSQL's dictionaries of Snowball; those of most words are in memory. */
export async function stemmer(
  ctx: Pick<QueryContext, "db">,
  language: string,
  tokens: Iterable<Pick<Token, "word" | "kind">>,
): Promise<StemOf> {
  if (language === "simple") return ({ word }) => word;
  const words = new Set<string>();
  for (const token of tokens) if (hasStem(token)) words.add(token.word);
  const isForeign = (word: string): boolean => otherScripts.has(language) && isAscii(word);
  const [foreign, own] = [[] as string[], [] as string[]];
  for (const word of words) (isForeign(word) ? foreign : own).push(word);
  const stems = await stemsOf(ctx, language, own);
  const english = foreign.length === 0 ? stems : await stemsOf(ctx, "english", foreign);
  return (token) => {
    if (!hasStem(token)) return token.word;
    return (isForeign(token.word) ? english : stems).get(token.word) ?? null;
  };
}

/** Identifiers with dots and underscores are names as they are. */
const hasStem = ({ word, kind }: Pick<Token, "word" | "kind">): boolean =>
  kind === "word" || (kind === "whole" && !/[._]/.test(word));

/** Stems by word, those of the words given among them. */
async function stemsOf(
  { db }: Pick<QueryContext, "db">,
  language: string,
  words: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const present = known.get(language);
  const stems = present === undefined || present.size > mostKnown ? new Map<string, string | null>() : present;
  known.set(language, stems);
  const missing = words.filter((word) => !stems.has(word));
  if (missing.length === 0) return stems;
  const rows = await db.query<{ word: string; stems: string[] | null }>(
    "select w as word, ts_lexize($1::regdictionary, w) as stems from unnest($2::text[]) w",
    [`${language}_stem`, missing],
  );
  for (const { word, stems: found } of rows) stems.set(word, found === null ? word : (found[0] ?? null));
  return stems;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what ASCII is
const isAscii = (word: string): boolean => /^[\x00-\x7f]*$/.test(word);

/** A stem with its place among those of its text; an identifier as a whole stands where its first part does. */
export interface Placed {
  readonly stem: string;
  readonly at: number;
}

/** The stems of a text's tokens, words that say nothing left out. */
export function placedStems(tokens: readonly Token[], stemOf: StemOf): Placed[] {
  const placed: Placed[] = [];
  let at = 0;
  for (const token of tokens) {
    const stem = stemOf(token);
    if (stem === null) continue;
    placed.push({ stem, at });
    if (token.kind !== "whole") at += 1;
  }
  return placed;
}
