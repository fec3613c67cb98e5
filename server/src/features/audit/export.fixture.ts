import { type AuditRecord, buildRecordBody, type ExportRow } from "@aos/proof";
import { auditRecord } from "../../../../packages/proof/src/record.fixture.ts";

/** A record of a dispatch, third of its key; members replaceable. */
export const sampleRecord = (members: Partial<AuditRecord> = {}): AuditRecord =>
  auditRecord({ id: "aud_1", ...members });

/** The row of a record at place 7 of its log, directly after the one before. */
export function exportRow(record: AuditRecord): ExportRow {
  return { leafIndex: 7, leafData: buildRecordBody(record), skipped: "" };
}
