/** A part of a text, in UTF-16 code units. */
export type Range = readonly [start: number, end: number];

/** Where a text may be cut, best places first: paragraphs, lines, sentences, words. */
const cuts: readonly RegExp[] = [/\n\s*\n/g, /\n/g, /(?<=[.!?…。！？])\s+/g, /\s+/g];

/**
 * Parts of a range of at most `longest` code units, in order, that hold all of it but the space between them. It is cut at the best places that make every part
 * short enough; what none shortens, such as a word without end, is cut anywhere but inside a character.
 */
export function* atoms(text: string, [start, end]: Range, longest: number, level = 0): Generator<Range> {
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
    if (at > from) yield* atoms(text, [from, at], longest, level + 1);
    from = at + match[0].length;
  }
  if (end > from) yield* atoms(text, [from, end], longest, level + 1);
}

/** Cuts that keep surrogate pairs together. */
function* slices(text: string, [start, end]: Range, longest: number): Generator<Range> {
  for (let from = start; from < end; ) {
    let to = Math.min(from + longest, end);
    if (to < end && to - from > 1 && /[\ud800-\udbff]/.test(text[to - 1] as string)) to -= 1;
    yield [from, to];
    from = to;
  }
}

/** The range without the space at its ends; with `lines`, it keeps the indentation of its first line. */
export function trimmed(text: string, [start, end]: Range, lines = false): Range {
  const inside = text.slice(start, end);
  const before = inside.length - inside.trimStart().length;
  const skipped = lines && before < inside.length ? inside.lastIndexOf("\n", before - 1) + 1 : before;
  return [start + (before === 0 ? 0 : skipped), end - (inside.length - inside.trimEnd().length)];
}

/** The {@link atoms} of a range, as many neighbours together as are at most `longest` code units: two that follow one another are longer than that. */
export function* packed(text: string, within: Range, longest: number): Generator<Range> {
  let open: Range | null = null;
  for (const [start, end] of atoms(text, within, longest)) {
    if (open !== null && end - open[0] > longest) {
      yield open;
      open = null;
    }
    open = [open?.[0] ?? start, end];
  }
  if (open !== null) yield open;
}

/** Parts of a text of at most `longest` code units, in order, that together hold all of it but the space between them. */
export function cutText(text: string, longest: number): string[] {
  return [...packed(text, [0, text.length], longest)]
    .map((range) => text.slice(...trimmed(text, range)))
    .filter((part) => part !== "");
}
