/** A place in a file: line and column from 1, columns in characters. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Turns offsets (UTF-16 units) of a text into places. Offsets that grow, as those of a scan mostly do, read each unit once. */
export function placesOf(text: string): (offset: number) => Place {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  let last = { line: -1, offset: 0, column: 0 };
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    const from = last.line === low && last.offset <= offset ? last : { offset: starts[low]!, column: 1 };
    last = { line: low, offset, column: from.column + charactersIn(text, from.offset, offset) };
    return { line: low + 1, column: last.column };
  };
}

function charactersIn(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code < 0xdc00 || code > 0xdfff) count++;
  }
  return count;
}
