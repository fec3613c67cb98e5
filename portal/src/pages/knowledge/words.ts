export { sizeText } from "../../lib/size.ts";

/** `page 3`, `pages 3–4`; null where the source has no pages. */
export function pagesText(first: number | null, last: number | null): string | null {
  if (first === null) return null;
  return last === null || last === first ? `page ${first}` : `pages ${first}–${last}`;
}

/** Where a passage stands: `Returns › Damaged goods, page 3`. */
export function placeText(headings: readonly string[], first: number | null, last: number | null): string {
  return [headings.join(" › "), pagesText(first, last) ?? ""].filter((part) => part !== "").join(", ");
}

/** Who may read, in words. */
export function readersText(readers: readonly string[] | null): string {
  if (readers === null) return "Everyone who may read knowledge";
  if (readers.length === 0) return "Admins only";
  return readers.map((token) => token.replace(/^(role|agent|member):/, "$1 ")).join(", ");
}

/** The three kinds of tokens that a form holds apart. */
export interface ReaderParts {
  readonly roles: readonly string[];
  readonly agents: readonly string[];
  readonly members: readonly string[];
}

export function readerParts(readers: readonly string[] | null): ReaderParts {
  const of = (kind: string): string[] =>
    (readers ?? []).filter((token) => token.startsWith(`${kind}:`)).map((token) => token.slice(kind.length + 1));
  return { roles: of("role"), agents: of("agent"), members: of("member") };
}

export const readerTokens = ({ roles, agents, members }: ReaderParts): string[] => [
  ...roles.map((role) => `role:${role}`),
  ...agents.map((agent) => `agent:${agent}`),
  ...members.map((member) => `member:${member}`),
];

/** Words between commas, spaces or lines. */
export const listOf = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter((word) => word !== ""))];

export interface Piece {
  readonly text: string;
  readonly marked: boolean;
}

/** A text cut where marks begin and end. What lies outside of the text is left out. */
export function piecesOf(text: string, marks: readonly { readonly start: number; readonly end: number }[]): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { start, end } of [...marks].sort((a, b) => a.start - b.start)) {
    const from = Math.max(at, start);
    const to = Math.min(text.length, end);
    if (to <= from) continue;
    if (from > at) pieces.push({ text: text.slice(at, from), marked: false });
    pieces.push({ text: text.slice(from, to), marked: true });
    at = to;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), marked: false });
  return pieces;
}

/** How much of a long text is shown around a place, in UTF-16 code units before and after it. */
export const around = 20_000;

/** The part of a text that is shown around a place, cut at line ends where there are some near. */
export function windowOf(text: string, start: number, end: number): { readonly from: number; readonly to: number } {
  const from = Math.max(0, start - around);
  const to = Math.min(text.length, end + around);
  const line = from === 0 ? -1 : text.indexOf("\n", from);
  const last = to === text.length ? -1 : text.lastIndexOf("\n", to);
  return { from: line < 0 || line >= start ? from : line + 1, to: last <= end ? to : last };
}
