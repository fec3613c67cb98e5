import { styleText } from "node:util";
import type { Result } from "./figure.ts";

/** The results of one figure, or why there are none. */
export interface Measured {
  readonly figure: string;
  readonly results: readonly Result[];
  /** What broke; null where the figure was measured. */
  readonly broken: string | null;
}

export type Judgement = "aim" | "bar" | "miss" | "told";

/** How a value stands: `aim` reached, `bar` held, or a `miss`; `told` where there is nothing to hold it against. */
export function judge({ value, bar, aim, better }: Result): Judgement {
  const reaches = (limit: number): boolean => (better === "higher" ? value >= limit : value <= limit);
  if (bar === null) return "told";
  if (aim !== null && reaches(aim)) return "aim";
  return reaches(bar) ? "bar" : "miss";
}

/** A value with its unit, in three to four digits. */
export function shown(value: number, unit: Result["unit"]): string {
  const size = Math.abs(value);
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  const text = value.toLocaleString("en", { minimumFractionDigits: 0, maximumFractionDigits: digits });
  return unit === "" ? text : unit === "×" || unit === "/s" ? `${text}${unit}` : `${text} ${unit}`;
}

const words = { aim: "aim", bar: "pass", miss: "MISS", told: "" } as const;

/** The final table: one line per result. */
export function table(all: readonly Measured[], colour: boolean): string {
  const header = ["figure", "what", "bar", "aim", "measured", ""];
  const rows = all.flatMap(({ figure, results, broken }) =>
    broken === null
      ? results.map((result) => rowOf(figure, result))
      : [{ cells: [figure, `broken: ${broken.slice(0, 90)}`, "", "", "", ""], judgement: "miss" as const }],
  );
  const widths = header.map((_, i) =>
    Math.max(...[header, ...rows.map((row) => row.cells)].map((cells) => (cells[i] as string).length)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => (i >= 2 && i <= 4 ? cell.padStart(widths[i] as number) : cell.padEnd(widths[i] as number)))
      .join("  ")
      .trimEnd();
  const paint = (text: string, judgement: Judgement): string => (colour ? painted(text, judgement) : text);
  return [
    line(header),
    widths.map((width) => "-".repeat(width)).join("  "),
    ...rows.map(({ cells, judgement }) => paint(line(cells), judgement)),
  ].join("\n");
}

function rowOf(figure: string, result: Result): { cells: string[]; judgement: Judgement } {
  const judgement = judge(result);
  const limit = (value: number | null): string => (value === null ? "–" : shown(value, result.unit));
  return {
    cells: [
      figure,
      result.what,
      limit(result.bar),
      limit(result.aim),
      shown(result.value, result.unit),
      words[judgement],
    ],
    judgement,
  };
}

function painted(text: string, judgement: Judgement): string {
  const style = { aim: "green", bar: "green", miss: "red", told: "dim" } as const;
  return styleText(style[judgement], text, { validateStream: false });
}
