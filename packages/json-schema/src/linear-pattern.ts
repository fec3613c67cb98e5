import { hasAtMost } from "@aos/text";
import { RE2JS, RE2JSException, RE2Set } from "re2js";

/** A regular expression of somebody else, matched in linear time: a backtracking engine could be made to take exponential time by pattern and text together. */
export interface LinearPattern {
  readonly source: string;
  /**
   * Whether the pattern matches anywhere in the text (as JSON Schema wants). False for texts of more than LONGEST_TEXT characters. Throws PatternsTooCostly
   * within {@link withPatternBudget}.
   */
  test(text: string): boolean;
}

/** A pattern that is not accepted; the message says what, where, why and what to do, for the author of the schema. */
export class PatternRefused extends Error {}

/** A value has more text than the patterns of its schema may be tried on; the message says which pattern was the last, and what to do. */
export class PatternsTooCostly extends Error {}

export const LONGEST_PATTERN = 512;
/** In characters. */
export const LONGEST_TEXT = 16_384;
/** Characters and classes, repetitions written out. */
const MOST_SIZE = 1000;
/**
 * What patterns may take of one validation: characters times instructions of the compiled pattern. One takes 12 ns without an automaton (Node 24, 2.5 GHz), so
 * this is about 25 ms at worst; patterns that an automaton matches take a hundredth.
 */
const MOST_PATTERN_COST = 2_000_000;
/** How much longer an instruction takes where classes have many ranges. */
const SLOWER = 8;
/** A class of Unicode counts as so many characters of a pattern. */
const SIZE_OF_CLASS = 10;
/** Bytes of the automaton that is built while a pattern is matched. A larger one takes longer to build than matching without it takes. */
const AUTOMATON_BYTES = 32_768;

let costLeft = Number.POSITIVE_INFINITY;

/** Runs what tests patterns; all of them together cost {@link MOST_PATTERN_COST} at most, or it throws PatternsTooCostly. */
export function withPatternBudget<T>(run: () => T): T {
  const before = costLeft;
  costLeft = MOST_PATTERN_COST;
  try {
    return run();
  } finally {
    costLeft = before;
  }
}

/** Compiles a pattern with the meaning that ECMAScript gives it under the flag `u`. Throws PatternRefused. */
export function compileLinearPattern(source: string): LinearPattern {
  if (source.length > LONGEST_PATTERN)
    throw new PatternRefused(`a pattern may have at most ${LONGEST_PATTERN} characters`);
  if (!isEcmaScript(source)) throw new PatternRefused("this is no valid regular expression (ECMAScript, flag u)");
  const translated = toRe2(source);
  const size = compileRe2(translated).programSize() * (/\\[pPsS]/.test(source) ? SLOWER : 1);
  const compiled = new RE2Set(RE2Set.UNANCHORED, 0, AUTOMATON_BYTES);
  compiled.add(translated);
  const test = (text: string): boolean => {
    if (!hasAtMost(LONGEST_TEXT, text)) return false;
    costLeft -= (text.length + 1) * size;
    if (costLeft < 0)
      throw new PatternsTooCostly(
        `has more text than the patterns of its schema may be tried on (\`${source}\` was the last); send shorter texts, or bound them with maxLength`,
      );
    return compiled.match(text).length > 0;
  };
  return { source, test };
}

/** What ECMAScript refuses under the flag `u` is refused first: what is left means the same in RE2, but for what `toRe2` translates. */
function isEcmaScript(source: string): boolean {
  try {
    new RegExp(source, "u");
    return true;
  } catch {
    return false;
  }
}

function compileRe2(source: string): RE2JS {
  try {
    return RE2JS.compile(source);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const unknown = /\\[pP]\{[^}]*\}/.exec(error.message)?.[0];
    throw new PatternRefused(
      unknown === undefined
        ? `this cannot be matched in linear time (${error.message})`
        : `\`${unknown}\` is not known; use the short name of a category (\\p{L}) or the name of a script (\\p{Greek})`,
    );
  }
}

/** The parts of a pattern that ECMAScript accepts: escapes, heads of groups, counts, classes of nothing or everything, single characters. */
const PART =
  /\\(?:[pP]\{[^}]*\}|k<[^>]*>|u\{[^}]*\}|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|.)|\(\?(?:<?[=!]|<[^>\]]*>|[a-z-]*:)|\{[\d,]+\}|\[\^?\]|./gsu;

