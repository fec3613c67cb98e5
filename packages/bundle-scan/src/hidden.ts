import type { Findings, Work } from "./findings.ts";
import type { RuleId } from "./rules.ts";
import { type Mask, snippetOf } from "./snippet.ts";
import type { Segment } from "./source.ts";

const RIGHT_TO_LEFT = /\p{Script=Arabic}|\p{Script=Hebrew}|\p{Script=Syriac}|\p{Script=Thaana}|\p{Script=Nko}/u;
const JOINED =
  /\p{Script=Arabic}|\p{Script=Devanagari}|\p{Script=Bengali}|\p{Script=Tamil}|\p{Script=Telugu}|\p{Script=Kannada}|\p{Script=Malayalam}|\p{Script=Sinhala}|\p{Script=Gujarati}|\p{Script=Gurmukhi}|\p{Script=Khmer}|\p{Script=Myanmar}|\p{Script=Mongolian}|\p{Script=Syriac}/u;
const WITHOUT_SPACES =
  /\p{Script=Thai}|\p{Script=Lao}|\p{Script=Khmer}|\p{Script=Myanmar}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Tibetan}/u;
const PICTURE = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|[#*0-9]|\u20e3|\ufe0f/u;

/** Invisible, and never part of ordinary text: word joiner and invisible operators, fillers, deprecated controls, interlinear marks. */
const isBlank = (code: number): boolean =>
  (code >= 0x2060 && code <= 0x2065) ||
  (code >= 0x206a && code <= 0x206f) ||
  (code >= 0xfff9 && code <= 0xfffb) ||
  code === 0x115f ||
  code === 0x1160 ||
  code === 0x3164 ||
  code === 0xffa0 ||
  code === 0x180e ||
  code === 0x034f ||
  code === 0x17b4 ||
  code === 0x17b5;
const isTag = (code: number): boolean => code >= 0xe0000 && code <= 0xe007f;
const isSelector = (code: number): boolean =>
  (code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xe0100 && code <= 0xe01ef);
const isBidi = (code: number): boolean => (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
/** Whether a character is one that people cannot see: letters put apart by it still make the word. */
export const isInvisible = (code: number): boolean =>
  isBlank(code) ||
  isTag(code) ||
  isSelector(code) ||
  isBidi(code) ||
  (code >= 0x200b && code <= 0x200f) ||
  code === 0xfeff ||
  code === 0x00ad;

const LOOKS_INVISIBLE = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/** Finds invisible, bidirectional and control characters. */
export function findHidden(segment: Segment, masks: readonly Mask[], findings: Findings, work: Work): void {
  const { text } = segment;
  work.steps += text.length;
  if (!LOOKS_INVISIBLE.test(text)) return;
  let from = 0;
  for (const line of text.split("\n")) {
    if (LOOKS_INVISIBLE.test(line)) new Line(segment, line, from, masks, findings).look();
    work.steps += 2 * line.length;
    from += line.length + 1;
  }
}

class Line {
  private readonly characters: readonly { code: number; at: number }[];
  private readonly isRightToLeft: boolean;
  private readonly segment: Segment;
  private readonly masks: readonly Mask[];
  private readonly findings: Findings;

  constructor(segment: Segment, line: string, from: number, masks: readonly Mask[], findings: Findings) {
    this.segment = segment;
    this.masks = masks;
    this.findings = findings;
    let at = from;
    this.characters = Array.from(line, (character) => {
      const one = { code: character.codePointAt(0)!, at };
      at += character.length;
      return one;
    });
    this.isRightToLeft = RIGHT_TO_LEFT.test(line);
  }

  look(): void {
    this.bidi();
    for (let index = 0; index < this.characters.length; ) {
      const { code } = this.characters[index]!;
      const length = isTag(code) || isSelector(code) ? this.runOf(index, isTag(code) ? isTag : isSelector) : 1;
      const what = this.hiddenAt(index, code, length);
      if (what !== null) this.add("text.hidden", index, length, what);
      if (isControl(code)) this.add("text.control", index, 1, "A control character stands in the text.");
      index += length;
    }
  }

  /** Direction may change where a text is written from right to left, as long as each change ends on its line; overriding it has no honest use here. */
  private bidi(): void {
    let open = 0;
    let isBroken = false;
    let first = -1;
    for (const [index, { code }] of this.characters.entries()) {
      if (!isBidi(code)) continue;
      if (first < 0) first = index;
      if (code === 0x202d || code === 0x202e) isBroken = true;
      open += code === 0x202c || code === 0x2069 ? -1 : 1;
      if (open < 0) isBroken = true;
    }
    if (first >= 0 && (isBroken || open !== 0 || !this.isRightToLeft))
      this.add("text.bidi", first, 1, "Control characters change the direction of the text.");
  }

  private hiddenAt(index: number, code: number, length: number): string | null {
    if (isBlank(code)) return "A character that shows nothing stands in the text.";
    if (isTag(code)) return this.isFlag(index, length) ? null : "Tag characters spell out a text that nobody sees.";
    if (isSelector(code))
      return length > 1 || !this.takesSelector(index, code)
        ? "Variation selectors stand where there is nothing to vary."
        : null;
    if (code === 0xfeff) return this.characters[index]!.at === 0 ? null : "A byte order mark stands inside the text.";
    if (code === 0x200b) return this.beside(index, WITHOUT_SPACES) ? null : "A space without width stands in the text.";
    if (code === 0x200c) return this.beside(index, JOINED) ? null : "A non-joiner stands where no letters join.";
    if (code === 0x200d)
      return this.beside(index, JOINED) || this.beside(index, PICTURE) ? null : "A joiner stands where nothing joins.";
    if (code === 0x00ad && this.code(index + 1) === 0x00ad) return "Soft hyphens follow one another.";
    return null;
  }

  private runOf(start: number, is: (code: number) => boolean): number {
    let end = start;
    while (end < this.characters.length && is(this.characters[end]!.code)) end++;
    return end - start;
  }

  private code(index: number): number {
    return this.characters[index]?.code ?? 0x20;
  }

  private beside(index: number, script: RegExp): boolean {
    const before = this.code(index - 1) === 0xfe0f ? this.code(index - 2) : this.code(index - 1);
    return script.test(String.fromCodePoint(before)) || script.test(String.fromCodePoint(this.code(index + 1)));
  }

  /** Flags of England, Scotland and Wales: a black flag, letters of a region, and the end of tags. */
  private isFlag(index: number, length: number): boolean {
    return this.code(index - 1) === 0x1f3f4 && length <= 7 && this.code(index + length - 1) === 0xe007f;
  }

  private takesSelector(index: number, code: number): boolean {
    const before = String.fromCodePoint(this.code(index - 1));
    if (code === 0xfe0e || code === 0xfe0f) return PICTURE.test(before) || /\p{S}|\p{P}/u.test(before);
    return /\p{Script=Han}|\p{Script=Mongolian}|\p{Script=Myanmar}|\p{Sm}/u.test(before);
  }

  private add(rule: RuleId, index: number, length: number, what: string): void {
    const { path, role } = this.segment;
    if (this.findings.isFull(rule, path)) return;
    const start = this.characters[index]!.at;
    const place = this.segment.place(start);
    if (role === "raw" && this.findings.hasOn(rule, path, place.line)) return;
    const snippet = snippetOf(this.segment, start, start + length, this.masks);
    this.findings.add({ rule, path, ...place, what, snippet });
  }
}

const isControl = (code: number): boolean =>
  (code < 0x20 && code !== 0x09 && code !== 0x0d) || (code >= 0x7f && code <= 0x9f && code !== 0x85);
