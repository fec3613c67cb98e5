/** Rows are not filled up with empty cells where the table would have more cells than this. */
const MOST_CELLS = 1_000_000;

/** A table as Markdown, the first row as its header; empty where it has no cell with text. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const [header, ...rest] = rows.filter((row) => row.some((cell) => cell !== ""));
  if (header === undefined) return "";
  const longest = rest.reduce((most, row) => Math.max(most, row.length), header.length);
  const width = longest * rest.length > MOST_CELLS ? header.length : longest;
  const line = (row: readonly string[]): string =>
    `| ${Array.from({ length: Math.max(width, row.length) }, (_, at) => escaped(row[at] ?? "")).join(" | ")} |`;
  return [line(header), `| ${Array.from({ length: width }, () => "---").join(" | ")} |`, ...rest.map(line)].join("\n");
}

const escaped = (cell: string): string => cell.replaceAll(/\s+/g, " ").trim().replaceAll("|", "\\|");
