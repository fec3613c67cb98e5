import type { Column, QueryAnswer } from "./schemas.ts";

// The answer of a query as a table: CSV (RFC 4180) and Parquet.

type Value = string | number | boolean | null;

/** Spreadsheets take a text that begins so as a formula; an apostrophe before it keeps it a text. */
const formula = /^[=+\-@\t\r]/;

function csvCell(value: Value): string {
  if (value === null) return "";
  if (typeof value !== "string") return String(value);
  const text = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const csvLine = (cells: readonly Value[]): string => `${cells.map(csvCell).join(",")}\r\n`;

function cellsOf({ columns, rows }: QueryAnswer): Value[][] {
  return rows.map(({ from, to, complete, key, figures }) => {
    const own: Readonly<Record<string, Value>> = { from, to, complete };
    return columns.map(({ name, of, member }) => {
      if (of === null) return own[name] ?? null;
      return member === null ? (key[of] ?? null) : (figures[of]?.[member] ?? null);
    });
  });
}

export function csvOf(answer: QueryAnswer): string {
  const head = csvLine(answer.columns.map(({ name }) => name));
  return head + cellsOf(answer).map(csvLine).join("");
}

const parquetTypes = {
  string: "STRING",
  int64: "INT64",
  double: "DOUBLE",
  timestamp: "TIMESTAMP",
  boolean: "BOOLEAN",
} as const;

function parquetValue(type: Column["type"], value: Value): Exclude<Value, null> | bigint | Date | null {
  if (value === null) return null;
  if (type === "int64") return BigInt(value);
  return type === "timestamp" ? new Date(String(value)) : value;
}

export async function parquetOf(answer: QueryAnswer): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await import("hyparquet-writer");
  const rows = cellsOf(answer);
  const columnData = answer.columns.map(({ name, type }, at) => ({
    name,
    type: parquetTypes[type],
    nullable: true,
    data: rows.map((row) => parquetValue(type, row[at] ?? null)),
  }));
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}
