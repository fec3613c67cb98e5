/** A line of a difference. A text's last line may lack its line feed, which then is part of the difference. */
export interface DiffLine {
  readonly op: "same" | "removed" | "added";
  /** Without its line feed. */
  readonly text: string;
  /** True where no line feed follows: only at the end of a text. */
  readonly no_newline?: true;
}

/** A run of changed lines with up to three unchanged ones around it. Starts count from 1; of no lines, it is the line before, as in unified diffs. */
export interface Hunk {
  readonly before_start: number;
  readonly before_lines: number;
  readonly after_start: number;
  readonly after_lines: number;
  readonly lines: readonly DiffLine[];
}

export interface TextDiff {
  /** Lines added and removed. */
  readonly added: number;
  readonly removed: number;
  readonly hunks: readonly Hunk[];
}

const CONTEXT = 3;
/** More edits than this are not sought for: what differs is then shown as replaced whole. Bounds time and memory (edits squared). */
const MOST_EDITS = 400;

/** The difference of two texts by lines, shortest where they differ by at most 400 lines (Myers 1986). Lines end with LF. */
export function diffText(before: string, after: string): TextDiff {
  const [a, b] = [linesOf(before), linesOf(after)];
  const lines = editScript(a, b).map(({ op, text }): DiffLine => {
    const ended = text.endsWith("\n");
    return { op, text: ended ? text.slice(0, -1) : text, ...(ended ? {} : { no_newline: true }) };
  });
  const count = (op: DiffLine["op"]): number => lines.filter((line) => line.op === op).length;
  return { added: count("added"), removed: count("removed"), hunks: hunksOf(lines) };
}

/** Lines with their line feeds; an empty text has none. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

interface Edit {
  readonly op: DiffLine["op"];
  readonly text: string;
}

function editScript(a: readonly string[], b: readonly string[]): Edit[] {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const same = (text: string): Edit => ({ op: "same", text });
  const middle = shortest(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  return [...a.slice(0, head).map(same), ...middle, ...a.slice(a.length - tail).map(same)];
}

/** Myers' greedy algorithm: `trace[d]` holds, for each diagonal, how far d edits reach; the way back gives the edits. */
function shortest(a: readonly string[], b: readonly string[]): Edit[] {
  const replaced = [
    ...a.map((text): Edit => ({ op: "removed", text })),
    ...b.map((text): Edit => ({ op: "added", text })),
  ];
  const most = Math.min(a.length + b.length, MOST_EDITS);
  const reach = new Int32Array(2 * most + 3);
  const middle = most + 1;
  const trace: Int32Array[] = [];
  for (let d = 0; d <= most; d++) {
    trace.push(reach.slice(middle - d - 1, middle + d + 2));
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && reach[middle + k - 1]! < reach[middle + k + 1]!);
      let x = down ? reach[middle + k + 1]! : reach[middle + k - 1]! + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      reach[middle + k] = x;
      if (x >= a.length && x - k >= b.length) return wayBack(a, b, trace);
    }
  }
  return replaced;
}

function wayBack(a: readonly string[], b: readonly string[], trace: readonly Int32Array[]): Edit[] {
  const edits: Edit[] = [];
  let x = a.length;
  let y = b.length;
  for (let d = trace.length - 1; d >= 0; d--) {
    const at = (k: number): number => trace[d]![k + d + 1]!;
    const k = x - y;
    const down = k === -d || (k !== d && at(k - 1) < at(k + 1));
    const fromX = d === 0 ? 0 : down ? at(k + 1) : at(k - 1);
    const fromY = d === 0 ? 0 : fromX - (down ? k + 1 : k - 1);
    // Where the edit ends, after which both texts go on alike.
    const endX = d === 0 || down ? fromX : fromX + 1;
    const endY = d > 0 && down ? fromY + 1 : fromY;
    while (x > endX && y > endY) {
      x--;
      y--;
      edits.push({ op: "same", text: a[x]! });
    }
    if (d > 0) edits.push(down ? { op: "added", text: b[fromY]! } : { op: "removed", text: a[fromX]! });
    x = fromX;
    y = fromY;
  }
  return edits.reverse();
}

function hunksOf(lines: readonly DiffLine[]): Hunk[] {
  const hunks: Hunk[] = [];
  const counts = { before: 0, after: 0 }; // lines of each text before `done`
  let done = 0;
  const advance = (to: number): void => {
    for (; done < to; done++) {
      if (lines[done]!.op !== "added") counts.before++;
      if (lines[done]!.op !== "removed") counts.after++;
    }
  };
  for (const [from, to] of changedRuns(lines)) {
    advance(from);
    const start = { ...counts };
    advance(to);
    const size = { before: counts.before - start.before, after: counts.after - start.after };
    hunks.push({
      before_start: start.before + (size.before > 0 ? 1 : 0),
      before_lines: size.before,
      after_start: start.after + (size.after > 0 ? 1 : 0),
      after_lines: size.after,
      lines: lines.slice(from, to),
    });
  }
  return hunks;
}

/** The changed lines with their context, as half-open ranges; those that touch are one. */
function changedRuns(lines: readonly DiffLine[]): [number, number][] {
  const runs: [number, number][] = [];
  for (const [index, { op }] of lines.entries()) {
    if (op === "same") continue;
    const last = runs.at(-1);
    const end = Math.min(lines.length, index + 1 + CONTEXT);
    if (last && index - CONTEXT <= last[1]) last[1] = end;
    else runs.push([Math.max(0, index - CONTEXT), end]);
  }
  return runs;
}
