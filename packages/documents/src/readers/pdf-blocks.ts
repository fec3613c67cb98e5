import type { Output } from "./output.ts";
import type { Line } from "./pdf-lines.ts";

/** A heading is larger than the text by this. */
const LARGER = 1.15;
const LONGEST_HEADING = 200;
/** What stands for the dots between a title and its page. */
const LEADER = " … ";
/** A line that begins with a bullet or a number stays a line. */
const ITEM = /^([•‣◦▪●○–—*-]\s|\(?\d{1,3}[.)]\s|\(?[a-z][.)]\s)/;

export type Pages = readonly (readonly Line[])[];

/** Tells the headings and paragraphs of all pages. */
export function tellPages(pages: Pages, output: Output): void {
  const body = bodySize(pages);
  const leading = usualLeading(pages);
  const around = runningLines(pages, body);
  const levels = headingLevels(pages, body);
  for (const [at, lines] of pages.entries()) {
    const told = lines.filter((line) => !around.has(line));
    for (const group of groupsOf(told, leading, (line) => levelOf(line, levels))) {
      const level = levelOf(group[0] as Line, levels);
      const text = joined(group);
      const isHeading =
        level !== null && !text.includes(LEADER) && text.length <= LONGEST_HEADING && /\p{L}/u.test(text);
      if (isHeading) output.block("heading", text.replaceAll("\n", " "), { level, page: at + 1 });
      else output.block("text", text, { page: at + 1 });
    }
  }
}

const rounded = (size: number): number => Math.round(size * 2) / 2;

/** The size that most characters have. */
function bodySize(pages: Pages): number {
  const lengths = new Map<number, number>();
  for (const lines of pages)
    for (const { size, text } of lines) lengths.set(rounded(size), (lengths.get(rounded(size)) ?? 0) + text.length);
  return [...lengths].reduce((most, next) => (next[1] > most[1] ? next : most), [0, 0])[0];
}

/** From one line to the next, in sizes of its letters: what is most frequent. */
function usualLeading(pages: Pages): number {
  const counts = new Map<number, number>();
  for (const lines of pages)
    for (const [at, line] of lines.entries()) {
      const gap = at === 0 ? 0 : Math.round((((lines[at - 1] as Line).y - line.y) / line.size) * 10) / 10;
      if (gap >= 0.8 && gap <= 2) counts.set(gap, (counts.get(gap) ?? 0) + 1);
    }
  const least = [...counts].sort(([a], [b]) => a - b);
  return least.reduce((most, next) => (next[1] > most[1] ? next : most), [1.2, 0])[0];
}

/** The sizes of headings, the largest first, as levels. */
function headingLevels(pages: Pages, body: number): ReadonlyMap<number, number> {
  const sizes = new Set<number>();
  for (const lines of pages) for (const { size } of lines) if (size >= body * LARGER) sizes.add(rounded(size));
  return new Map([...sizes].sort((a, b) => b - a).map((size, at) => [size, Math.min(at + 1, 6)]));
}

const levelOf = ({ size }: Line, levels: ReadonlyMap<number, number>): number | null =>
  levels.get(rounded(size)) ?? null;

/** Lines of a running title or footer. */
const MOST_RUNNING = 3;

/**
 * Lines at the top or bottom that are no larger than the text, and are the same on most pages, in the same place on some (as titles of chapters are), or count the
 * pages: running titles and page numbers, of several lines where these are close together.
 */
function runningLines(pages: Pages, body: number): ReadonlySet<Line> {
  const running = new Set<Line>();
  for (let round = 0; round < MOST_RUNNING; round++) {
    const edges = pages.map((lines) => {
      const left = edgesOf(lines.filter((line) => !running.has(line)));
      const above = lines.filter((line) => running.has(line));
      const isBeside = (line: Line): boolean => above.some(({ y }) => Math.abs(y - line.y) < 2 * line.size);
      return round === 0 ? left : left.filter(isBeside);
    });
    for (const line of runningEdges(edges, body)) running.add(line);
  }
  return running;
}

function runningEdges(edges: Pages, body: number): Line[] {
  const seen = new Map<string, Line[]>();
  for (const [at, lines] of edges.entries())
    for (const line of lines.filter(({ size }) => size < body * LARGER))
      for (const key of keysOf(line, at)) {
        const same = seen.get(key);
        if (same === undefined) seen.set(key, [line]);
        else same.push(line);
      }
  const isRunning = (key: string, { length }: Line[]): boolean => {
    if (key.startsWith("#")) return length >= 3;
    return key.startsWith("@") ? length >= 4 : length >= 3 && length > edges.length / 2;
  };
  return [...seen].filter(([key, lines]) => isRunning(key, lines)).flatMap(([, lines]) => lines);
}

/** The text; the text with its height; and for each of its first numbers, how far that is from the number of the page. */
function keysOf(line: Line, page: number): string[] {
  const text = line.text.trim();
  const numbers = [...text.matchAll(/\d{1,6}/g)].slice(0, MOST_NUMBERS);
  const counted = numbers.map(({ index, 0: number }) => {
    const rest = `${text.slice(0, index)}#${text.slice(index + number.length)}`;
    return `#${rest} ${Number(number) - page}`;
  });
  return [`=${text}`, `@${Math.round(line.y)} ${text}`, ...new Set(counted)];
}

const MOST_NUMBERS = 4;

/** The uppermost and the lowest line, with what stands beside them. */
function edgesOf(lines: readonly Line[]): Line[] {
  const [top, bottom] = lines.reduce(
    ([most, least], { y }) => [Math.max(most, y), Math.min(least, y)],
    [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
  );
  return top === bottom ? [] : lines.filter(({ y }) => y > top - 1 || y < bottom + 1);
}

/** Lines that make one paragraph or heading. */
function groupsOf(lines: readonly Line[], leading: number, level: (line: Line) => number | null): Line[][] {
  const groups: Line[][] = [];
  for (const [at, line] of lines.entries()) {
    const before = lines[at - 1];
    const group = groups.at(-1);
    if (before !== undefined && group !== undefined && level(before) === level(line) && goesOn(before, line, leading))
      group.push(line);
    else groups.push([line]);
  }
  return groups;
}

function goesOn(before: Line, line: Line, leading: number): boolean {
  const gap = (before.y - line.y) / Math.max(before.size, line.size);
  if (gap < -0.5) return /[\p{L},-]$/u.test(before.text.trimEnd()) && /^\s*\p{Ll}/u.test(line.text);
  return gap <= leading * 1.3;
}

/** The lines of a paragraph as one: words that a hyphen parts are put together, items of lists stay lines. */
function joined(lines: readonly Line[]): string {
  const parts: string[] = [];
  for (const [at, line] of lines.entries()) {
    const text = line.text
      .replaceAll(/\s+/g, " ")
      .replaceAll(/(?: ?\.){5,} ?/g, LEADER)
      .trim();
    const before = parts.at(-1) ?? "";
    const isBeside = at > 0 && Math.abs((lines[at - 1] as Line).y - line.y) < line.size / 2;
    if (/\p{L}[-\u2010]$/u.test(before) && /^\p{Ll}/u.test(text)) parts[parts.length - 1] = before.slice(0, -1);
    else if (at > 0) parts.push(isBeside ? "  " : ITEM.test(text) || before.includes(LEADER) ? "\n" : " ");
    parts.push(text);
  }
  return parts.join("");
}
