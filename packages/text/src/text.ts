/** How many characters (code points) a text has, which is what JSON Schema counts; `length` counts those outside the basic plane twice. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let at = 1; at < text.length; at++) {
    if ((text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800) count--;
  }
  return count;
}

/** Whether a text has at most so many characters. Counts only where that is in doubt. */
export const hasAtMost = (most: number, text: string): boolean =>
  text.length <= most || (text.length <= 2 * most && codePoints(text) <= most);

/** The first characters of a text, none of them cut in half. */
export function firstOf(text: string, most: number): string {
  if (text.length <= most) return text;
  return Array.from(text.slice(0, 2 * most))
    .slice(0, most)
    .join("");
}

/** A text as it is or, where it has more characters, its first ones with an ellipsis. */
export const shortened = (text: string, most: number): string =>
  hasAtMost(most, text) ? text : `${firstOf(text, most)}…`;
