import { classOf, DIGIT, isDigit, isWord, LETTER, type Text } from "./characters.ts";
import type { Found } from "./classes.ts";

/*
 * E-mail addresses (RFC 5321 section 4.1.2 and RFC 6531): a local part of at most 64 units, made of letters, digits and the marks that addresses have in
 * practice, and a domain with at least one dot whose last label is a name. Quoted local parts and address literals are not looked for.
 */
const LONGEST_LOCAL = 64;
const LONGEST_DOMAIN = 253;
const LONGEST_LABEL = 63;

const marks = new Set([..."._%+-'&~"].map((mark) => mark.charCodeAt(0)));
/** Endings of file names that are no top-level domains: an image at twice its size is called logo@2x.png. */
const fileEndings = new Set(
  "png jpg jpeg gif svg webp avif ico js mjs cjs ts tsx jsx css scss html htm json xml yaml yml txt csv pdf exe dll jar tgz gz tar lock log".split(
    " ",
  ),
);

/** Of scripts without spaces between words, letters before an address belong to the sentence; such addresses are found in their ASCII form (xn--). */
const isLabelCharacter = (code: number): boolean => (classOf(code) & (LETTER | DIGIT)) !== 0;

/** An e-mail address around the `@` that stands at `at`. */
export function emailAround(text: Text, at: number): Found | null {
  const start = startOfLocal(text, at);
  if (start < 0) return null;
  const end = endOfDomain(text, at + 1);
  if (end < 0) return null;
  // git@host:path is the address of a repository.
  const repository = text.charCodeAt(end) === 0x3a && text.slice(start, at) === "git";
  return repository ? null : { kind: "email", format: "email", start, end };
}

function startOfLocal(text: Text, at: number): number {
  let start = at;
  while (start > 0 && at - start <= LONGEST_LOCAL) {
    const code = text.charCodeAt(start - 1);
    if (!isLabelCharacter(code) && !marks.has(code)) break;
    // No two dots in succession, and none before the @.
    if (code === 0x2e && (start === at || text.charCodeAt(start) === 0x2e)) break;
    start--;
  }
  if (at - start > LONGEST_LOCAL) return -1;
  // Quotation marks, dots and dashes before a word are not of the address; _ and + may be (numbers at gateways for messages).
  for (let code = text.charCodeAt(start); start < at && !isLabelCharacter(code) && code !== 0x5f && code !== 0x2b; )
    code = text.charCodeAt(++start);
  return start < at ? start : -1;
}

/** Where the domain that begins at `start` ends; -1 when it is none. */
function endOfDomain(text: Text, start: number): number {
  let label = start;
  let labels = 0;
  let end = -1;
  while (label - start <= LONGEST_DOMAIN) {
    const to = endOfLabel(text, label);
    if (to < 0) break;
    labels++;
    if (labels > 1 && isTopLevel(text, label, to)) end = to;
    else if (labels > 1) end = -1;
    if (text.charCodeAt(to) !== 0x2e) break;
    label = to + 1;
  }
  if (end < 0 || end - start > LONGEST_DOMAIN) return -1;
  const after = text.charCodeAt(end);
  return after === 0x40 || isWord(after) ? -1 : end;
}

/** Letters, digits and hyphens, no hyphen first or last; -1 when there are none, or more than 63. A hyphen behind the last letter is left out. */
function endOfLabel(text: Text, start: number): number {
  let at = start;
  let end = start;
  for (; at - start <= LONGEST_LABEL; at++) {
    const code = text.charCodeAt(at);
    if (isLabelCharacter(code)) end = at + 1;
    else if (code !== 0x2d || at === start) break;
  }
  return end === start || end - start > LONGEST_LABEL ? -1 : end;
}

function isTopLevel(text: Text, start: number, end: number): boolean {
  if (end - start < 2) return false;
  const label = text.slice(start, end).toLowerCase();
  if (label.startsWith("xn--")) return true;
  for (let at = 0; at < label.length; at++)
    if (isDigit(label.charCodeAt(at)) || label.charCodeAt(at) === 0x2d) return false;
  return !fileEndings.has(label);
}
