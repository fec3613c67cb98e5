import {
  type AuditRecord,
  csvHead,
  csvRow,
  type ExportRow,
  jsonlRow,
  type OcsfActivity,
  ocsfActivities,
  ocsfRow,
  ocsfVersion,
} from "@aos/proof";
import type { ExportFormat } from "../schemas.ts";

export const mediaTypes: Readonly<Record<ExportFormat, string>> = {
  jsonl: "application/x-ndjson",
  csv: "text/csv",
  ocsf: "application/x-ndjson",
};

/** Writes one of the formats that `@aos/proof` verifies; they change with the version of the manifest only. */
export interface ExportWriter {
  readonly schemaVersion: string;
  readonly head: string;
  row(row: ExportRow, record: AuditRecord): string;
}

export const schemaVersions: Readonly<Record<ExportFormat, string>> = {
  jsonl: "aos-audit-jsonl v2",
  csv: "aos-audit-csv v2",
  ocsf: ocsfVersion,
};

export function writerOf(format: ExportFormat, origin: string): ExportWriter {
  const schemaVersion = schemaVersions[format];
  if (format === "csv") return { schemaVersion, head: csvHead, row: csvRow };
  if (format === "jsonl") return { schemaVersion, head: "", row: jsonlRow };
  return { schemaVersion, head: "", row: (row, record) => ocsfRow(row, origin, activityOf(record.operation), record) };
}

/** OCSF activities 1 to 4: create, read, update, delete. */
const verbs: Readonly<Record<string, number>> = Object.fromEntries(
  [
    "create add issue dispatch freeze propose engage invite give send fork install rate report",
    "read list whoami check simulate search test stream follow query preview",
    "change set replace approve reject request delegate deploy rollback pause resume complete finish fail block requeue expire start cancel end retry calibrate recover rotate disable update reset review",
    "delete archive retire revoke remove release retract erase forget unbind withdraw",
  ].flatMap((words, at) => words.split(" ").map((word) => [word, at + 1])),
);

/** The OCSF activity by the first word of the operation's name; any other word is activity 99 under that name. */
export function activityOf(operation: string): OcsfActivity {
  const verb = /^[a-z]*/.exec(operation.slice(operation.indexOf(".") + 1))?.[0] ?? "";
  const id = verbs[verb] ?? 99;
  return { activity_id: id, activity_name: ocsfActivities[id] ?? (verb || operation) };
}