/** The same pattern as RE2 writes it. Groups capture nothing. Throws PatternRefused for what has no linear time, or is too large. */
function toRe2(source: string): string {
  const sizes = [{ all: 0, last: 0 }];
  let inClass = false;
  return source.replaceAll(PART, (part, at: number) => {
    if (inClass) {
      if (/^\\[pP]/.test(part)) addUnicodeClass(sizes);
      inClass = !part.endsWith("]") || part.startsWith("\\");
      return part.startsWith("\\") ? escapeOf(part, true) : part.replace("[", "\\[");
    }
    refuseWhatLooksAround(part, at);
    measure(part, sizes);
    if (/^\\[pP]/.test(part)) addUnicodeClass(sizes);
    if (part === "[]" || part === "[^]") return part === "[]" ? "[^\\x00-\\x{10FFFF}]" : "[\\x00-\\x{10FFFF}]";
    inClass = part === "[";
    if (part.startsWith("(")) return "(?:";
    if (part === ".") return "[^\\n\\r\\x{2028}\\x{2029}]";
    return part.startsWith("\\") ? escapeOf(part, false) : part;
  });
}

function refuseWhatLooksAround(part: string, at: number): void {
  const refuse = (what: string, remedy: string) => {
    throw new PatternRefused(`\`${part}\` at character ${at + 1}: ${what} cannot be matched in linear time; ${remedy}`);
  };
  if (/^\\[1-9k]/.test(part)) refuse("a back-reference", "write out what may be repeated");
  if (/^\(\?<?[=!]/.test(part)) refuse("lookahead and lookbehind", "split the rule into several patterns with allOf");
  if (/^\(\?[a-z-]+:/.test(part))
    throw new PatternRefused(`\`${part}\` at character ${at + 1}: modifiers are not allowed; write both cases: [aA]`);
}

/** Counts what the pattern is made of, repetitions written out, so that a large one is refused before it is compiled. */
function measure(part: string, sizes: { all: number; last: number }[]): void {
  if (part.startsWith("(")) sizes.push({ all: 0, last: 0 });
  else {
    const inner = part === ")" ? sizes.pop()!.all : 0;
    const open = sizes.at(-1)!;
    const times = part.startsWith("{") ? Math.max(...(part.match(/\d+/g) ?? []).map(Number)) : 0;
    const more = times > 0 ? open.last * (times - 1) : inner + 1;
    open.last = times > 0 ? open.last * times : more;
    open.all += more;
  }
  refuseLarge(sizes);
}

function addUnicodeClass(sizes: { all: number; last: number }[]): void {
  const open = sizes.at(-1)!;
  open.last += SIZE_OF_CLASS - 1;
  open.all += SIZE_OF_CLASS - 1;
  refuseLarge(sizes);
}

function refuseLarge(sizes: readonly { all: number }[]): void {
  if (sizes.reduce((sum, { all }) => sum + all, 0) > MOST_SIZE)
    throw new PatternRefused(
      "the pattern is too large once its repetitions are written out; use fewer or smaller counts",
    );
}

/** White space of ECMAScript and all else, as ranges; that of RE2 is ASCII. */
const SPACE = "\\t-\\r \\xA0\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}\\x{FEFF}";
const NO_SPACE =
  "\\x00-\\x08\\x0E-\\x1F!-\\x9F\\xA1-\\x{167F}\\x{1681}-\\x{1FFF}\\x{200B}-\\x{2027}\\x{202A}-\\x{202E}\\x{2030}-\\x{205E}\\x{2060}-\\x{2FFF}\\x{3001}-\\x{FEFE}\\x{FF00}-\\x{10FFFF}";

function escapeOf(part: string, inClass: boolean): string {
  if (part === "\\s" || part === "\\S") {
    const ranges = part === "\\s" ? SPACE : NO_SPACE;
    return inClass ? ranges : `[${ranges}]`;
  }
  if (inClass && part === "\\b") return "\\x08";
  if (part === "\\0") return "\\x00";
  if (/^\\c/.test(part)) return `\\x{${(part.charCodeAt(2) % 32).toString(16)}}`;
  if (/^\\u.*\\u/.test(part)) return `\\x{${JSON.parse(`"${part}"`).codePointAt(0).toString(16)}}`;
  if (/^\\[ux]/.test(part)) return `\\x{${part.slice(2).replaceAll(/[{}]/g, "")}}`;
  return part.replace(/^(\\[pP]\{)(?:Script|sc|General_Category|gc)=/, "$1");
}
