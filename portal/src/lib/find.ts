/** Words as people type them: `ld_1001` and `A-7802` are two each, so that either part finds them. */
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** How well texts fit what is looked for: 0 unless every word of it begins a word of theirs; the more of those words it is, the more. */
export function wordScore(texts: readonly string[], sought: string): number {
  const wanted = wordsOf(sought);
  if (wanted.length === 0) return sought.trim() === "" ? 1 : 0;
  const known = texts.flatMap(wordsOf);
  const shares = wanted.map((word) =>
    Math.max(0, ...known.filter((one) => one.startsWith(word)).map((one) => word.length / one.length)),
  );
  return shares.some((share) => share === 0) ? 0 : shares.reduce((sum, share) => sum + share, 0) / shares.length;
}
