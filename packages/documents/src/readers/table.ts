import type { Output } from "./output.ts";

/** Rows are not filled up with empty cells where the table would have more cells than these, and so many times those that it has. */
const FILLED = { cells: 10_000, times: 4 } as const;
/** Code units of a header that is repeated above the rows of each chunk; below a longer one, each cell says its column. */
const LONGEST_HEADER = 500;
/** Code units of the name of a column beside its cell. */
const LONGEST_NAME = 100;

/** A table of any format, with what stands above its header over its whole width as text: as Markdown, or, where it is too wide for a chunk, each row as lines `column: cell`, like a record. */
export function tellTable(output: Output, rows: readonly (readonly string[])[], page: number | null = null): void {
  const filled = rows.filter((row) => row.some((cell) => cell !== ""));
  const start = filled.findIndex((row) => row.some((cell, at) => at > 0 && cell !== ""));
  const captions = start > 0 && filled.every((row) => row.length > 2) ? filled.slice(0, start) : [];
  output.block("text", captions.map(([cell = ""]) => cell.trim()).join("\n"), { page });
  const [header = [], ...rest] = filled.slice(captions.length);
  const names = header.map((name) => escaped(name).slice(0, LONGEST_NAME).toWellFormed());
  const length = names.reduce((sum, name) => sum + name.length + 3, 0);
  if (length <= LONGEST_HEADER || rest.length === 0) {
    output.block("table", markdownTable([header, ...rest]), { page });
    return;
  }
  for (const row of rest)
    output.block("text", row.flatMap((cell, at) => lineOf(names[at] ?? "", cell)).join("\n"), { page });
}

const lineOf = (name: string, cell: string): string[] => {
  const text = cell.replaceAll(/\s+/g, " ").trim();
  return text === "" ? [] : [name === "" ? text : `${name}: ${text}`];
};

/** A table as Markdown, the first row as its header; empty where it has no cell with text. */
function markdownTable(rows: readonly (readonly string[])[]): string {
  const [header = [], ...rest] = rows;
  if (header.length === 0) return "";
  const longest = rest.reduce((most, row) => Math.max(most, row.length), header.length);
  const own = rest.reduce((sum, row) => sum + row.length, header.length);
  const isFilled = longest * (rest.length + 1) <= Math.max(FILLED.cells, FILLED.times * own);
  const width = isFilled ? longest : 0;
  const line = (row: readonly string[]): string =>
    `| ${Array.from({ length: Math.max(width, row.length) }, (_, at) => escaped(row[at] ?? "")).join(" | ")} |`;
  const rule = `| ${Array.from({ length: Math.max(width, header.length) }, () => "---").join(" | ")} |`;
  return [line(header), rule, ...rest.map(line)].join("\n");
}

const escaped = (cell: string): string => cell.replaceAll(/\s+/g, " ").trim().replaceAll("|", "\\|");
