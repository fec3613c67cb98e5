import { membersIn } from "./canonical.ts";
import type { AuditRecord, AuditStage } from "./record.ts";

// What every form of an export says of a leaf. The service writes rows by this code, and verification writes them once more from the leaf data to compare.

/** A row of an export. All that it says of a record follows from the leaf data. */
export interface ExportRow {
  readonly leafIndex: number;
  /** The exact text of the leaf, whose hash is in the log. */
  readonly leafData: string;
  /** Hashes of the complete subtrees between the row before and this one, joined, in base64; empty where nothing is between them. */
  readonly skipped: string;
}

/** The record of a leaf. A text that is no record, which no call writes, is shown as unknown. */
export function recordOfLeaf(leafData: string): AuditRecord {
  try {
    const record: unknown = JSON.parse(leafData);
    return isRecord(record) ? record : unreadable;
  } catch {
    return unreadable;
  }
}

/** The stage that refused a call; null where none did. */
export function refusingStage({ outcome, stages }: AuditRecord): string | null {
  return outcome === "allowed" ? null : (stages.find(({ verdict }) => verdict === "deny")?.stage ?? null);
}

/** Whether a leaf's text is a record. */
export function isRecord(value: unknown): value is AuditRecord {
  if (typeof value !== "object" || value === null) return false;
  const record: Readonly<Record<string, unknown>> = { ...value };
  const { id, time, operation, principal, outcome, status, stages } = record;
  return (
    [id, time, operation, principal].every((member) => typeof member === "string") &&
    Object.hasOwn(outcomes, String(outcome)) &&
    Number.isInteger(status) &&
    Array.isArray(stages) &&
    stages.every((stage: AuditStage | null) => typeof stage?.stage === "string" && Array.isArray(stage.reasons)) &&
    optional.every((name) => record[name] === null || typeof record[name] === "string")
  );
}

const outcomes = { allowed: true, refused: true, failed: true };
const optional = ["object", "key_id", "task_id", "approval_id", "code"] as const;

/** What an unreadable leaf is shown as. */
const unreadable: AuditRecord = {
  address: null,
  approval_id: null,
  code: null,
  environment: "unknown",
  id: "unknown",
  key_id: null,
  key_seq: null,
  object: null,
  operation: "unknown",
  organization: "unknown",
  outcome: "failed",
  principal: "unknown",
  request: null,
  request_id: "unknown",
  response: null,
  stages: [],
  status: 0,
  task_id: null,
  time: "1970-01-01T00:00:00.000Z",
  trust_score: null,
  version: 1,
};

/** A line of a JSONL export, with its line end. */
export function jsonlRow({ leafIndex, leafData, skipped }: ExportRow): string {
  const between = skipped === "" ? "" : `"skipped":"${skipped}",`;
  return `{"leaf_index":${leafIndex},${between}"record":${JSON.stringify(leafData)}}\n`;
}

/** Reads a line of a JSONL export; undefined for anything else. */
export function readJsonlRow(line: string): ExportRow | undefined {
  try {
    const { leaf_index: leafIndex, skipped = "", record: leafData } = membersIn(line);
    return rowOf(leafIndex, leafData, skipped);
  } catch {
    return undefined;
  }
}

/** A row of members that were read; undefined where one is not of its kind. */
export function rowOf(leafIndex: unknown, leafData: unknown, skipped: unknown): ExportRow | undefined {
  const fits =
    Number.isSafeInteger(leafIndex) &&
    (leafIndex as number) >= 0 &&
    typeof leafData === "string" &&
    typeof skipped === "string";
  return fits ? { leafIndex: leafIndex as number, leafData, skipped } : undefined;
}
