import { parsePointer } from "@aos/strict-json";
import { type Alias, isAlias, isMap, isScalar, isSeq, type Node, type Pair } from "yaml";

/** A place in a text: line and column from 1, columns in characters (code points). */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/**
 * Turns offsets (UTF-16 units) of a text into places. Lines end with LF or CR LF, as YAML 1.2 parsers count them. Offsets that grow, as those of a scan mostly do,
 * read each unit once.
 */
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

type Targets = ReadonlyMap<Alias, Node>;

/**
 * Where the value that a pointer names begins in the text (`key`: its name), as an offset; for a member that is not there, where the nearest
 * part around it begins. Aliases are followed: a fault inside a repeated part is shown where that part is written.
 */
export function offsetOf(root: Node | null, targets: Targets, pointer: string, wanted: "key" | "value"): number {
  let node: unknown = root;
  let offset = root?.range?.[0] ?? 0;
  for (const token of parsePointer(pointer) ?? []) {
    if (isAlias(node)) node = targets.get(node);
    if (isSeq(node)) {
      node = node.items[Number(token)];
      if (node === undefined) return offset;
      offset = start(node) ?? offset;
    } else if (isMap(node)) {
      const pair = (node.items as Pair[]).find(({ key }) => isScalar(key) && String(key.value) === token);
      if (pair === undefined) return offset;
      const key = start(pair.key) ?? offset;
      node = pair.value;
      offset = wanted === "key" ? key : (start(pair.value) ?? key);
    } else {
      return offset;
    }
  }
  return offset;
}

const start = (node: unknown): number | undefined => (node as Node | null)?.range?.[0];
