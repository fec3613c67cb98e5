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
