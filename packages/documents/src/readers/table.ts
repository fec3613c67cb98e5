/** Rows are not filled up with empty cells where the table would have more cells than these, and so many times those that it has. */
const FILLED = { cells: 10_000, times: 4 } as const;

/** A table as Markdown, the first row as its header; empty where it has no cell with text. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const [header, ...rest] = rows.filter((row) => row.some((cell) => cell !== ""));
  if (header === undefined) return "";
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
