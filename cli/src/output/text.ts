import stringWidth from "string-width";
import { printable, type Terminal } from "../terminal.ts";

/** Columns that a text takes on a terminal; wide characters take two. */
export const widthOf = (text: string): number => stringWidth(text);

const segments = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The beginning of a text that fits into `columns`, with an ellipsis where something is missing. No character is cut in two. */
export function fitted(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  if (columns <= 1) return columns === 1 ? "…" : "";
  let kept = "";
  for (const { segment } of segments.segment(text)) {
    if (widthOf(kept + segment) > columns - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

export const padded = (text: string, columns: number): string =>
  text + " ".repeat(Math.max(0, columns - widthOf(text)));

/** A text as lines of at most `columns`, broken between words where there are spaces. */
export function wrapped(text: string, columns: number): string[] {
  return text.split("\n").flatMap((line) => {
    const lines: string[] = [];
    let current = "";
    for (const word of line.split(/ +/)) {
      const longer = current === "" ? word : `${current} ${word}`;
      if (current !== "" && widthOf(longer) > columns) {
        lines.push(current);
        current = word;
      } else current = longer;
    }
    return [...lines, current];
  });
}

/** Columns of the terminal: COLUMNS, else its own, else 80. Null where the output is no terminal: nothing is cut there. */
export function columnsOf({ isTTY, env, columns }: Pick<Terminal, "isTTY" | "env" | "columns">): number | null {
  if (!isTTY) return null;
  const named = Number(env.COLUMNS);
  return Number.isInteger(named) && named >= 20 ? named : (columns ?? 80);
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** A time of the service as people here read it: in the time zone of the terminal (TZ), to the second. */
export function timeOf(text: string): string {
  const at = new Date(text);
  const two = (number: number): string => String(number).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

export function cellOf(value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "string")
    return TIME.test(value) ? timeOf(value) : printable(value.replaceAll(/\s*\n\s*/g, " "));
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value) && value.every((item) => typeof item !== "object"))
    return value.length === 0 ? "–" : value.map(cellOf).join(", ");
  return typeof value === "object" ? printable(JSON.stringify(value)) : String(value);
}

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
