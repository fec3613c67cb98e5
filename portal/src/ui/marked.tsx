import { piecesOf } from "../lib/pieces.ts";

/** A text with what was looked for marked. */
export function Marked({
  text,
  marks,
}: {
  readonly text: string;
  readonly marks: readonly { readonly start: number; readonly end: number }[];
}) {
  let at = 0;
  return piecesOf(text, marks).map(({ text: piece, marked }) => {
    const key = at;
    at += piece.length;
    return marked ? (
      <mark
        key={key}
        className="rounded-xs bg-warn-soft text-ink underline decoration-warn decoration-2 underline-offset-2"
      >
        {piece}
      </mark>
    ) : (
      <span key={key}>{piece}</span>
    );
  });
}
