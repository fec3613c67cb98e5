import {
  classOf,
  DIGIT,
  goesOn,
  isContinuation,
  isDigit,
  isLower,
  isUpper,
  LETTER,
  separatorOf,
  type Text,
} from "./characters.ts";
import type { Found } from "./classes.ts";
import { contextOf } from "./context.ts";
import { nationalIds } from "./national-ids.ts";
import { cardSchemeOf, cardShapes } from "./payment-card.ts";

/*
 * Payment cards and national ids: both are groups of digits (and a few letters) with a checksum. The groups at a place are read once, their form is looked
 * up in one table, and only what has that form is computed.
 */

/** The most units and groups that are read at one place: the longest form has 7 groups and 21 units. */
const LONGEST = 26;
const MOST_GROUPS = 7;

interface Candidate {
  readonly kind: "payment_card" | "national_id";
  /** What it is, given its letters and digits; null when it is not. */
  readonly recognise: (
    characters: string,
    grouped: boolean,
  ) => { readonly format: string; readonly topic: string; readonly needsWord: boolean } | null;
}

const forms = new Map<string, Candidate[]>();
for (const shape of cardShapes) addForm(shape, { kind: "payment_card", recognise: recogniseCard });
for (const { format, free, named, accepts } of nationalIds) {
  for (const shape of [...free, ...named]) {
    const recognised = { format, topic: format, needsWord: named.includes(shape) };
    addForm(shape, { kind: "national_id", recognise: (characters) => (accepts(characters) ? recognised : null) });
  }
}

function addForm(shape: string, candidate: Candidate): void {
  forms.set(shape, [...(forms.get(shape) ?? []), candidate]);
}

function recogniseCard(digits: string, grouped: boolean): ReturnType<Candidate["recognise"]> {
  const card = cardSchemeOf(digits, grouped);
  return card && { format: card.scheme, topic: "payment_card", needsWord: card.needsWord };
}

/** Groups from a place on, with the forms that the first one, two, … of them have. */
interface Groups {
  readonly shapes: string[];
  readonly ends: number[];
}

/**
 * The payment card or national id that begins at `start`, where a word with a digit in it begins. Of several that fit the longest; among
 * equally long ones that which a word nearby names. `name` is the name of the member that holds the text. With `wordsOnly`, as for JSON numbers, a word is always needed.
 */
export function numberAt(text: Text, start: number, name: string, wordsOnly: boolean): Found | null {
  const first = startOfLettered(text, start);
  if (isContinuation(text, first)) return null;
  const { shapes, ends } = readGroups(text, first);
  for (let at = shapes.length - 1; at >= 0; at--) {
    const candidates = forms.get(shapes[at]!);
    const end = ends[at]!;
    if (candidates === undefined || goesOn(text, end)) continue;
    const found = recognise(text, first, end, candidates, { name, wordsOnly, grouped: at > 0 });
    if (found !== null) return found;
  }
  return null;
}

/** X-1234567-L: where a single letter and a hyphen stand before the digits, they belong to the form. */
function startOfLettered(text: Text, start: number): number {
  const single = separatorOf(text.charCodeAt(start - 1)) === "-" && isUpper(text.charCodeAt(start - 2));
  return single && !isContinuation(text, start - 2) ? start - 2 : start;
}

interface Surroundings {
  readonly name: string;
  readonly wordsOnly: boolean;
  readonly grouped: boolean;
}

function recognise(
  text: Text,
  start: number,
  end: number,
  candidates: readonly Candidate[],
  { name, wordsOnly, grouped }: Surroundings,
): Found | null {
  const written = text.slice(start, end).replace(/[^0-9A-Za-z]/g, "");
  const characters = written.toUpperCase();
  let silent: Found | null = null;
  for (const { kind, recognise } of candidates) {
    const one = recognise(characters, grouped);
    if (one === null) continue;
    const context = contextOf(text, start, end, name, one.topic);
    if (context === "for") return { kind, format: one.format, start, end };
    // Nobody prints an order number in the groups of a card, so that what has them is one in spite of the words around it.
    const unrefuted = context === "silent" || (kind === "payment_card" && grouped);
    const alone = !one.needsWord && !wordsOnly && unrefuted && characters === written;
    if (alone) silent ??= { kind, format: one.format, start, end };
  }
  return silent;
}

/** Reads groups that single separators part, and builds the form of each beginning: `4 4 4 4`, `3.3.3-2`, `8-a`. */
function readGroups(text: Text, start: number): Groups {
  const groups: Groups = { shapes: [], ends: [] };
  let shape = "";
  let at = start;
  while (groups.ends.length < MOST_GROUPS) {
    const group = readGroup(text, at, start + LONGEST);
    if (group === null) break;
    shape += group.shape;
    groups.shapes.push(shape);
    groups.ends.push(group.end);
    const separator = separatorOf(text.charCodeAt(group.end));
    if (separator === "" || (separator === " " && !isDigit(text.charCodeAt(group.end + 1)))) break;
    shape += separator;
    at = group.end + 1;
  }
  return groups;
}

/** One group of letters and digits, up to `limit`: its form, with runs of digits as their length and `a` for each letter; null when there is none or it is longer. */
function readGroup(text: Text, start: number, limit: number): { shape: string; end: number } | null {
  let shape = "";
  let digits = 0;
  let at = start;
  for (; at < limit; at++) {
    const code = text.charCodeAt(at);
    if (isDigit(code)) {
      digits++;
      continue;
    }
    if (digits > 0) shape += digits;
    digits = 0;
    if (!isUpper(code) && !isLower(code)) break;
    shape += "a";
  }
  if (at === start || (classOf(text.charCodeAt(at)) & (LETTER | DIGIT)) !== 0) return null;
  return { shape: digits > 0 ? shape + digits : shape, end: at };
}
