import { RE2JS, RE2Set } from "re2js";

/** UTF-16 units of a pattern of `matches`. */
export const LONGEST_PATTERN = 512;
/** Characters and classes of a pattern, with its repetitions written out. */
const MOST_PARTS = 1_000;
/** Programs of patterns that are not written out in an expression. */
const MOST_KEPT = 200;
/** Bytes of the automaton that is built while a text is matched. A larger one can take a hundred times longer to build than matching without it takes. */
const AUTOMATON_BYTES = 32_768;

/** A pattern in RE2, as CEL's specification says: it takes time that grows with text and pattern, never more. */
export interface Pattern {
  /** Units for one text of so many UTF-16 units, at worst: each character may meet each part of the program. */
  cost(length: number): number;
  /** Whether it matches anywhere in the text. */
  test(text: string): boolean;
}

/** A pattern that is no RE2 or is too large. The message says what and how to write it instead. */
export class PatternRefused extends Error {}

const kept = new Map<string, Pattern>();

/** The program of a pattern. Throws {@link PatternRefused}. */
export function patternOf(source: string): Pattern {
  const known = kept.get(source);
  if (known) return known;
  const pattern = compile(source);
  if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value as string);
  kept.set(source, pattern);
  return pattern;
}

/** Classes of Unicode: each stands for hundreds of ranges. */
const UNICODE_CLASS = /\\[pP]/g;
const unicodeClasses = (source: string): number => source.match(UNICODE_CLASS)?.length ?? 0;
/** A class of Unicode counts as so many parts. */
const PARTS_OF_CLASS = 10;
/** Of matching, how much longer an instruction takes with classes of Unicode. */
const SLOWER = 4;

/** Units for compiling a pattern. */
export function compileCost(source: string): number {
  const perClass = /\(\?\w*i/.test(source) ? 30_000 : 10_000;
  return 2_000 + 100 * Math.min(source.length, LONGEST_PATTERN) + perClass * Math.min(unicodeClasses(source), 100);
}

/** Compiles a pattern. Throws {@link PatternRefused}. */
export function compile(source: string): Pattern {
  if (source.length > LONGEST_PATTERN)
    throw refused(source, `it has more than ${LONGEST_PATTERN} characters; shorten it`);
  if (/\\Q/.test(source)) throw refused(source, "\\Q is not supported; escape each character with \\");
  if (partsOf(source) > MOST_PARTS)
    throw refused(source, `with its repetitions written out it has more than ${MOST_PARTS} parts; use smaller counts`);
  const [size, program] = programOf(source);
  const weight = size * (unicodeClasses(source) > 0 ? SLOWER : 1);
  return { cost: (length) => 40 + weight * length, test: (text) => program.match(text).length > 0 };
}

/** How many instructions it has, and the program. */
function programOf(source: string): readonly [number, RE2Set] {
  try {
    const size = RE2JS.compile(source).programSize();
    const program = new RE2Set(RE2Set.UNANCHORED, 0, AUTOMATON_BYTES);
    program.add(source);
    program.compile();
    return [size, program];
  } catch (error) {
    throw refused(source, reasonOf(source, error));
  }
}

const refused = (source: string, why: string): PatternRefused =>
  new PatternRefused(`The pattern ${shortened(source)} of matches() cannot be used: ${why}.`);

const shortened = (source: string): string => JSON.stringify(source.length > 60 ? `${source.slice(0, 60)}…` : source);

function reasonOf(source: string, error: unknown): string {
  if (/\(\?<?[=!]/.test(source))
    return "patterns are RE2, which knows no lookahead or lookbehind; combine several matches() with && and !";
  if (/\\[1-9k]/.test(source))
    return "patterns are RE2, which knows no back-references; write out what may be repeated";
  return `it is no valid RE2 (${error instanceof Error ? error.message : "unknown"})`;
}

/** Counts parts before anything is compiled, never too few: {@link MOST_PARTS} bounds time and memory of compiling. */
function partsOf(source: string): number {
  const sizes = [{ all: 0, last: 0 }];
  for (const [part] of source.matchAll(
    /\\x\{[^}]*\}|\\[pP]\{[^}]*\}|\\.|\[(?:\\.|\[:\w+:\]|[^\]\\])+\]|\{(\d+)(?:,(\d*))?\}|./gsu,
  )) {
    if (part === "(") {
      sizes.push({ all: 0, last: 0 });
      continue;
    }
    if (part === "[" || part === "[^]")
      throw refused(source, "a class is not closed, or begins with ]; write \\] for the character ]");
    const inner = part === ")" && sizes.length > 1 ? (sizes.pop()?.all ?? 0) : 0;
    const open = sizes.at(-1) as { all: number; last: number };
    const times = /^\{\d/.test(part) ? Math.max(...(part.match(/\d+/g) ?? []).map(Number)) : 0;
    const own = inner + 1 + (PARTS_OF_CLASS - 1) * unicodeClasses(part);
    const more = times > 0 ? open.last * (times - 1) : own;
    open.last = times > 0 ? open.last * times : more;
    open.all += more;
    if (sizes.reduce((sum, { all }) => sum + all, 0) > MOST_PARTS) return MOST_PARTS + 1;
  }
  return sizes.reduce((sum, { all }) => sum + all, 0);
}
