/** What a document says: words, fields, or both. */
export interface Said {
  readonly external_id: string | null;
  readonly title: string;
  readonly text: string | null;
  readonly fields: Readonly<Record<string, unknown>> | null;
}

/** A piece of a document, from 1 in its order. */
export interface Piece {
  readonly number: number;
  readonly title: string;
  readonly text: string;
}

/** The longest chunk, in UTF-16 code units: of a text about two paragraphs, of a record as much as makes most records one chunk. */
export const CHUNK_LENGTH = { text: 1200, record: 4000 } as const;

/** Where a text may be cut, best places first: paragraphs, lines, sentences, words. */
const cuts: readonly RegExp[] = [/\n\s*\n/g, /\n/g, /(?<=[.!?…。！？])\s+/g, /\s+/g];

/**
 * The chunks of a document: its text in pieces that end where a paragraph, a line, a sentence or a word does, then its record as lines `name: value`. Each is a
 * literal part of what was given, so that it can be cited. The title is the document's, or else its external id.
 */
export function chunksOf({ external_id, title, text, fields }: Said, longest: number = CHUNK_LENGTH.text): Piece[] {
  const texts = [
    ...(text === null ? [] : piecesOf(text, longest)),
    ...(fields === null ? [] : piecesOf(linesOf(fields), CHUNK_LENGTH.record)),
  ];
  return texts.map((one, at) => ({ number: at + 1, title: title || (external_id ?? ""), text: one }));
}

/** A record as text, a line for each value: `name: value`, members of members as `name.member`, lists of plain values in one line. What is empty is left out. */
export function linesOf(fields: Readonly<Record<string, unknown>>): string {
  const lines: string[] = [];
  const add = (name: string, value: unknown): void => {
    if (value === null || value === undefined || value === "") return;
    if (typeof value !== "object") lines.push(`${name}: ${String(value)}`);
    else if (!Array.isArray(value))
      for (const [member, inner] of Object.entries(value)) add(`${name}.${member}`, inner);
    else if (value.some((item) => typeof item === "object" && item !== null))
      for (const [at, item] of value.entries()) add(`${name}.${at}`, item);
    else if (value.length > 0) lines.push(`${name}: ${value.join(", ")}`);
  };
  for (const [name, value] of Object.entries(fields)) add(name, value);
  return lines.join("\n");
}

type Range = readonly [start: number, end: number];

/** Parts of the text of at most `longest` code units, in order, that together hold all of it but the space between them. */
export function piecesOf(text: string, longest: number): string[] {
  const pieces: string[] = [];
  let open: Range | null = null;
  for (const [start, end] of atoms(text, [0, text.length], 0, longest)) {
    if (open !== null && end - open[0] > longest) {
      pieces.push(text.slice(...open));
      open = null;
    }
    open = [open?.[0] ?? start, end];
  }
  if (open !== null) pieces.push(text.slice(...open));
  return pieces.map((piece) => piece.trim()).filter((piece) => piece !== "");
}

/** The smallest number of levels of cuts that makes every part short enough; what no cut shortens, such as a word without end, is cut anywhere. */
function* atoms(text: string, [start, end]: Range, level: number, longest: number): Generator<Range> {
  if (end - start <= longest) {
    yield [start, end];
    return;
  }
  const cut = cuts[level];
  if (cut === undefined) {
    yield* slices(text, [start, end], longest);
    return;
  }
  let from = start;
  for (const match of text.slice(start, end).matchAll(cut)) {
    const at = start + match.index;
    if (at > from) yield* atoms(text, [from, at], level + 1, longest);
    from = at + match[0].length;
  }
  if (end > from) yield* atoms(text, [from, end], level + 1, longest);
}

/** Cuts that keep surrogate pairs together. */
function* slices(text: string, [start, end]: Range, longest: number): Generator<Range> {
  for (let from = start; from < end; ) {
    let to = Math.min(from + longest, end);
    if (to < end && /[\ud800-\udbff]/.test(text[to - 1] as string)) to -= 1;
    yield [from, to];
    from = to;
  }
}
