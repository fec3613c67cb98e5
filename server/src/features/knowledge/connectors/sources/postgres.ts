import { createHash } from "node:crypto";
import { SourceFault } from "../../ports.ts";
import type { PostgresCredentials, PostgresSource } from "../source-schemas.ts";
import type { SourceItem, SourceReading } from "./source.ts";

export async function* listRows(source: PostgresSource, reading: SourceReading): AsyncGenerator<SourceItem> {
  const { host, port = 5432, database, tls = true, query, columns, timeout_seconds = 300 } = source;
  const target = { host, port, database, tls, ...(reading.credentials as PostgresCredentials) };
  const limits = { batch: 500, timeoutMs: timeout_seconds * 1000, signal: reading.signal };
  const most = source.most_items ?? 100_000;
  const ids = new Set<string>();
  for await (const rows of reading.access.rows(target, query, limits)) {
    if (ids.size === 0) checkColumns(source, rows[0] as object);
    for (const row of rows) {
      const id = textOf(row[columns.id]);
      if (id === "")
        throw new SourceFault("id_missing", `A row has no \`${columns.id}\`. Leave such rows out in the query.`);
      if (ids.has(id))
        throw new SourceFault("id_repeated", `Two rows have the same \`${columns.id}\` ${id.slice(0, 100)}.`);
      if (ids.size >= most) return reading.partial(`The query returns more than ${most} rows.`);
      ids.add(id);
      yield itemOf(id, row, columns);
    }
  }
}

function checkColumns({ columns }: PostgresSource, row: object): void {
  const missing = Object.values(columns).find((column) => !(column in row));
  if (missing !== undefined) throw new SourceFault("column_missing", `The query returns no column \`${missing}\`.`);
}

function itemOf(id: string, row: Record<string, unknown>, columns: PostgresSource["columns"]): SourceItem {
  const { [columns.text ?? ""]: text, ...rest } = row;
  const fields = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, jsonOf(value)]));
  const whole = JSON.stringify([fields, textOf(text)]);
  const mark = columns.updated === undefined ? "" : textOf(row[columns.updated]);
  const fingerprint = mark === "" ? createHash("sha256").update(whole).digest("hex") : `at ${mark}`;
  const contents = {
    kind: "record",
    title: columns.title === undefined ? "" : textOf(row[columns.title]),
    text: textOf(text) || null,
    fields,
  } as const;
  return { item: id, fingerprint, size: whole.length * 2, read: async () => ({ fingerprint, contents }) };
}

/** Without what PostgreSQL's text rejects. */
function jsonOf(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Buffer.isBuffer(value)) return `${value.length} bytes`;
  if (typeof value === "bigint") return String(value);
  return value;
}

function textOf(value: unknown): string {
  const plain = jsonOf(value);
  if (plain === null || plain === undefined) return "";
  return typeof plain === "object" ? JSON.stringify(plain) : String(plain);
}
