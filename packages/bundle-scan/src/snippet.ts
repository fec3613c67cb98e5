import type { Segment } from "./source.ts";

/** Part of a text that must not be shown. */
export interface Mask {
  readonly start: number;
  readonly end: number;
}

const AROUND = 30;
const LONGEST = 120;
const SHOWN = 4;

/** What stands around a place: at most 120 units, invisible characters written as `\u{…}`, masked parts reduced to their first characters. */
export function snippetOf({ text }: Pick<Segment, "text">, start: number, end: number, masks: readonly Mask[]): string {
  const from = Math.max(0, start - AROUND);
  const to = Math.min(text.length, Math.max(start + 1, Math.min(end, start + LONGEST)) + AROUND);
  let shown = "";
  let at = from;
  for (const mask of masks) {
    if (mask.end <= at || mask.start >= to) continue;
    if (mask.start > at) shown += text.slice(at, mask.start);
    if (mask.start >= at) shown += text.slice(mask.start, mask.start + Math.min(SHOWN, (mask.end - mask.start) >> 2));
    shown += `…[${mask.end - mask.start} characters]`;
    at = mask.end;
  }
  if (at < to) shown += text.slice(at, to);
  return visible(shown).trim();
}

const HARMLESS = /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

/** Invisible characters written out; line ends become spaces. */
export function visible(text: string): string {
  let shown = "";
  for (const character of text.replace(/[\r\n\t]+/g, " ")) {
    const code = character.codePointAt(0)!;
    const isPlain = HARMLESS.test(character) && !/\p{Default_Ignorable_Code_Point}/u.test(character);
    shown += isPlain ? character : `\\u{${code.toString(16)}}`;
  }
  return shown;
}
