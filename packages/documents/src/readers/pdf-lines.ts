/** A piece of text as pdf.js gives it. */
export interface Item {
  readonly str: string;
  readonly transform: readonly number[];
  readonly width: number;
}

/** Words in a row, with their place on the page: x to the right, y upwards, both in points. */
export interface Line {
  text: string;
  readonly left: number;
  right: number;
  readonly y: number;
  readonly size: number;
}

/** A gap of so many times the size of the letters parts two columns. */
const COLUMN_GAP = 2.5;
/** Pages with more lines stay in the order in which they were written. */
const MOST_SORTED = 5000;

/** The lines of a page in reading order. */
export function linesOf(items: readonly Item[]): Line[] {
  const lines: Line[] = [];
  let open: Line | null = null;
  for (const item of items) {
    const placed = place(item);
    if (placed === null) continue;
    const gap: number = open === null ? 0 : placed.left - open.right;
    const isSame =
      open !== null &&
      Math.abs(placed.y - open.y) < open.size / 2 &&
      gap > -2 * open.size &&
      gap < COLUMN_GAP * open.size;
    if (open !== null && isSame) {
      const isApart = gap > open.size * 0.15 && !/\s$/.test(open.text) && !/^\s/.test(placed.text);
      open.text += (isApart ? " " : "") + placed.text;
      open.right = Math.max(open.right, placed.right);
    } else if (placed.text.trim() !== "") {
      open = placed;
      lines.push(open);
    }
  }
  return isInOrder(lines) || lines.length > MOST_SORTED ? lines : sorted(lines, 0);
}

/** Where an item stands, as if its text ran to the right. */
function place({ str, transform, width }: Item): Line | null {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = transform;
  const size = Math.hypot(c, d) || Math.hypot(a, b);
  if (str === "" || ![size, e, f, width].every(Number.isFinite)) return null;
  const [left, y] = Math.abs(a) >= Math.abs(b) ? (a >= 0 ? [e, f] : [-e, -f]) : b > 0 ? [f, -e] : [-f, e];
  return { text: str, left, right: left + Math.abs(width), y, size: size || 1 };
}

const overlap = (a: Line, b: Line): boolean => a.left < b.right && b.left < a.right;

/** Whether no line stands above one of its own column that was written before it. */
function isInOrder(lines: readonly Line[]): boolean {
  return lines.every((line, at) => {
    const before = lines[at - 1];
    return before === undefined || line.y <= before.y + before.size || !overlap(line, before);
  });
}

/** By columns where a gap parts the whole height, else by the widest gap between lines, else from top to bottom. */
function sorted(lines: readonly Line[], depth: number): Line[] {
  const parts = lines.length < 2 || depth > 40 ? null : (columns(lines) ?? bands(lines));
  if (parts !== null) return parts.flatMap((part) => sorted(part, depth + 1));
  return lines.toSorted((a, b) => (Math.abs(a.y - b.y) < Math.min(a.size, b.size) / 2 ? a.left - b.left : b.y - a.y));
}

function columns(lines: readonly Line[]): [Line[], Line[]] | null {
  const byLeft = lines.toSorted((a, b) => a.left - b.left);
  let right = Number.NEGATIVE_INFINITY;
  for (const [at, line] of byLeft.entries()) {
    if (at > 0 && line.left - right > line.size) {
      const isBefore = new Set(byLeft.slice(0, at));
      return [lines.filter((one) => isBefore.has(one)), lines.filter((one) => !isBefore.has(one))];
    }
    right = Math.max(right, line.right);
  }
  return null;
}

function bands(lines: readonly Line[]): [Line[], Line[]] | null {
  const byHeight = lines.toSorted((a, b) => b.y - a.y);
  let [cut, widest] = [0, 0];
  for (let at = 1; at < byHeight.length; at++) {
    const gap = (byHeight[at - 1] as Line).y - (byHeight[at] as Line).y;
    if (gap > widest) [cut, widest] = [at, gap];
  }
  return widest > 1 ? [byHeight.slice(0, cut), byHeight.slice(cut)] : null;
}
