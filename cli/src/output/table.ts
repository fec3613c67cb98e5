import { type Painter, painter, type Terminal } from "../terminal.ts";
import { cellOf, columnsOf, fitted, padded, widthOf } from "./text.ts";

/** A column of a table: what stands above it, and what of a row stands in it. */
export interface Column {
  readonly title: string;
  readonly of: (row: Row) => unknown;
  /** A column that gives way first where the terminal is narrow; else it is cut last. */
  readonly long?: boolean;
  /** A column that a list is shown without if no row has a value for it. */
  readonly optional?: boolean;
}
export type Row = Readonly<Record<string, unknown>>;

const gap = "  ";
const least = 12;

/** A table as lines. On a terminal it is as wide as that at most: the last columns are left out where not even their beginnings fit, and long ones are cut. Elsewhere nothing is cut. */
export function tableLines(rows: readonly Row[], columns: readonly Column[], terminal: Terminal): string[] {
  const paint = painter(terminal);
  const cells = rows.map((row) => columns.map(({ of }) => cellOf(of(row))));
  const natural = columns.map(({ title }, index) =>
    Math.max(widthOf(title), ...cells.map((line) => widthOf(line[index] ?? ""))),
  );
  const widths = shares(natural, columns, columnsOf(terminal));
  const line = (texts: readonly string[], style: (text: string, index: number) => string): string =>
    widths
      .map((width, index) => {
        const text = fitted(texts[index] ?? "", width);
        return style(index === widths.length - 1 ? text : padded(text, width), index);
      })
      .join(gap)
      .trimEnd();
  return [
    line(
      columns.map(({ title }) => title),
      (text) => paint.faint(text),
    ),
    ...cells.map((texts) => line(texts, (text) => coloured(text, paint))),
  ];
}

/** The widths that fit, and none for columns that are left out. */
function shares(natural: readonly number[], columns: readonly Column[], room: number | null): number[] {
  if (room === null) return [...natural];
  const isLong = (index: number): boolean => columns[index]?.long === true;
  const widths = natural.map((width, index) => (isLong(index) ? Math.min(least, width) : width));
  const total = (): number => widths.reduce((sum, width) => sum + width, 0) + gap.length * (widths.length - 1);
  while (widths.length > 1 && total() > room) widths.pop();
  if (total() > room) return [room];
  const long = widths.map((_, index) => index).filter(isLong);
  const byNeed = long.sort((a, b) => (natural[a] ?? 0) - (natural[b] ?? 0));
  byNeed.forEach((index, done) => {
    const spare = Math.floor((room - total()) / (byNeed.length - done));
    widths[index] = Math.min(natural[index] ?? 0, (widths[index] ?? 0) + spare);
  });
  return widths;
}

const good =
  /^(completed|active|open|deployed|approved|passed|sent|delivered|succeeded|live|allow|ok|promoted|ready|indexed|compensated)$/;
const bad =
  /^(failed|blocked|rejected|revoked|expired|deny|denied|critical|disabled|stopped|faulty|error|high|degraded|refused|outcome_unknown|compensation_failed)$/;
const waiting =
  /^(awaiting_approval|input_required|queued|running|pending|shadow|paused|inconclusive|warned|medium|draft|parsing|indexing|waiting|compensating)$/;

/** A state in its colour; anything else as it is. */
export function coloured(text: string, paint: Painter): string {
  const word = text.trim();
  if (good.test(word)) return paint.added(text);
  if (bad.test(word)) return paint.removed(text);
  if (waiting.test(word)) return paint.changed(text);
  return word === "–" ? paint.faint(text) : text;
}

export type Fields = Readonly<Record<string, unknown>>;

/** `TITLE=member`, with `*` after a long one. */
export const columns = (text: string) =>
  text.split(" ").map((part) => {
    const [title = "", member = ""] = part.replace("*", "").split("=");
    return {
      title: title.replaceAll("_", " "),
      of: (row: Row) => row[member],
      ...(part.endsWith("*") ? { long: true } : {}),
    };
  });
export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? (value as Fields) : {};
export const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : []);
export const rounded = (value: unknown, places = 2): string =>
  typeof value === "number" ? value.toFixed(places) : cellOf(value);
export const intervalOf = (low: unknown, high: unknown): string => `${rounded(low)} to ${rounded(high)}`;
