import { type ExportWriter, recordOf } from "./export-rows.ts";
import { stageNames } from "./record-words.ts";

/**
 * JSON lines `{"leaf_index":…,"record":…}`: the record is the exact text of the leaf, as a JSON string, so that its leaf hash (RFC 6962) can be made again and a
 * proof of it verified.
 */
export function jsonlWriter(leafData: (body: string, keySeq: number | null) => string): ExportWriter {
  return {
    schemaVersion: "aos-audit-jsonl v1",
    head: "",
    row: ({ leaf_index, body, key_seq }) => `{"leaf_index":${leaf_index},"record":${JSON.stringify(leafData(body, key_seq))}}\n`,
  };
}

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
];

/**
 * A table with a header (RFC 4180: commas, CRLF, quotation marks where they are needed; UTF-8). Reasons of a stage are joined by `; `, and null is an empty cell. A text
 * that a spreadsheet would take for a formula is preceded by an apostrophe.
 */
export const csvWriter: ExportWriter = {
  schemaVersion: "aos-audit-csv v1",
  head: lineOf(columns),
  row(leaf) {
    const record = recordOf(leaf);
    const stages = stageNames.map((name) => record.stages.find(({ stage }) => stage === name));
    return lineOf([
      leaf.leaf_index,
      record.id,
      record.time,
      record.principal,
      record.key_id,
      leaf.key_seq,
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
    ]);
  },
};

function lineOf(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cell).join(",")}\r\n`;
}

function cell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
