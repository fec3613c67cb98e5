import { type Painter, painter, printable, type Terminal } from "../terminal.ts";
import { coloured } from "./table.ts";
import { cellOf, columnsOf, widthOf, wrapped } from "./text.ts";

const shortLine = 100;

/** A value as indented lines, for people: what stands inside something stands below it. */
export function detailLines(value: unknown, terminal: Terminal): string[] {
  const paint = painter(terminal);
  return linesOf(value, paint, columnsOf(terminal) ?? Number.POSITIVE_INFINITY);
}

function linesOf(value: unknown, paint: Painter, room: number): string[] {
  if (isMatrix(value)) return [paint.faint(`${value.length} × ${value[0]?.length} numbers; --json shows them`)];
  if (Array.isArray(value)) return value.flatMap((item) => listed(item, paint, room));
  if (typeof value !== "object" || value === null) return [coloured(cellOf(value), paint)];
  const entries = Object.entries(value);
  const width = Math.max(
    0,
    ...entries.filter(([, item]) => isInline(item)).map(([name]) => printable(name).length + 1),
  );
  return entries.flatMap(([name, item]) => named(printable(name), item, Math.min(width, 24), paint, room));
}

function named(name: string, item: unknown, width: number, paint: Painter, room: number): string[] {
  const label = paint.faint(`${name}:`);
  if (isInline(item)) {
    const space = " ".repeat(Math.max(1, width + 1 - name.length - 1));
    const [first = "", ...more] = wrapped(cellOf(item), Math.max(20, room - width - 1));
    return [label + space + coloured(first, paint), ...more.map((line) => " ".repeat(width + 1) + line)];
  }
  const inside =
    typeof item === "string"
      ? item
          .trimEnd()
          .split("\n")
          .flatMap((line) => broken(printable(line), room - 2))
      : linesOf(item, paint, room - 2);
  return [label, ...inside.map((line) => `  ${line}`)];
}

/** A line as it is where it fits, with its indentation; else broken between words. */
const broken = (line: string, room: number): string[] => (widthOf(line) <= room ? [line] : wrapped(line, room));

/** An item of a list: a dash, and what it holds beside it. */
function listed(item: unknown, paint: Painter, room: number): string[] {
  return linesOf(item, paint, room - 2).map((line, index) => (index === 0 ? `- ${line}` : `  ${line}`));
}

/** Rows of numbers, which nobody reads one by one. */
function isMatrix(value: unknown): value is readonly (readonly number[])[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((row) => Array.isArray(row) && row.every((item) => typeof item === "number"))
  );
}

/** What stands beside its name: single values, short lists of them, what is empty. */
function isInline(value: unknown): boolean {
  if (typeof value === "string") return !value.trimEnd().includes("\n");
  if (Array.isArray(value))
    return (
      value.length === 0 ||
      (value.every((item) => typeof item !== "object") && value.map(cellOf).join(", ").length <= shortLine)
    );
  return typeof value !== "object" || value === null || Object.keys(value).length === 0;
}
