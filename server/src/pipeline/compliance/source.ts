import { codePoints, firstOf, hasAtMost } from "@aos/text";
import { MAX_DEPTH } from "./cel.ts";
import type { PolicyFault } from "./policy.ts";

/** Longest expression, in UTF-16 units. */
export const MAX_SOURCE = 4096;
/** Longest run of `!` and `-` before a value. */
const MAX_SIGNS = 8;

/** A fault of the expression, with its place. */
export function faultAt(source: string, offset: number, code: string, detail: string): PolicyFault {
  const at = Math.max(0, Math.min(offset, source.length));
  const before = source.lastIndexOf("\n", at - 1);
  const lineStart = at === 0 ? 0 : before + 1;
  let line = 1;
  for (let i = source.indexOf("\n"); i >= 0 && i < at; i = source.indexOf("\n", i + 1)) line++;
  return { pointer: "/when", code, detail, line, column: at - lineStart + 1, offset: at };
}

/**
 * Finds, before the parser recurses, what would make it recurse without bound: an expression that is too long, brackets nested too
 * deeply, a long run of signs. Reads strings and comments as the parser does. Null when the parser may have it.
 */
export function unparsable(source: string): PolicyFault | null {
  let depth = 0;
  let signs = 0;
  for (let at = 0; at < Math.min(source.length, 2 * MAX_SOURCE); ) {
    const char = source[at] as string;
    if (char === '"' || char === "'") {
      at = endOfString(source, at, char);
      signs = 0;
      continue;
    }
    if (char === "/" && source[at + 1] === "/") {
      const newline = source.indexOf("\n", at);
      at = newline < 0 ? source.length : newline;
      continue;
    }
    if ("([{".includes(char) && ++depth > MAX_DEPTH) {
      return faultAt(
        source,
        at,
        "nested_too_deeply",
        `Brackets are nested more than ${MAX_DEPTH} deep here; write it flatter, or as several policies.`,
      );
    }
    if (")]}".includes(char)) depth--;
    if ((char === "!" && source[at + 1] !== "=") || char === "-") signs++;
    else if (!" \t\r\n".includes(char)) signs = 0;
    if (signs > MAX_SIGNS) {
      return faultAt(
        source,
        at,
        "nested_too_deeply",
        `More than ${MAX_SIGNS} signs (! or -) in a row stand here; remove them in pairs.`,
      );
    }
    at++;
  }
  if (!hasAtMost(MAX_SOURCE, source)) {
    return faultAt(
      source,
      firstOf(source, MAX_SOURCE).length,
      "expression_too_long",
      `The expression has ${codePoints(source)} characters; at most ${MAX_SOURCE} are allowed. Split it into several policies.`,
    );
  }
  return null;
}

/** Where the string that opens at `at` ends; the end of the text where it is not closed (the parser then says so). */
function endOfString(source: string, at: number, quote: string): number {
  const triple = source.startsWith(quote.repeat(3), at);
  const closing = triple ? quote.repeat(3) : quote;
  for (let i = at + closing.length; i < source.length; i++) {
    if (source[i] === "\\") i++;
    else if (source.startsWith(closing, i)) return i + closing.length;
  }
  return source.length;
}

/**
 * The text of a part of an expression, which can be parsed by itself: where brackets stand around its first or last operand, the place of
 * the part leaves out the outer ones.
 */
export function textOf(source: string, { start, end }: { readonly start: number; readonly end: number }): string {
  const part = source.slice(start, end);
  let opened = 0;
  let missing = 0;
  for (let at = 0; at < part.length; at++) {
    const char = part[at] as string;
    if (char === '"' || char === "'") at = endOfString(part, at, char) - 1;
    else if (part.startsWith("//", at)) at = Math.max(at, part.indexOf("\n", at));
    else if (char === "(") opened++;
    else if (char === ")" && opened === 0) missing++;
    else if (char === ")") opened--;
  }
  return "(".repeat(missing) + part.trim() + ")".repeat(opened);
}
