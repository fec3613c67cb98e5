import { type ExportRow, recordOfLeaf, rowOf } from "./export-row.ts";
import type { AuditRecord } from "./record.ts";

/** The stages of the pipeline that a table has columns for, in their order. */
const stageNames = ["permissions", "evaluation_gate", "compliance", "audit"] as const;

const columns = [
  "leaf_index",
  "audit_ref",
  "time",
  "actor",
  "key_id",
  "key_seq",
  "action",
  "object",
  "task_id",
  "approval_id",
  "decision",
  "status",
  "code",
  "trust_score",
  "request_id",
  ...stageNames.flatMap((stage) => [stage, `${stage}_reasons`]),
  "policy_version",
  "address_commitment",
  "request_commitment",
  "response_commitment",
  "skipped",
  "leaf_data",
];

type Cell = string | number | null;

/**
 * A table with a header (RFC 4180: commas, CRLF, quotation marks where they are needed; UTF-8). Reasons of a stage are joined by `; `, and null is an empty cell. A text
 * that a spreadsheet would take for a formula is preceded by an apostrophe. The last two columns are for verification.
 */
export const csvHead = lineOf(columns.map(cell));

/** A line of a CSV export, with its line end. */
export function csvRow(
  { leafIndex, leafData, skipped }: ExportRow,
  record: AuditRecord = recordOfLeaf(leafData),
): string {
  const stages = stageNames.map((name) => record.stages.find(({ stage }) => stage === name));
  const cells: Cell[] = [
    leafIndex,
    record.id,
    record.time,
    record.principal,
    record.key_id,
    record.key_seq,
    record.operation,
    record.object,
    record.task_id,
    record.approval_id,
    record.outcome,
    record.status,
    record.code,
    record.trust_score,
    record.request_id,
    ...stages.flatMap((said) => [said?.verdict ?? null, said?.reasons.join("; ") ?? null]),
    record.stages.flatMap(({ policy_version }) => policy_version ?? []).join("; "),
    record.address,
    record.request,
    record.response,
  ];
  return lineOf([...cells.map(cell), skipped, quoted(leafData)]);
}

function lineOf(cells: readonly string[]): string {
  return `${cells.join(",")}\r\n`;
}

function cell(value: Cell): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? quoted(text) : text;
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Reads what a record of a CSV export says for verification; undefined where it cannot be read. */
export function readCsvRow(line: string): ExportRow | undefined {
  const cells = line.endsWith("\r\n") ? cellsOf(line.slice(0, -2)) : undefined;
  if (cells?.length !== columns.length) return undefined;
  const [index = ""] = cells;
  return /^(?:0|[1-9][0-9]*)$/.test(index) ? rowOf(Number(index), cells.at(-1), cells.at(-2)) : undefined;
}

/** The cells of a record without its line end; undefined where a quotation mark stands where none may. */
function cellsOf(line: string): string[] | undefined {
  const cells: string[] = [];
  for (let at = 0; ; at++) {
    if (line[at] === '"') {
      const end = endOfQuoted(line, at);
      if (end < 0) return undefined;
      cells.push(line.slice(at + 1, end).replaceAll('""', '"'));
      at = end + 1;
    } else {
      const comma = line.indexOf(",", at);
      const end = comma < 0 ? line.length : comma;
      cells.push(line.slice(at, end));
      at = end;
    }
    if (at >= line.length) return cells;
    if (line[at] !== ",") return undefined;
  }
}

/** Where the quotation mark is that ends a quoted cell; −1 for none. */
function endOfQuoted(line: string, start: number): number {
  let end = line.indexOf('"', start + 1);
  while (end >= 0 && line[end + 1] === '"') end = line.indexOf('"', end + 2);
  return end;
}

const quote = 0x22;

/** Whether a line ends inside a quoted cell, so that the record goes on in the next. */
export function isOpenCsv(line: string): boolean {
  let open = false;
  for (let at = 0; at < line.length; at++) if (line.charCodeAt(at) === quote) open = !open;
  return open;
}
