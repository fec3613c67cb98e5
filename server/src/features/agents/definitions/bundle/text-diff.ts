import { type StructuredPatchHunk, structuredPatch } from "diff";
import type { DiffHunk, DiffLine, TextDiff } from "./diff-schemas.ts";

/** Beyond this many edits, what differs is shown as replaced whole: time and memory grow with their square. */
const MOST_EDITS = 400;

/** The difference of two texts by lines, the shortest one up to 400 edits. Lines end with LF. */
export function diffText(before: string, after: string): TextDiff {
  const patch = structuredPatch("", "", before, after, "", "", { context: 3, maxEditLength: MOST_EDITS });
  const hunks = patch ? patch.hunks.map(hunkOf) : [replaced(linesOf(before), linesOf(after))];
  const count = (op: DiffLine["op"]) => hunks.flatMap(({ lines }) => lines).filter((line) => line.op === op).length;
  return { added: count("added"), removed: count("removed"), hunks };
}

const OPS: Readonly<Record<string, DiffLine["op"]>> = { " ": "same", "-": "removed", "+": "added" };

function hunkOf({ oldStart, oldLines, newStart, newLines, lines }: StructuredPatchHunk): DiffHunk {
  const shown = lines.flatMap((line, index): DiffLine[] => {
    const op = OPS[line.charAt(0)];
    if (!op) return []; // "\ No newline at end of file" belongs to the line before
    return [{ op, text: line.slice(1), ...(lines[index + 1]?.startsWith("\\") && { no_newline: true as const }) }];
  });
  return {
    before_start: oldLines === 0 ? oldStart - 1 : oldStart,
    before_lines: oldLines,
    after_start: newLines === 0 ? newStart - 1 : newStart,
    after_lines: newLines,
    lines: shown,
  };
}

const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

function replaced(a: readonly string[], b: readonly string[]): DiffHunk {
  let head = 0;
  while (a[head] === b[head]) head++;
  let tail = 0;
  while (tail < Math.min(a.length, b.length) - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  const [from, to] = [a.slice(head, a.length - tail), b.slice(head, b.length - tail)];
  const lineOf =
    (op: DiffLine["op"]) =>
    (line: string): DiffLine =>
      line.endsWith("\n") ? { op, text: line.slice(0, -1) } : { op, text: line, no_newline: true };
  return {
    before_start: head + (from.length > 0 ? 1 : 0),
    before_lines: from.length,
    after_start: head + (to.length > 0 ? 1 : 0),
    after_lines: to.length,
    lines: [...from.map(lineOf("removed")), ...to.map(lineOf("added"))],
  };
}
