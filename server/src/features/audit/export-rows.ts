import { type AuditRecord, csvHead, csvRow, type ExportRow, jsonlRow, ocsfRow, ocsfVersion } from "@aos/proof";
import { activityOf } from "./export-ocsf.ts";
import type { ExportFormat } from "./exports-schemas.ts";

/** How one form of an export is written. The forms are those that `@aos/proof` verifies: what they write changes with the version of the manifest only. */
export interface ExportWriter {
  /** The version of the form. */
  readonly schemaVersion: string;
  /** What stands before the first record. */
  readonly head: string;
  /** One record, with its line end. */
  row(row: ExportRow, record: AuditRecord): string;
}

export const schemaVersions: Readonly<Record<ExportFormat, string>> = {
  jsonl: "aos-audit-jsonl v2",
  csv: "aos-audit-csv v2",
  ocsf: ocsfVersion,
};

/** How an export of the log `origin` is written. */
export function writerOf(format: ExportFormat, origin: string): ExportWriter {
  const schemaVersion = schemaVersions[format];
  if (format === "csv") return { schemaVersion, head: csvHead, row: csvRow };
  if (format === "jsonl") return { schemaVersion, head: "", row: jsonlRow };
  return { schemaVersion, head: "", row: (row, record) => ocsfRow(row, origin, activityOf(record.operation), record) };
}
