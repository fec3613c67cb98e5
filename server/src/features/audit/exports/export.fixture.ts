import { type AuditRecord, buildRecordBody, type ExportRow } from "@aos/proof";
import { auditRecord } from "../../../../../packages/proof/src/record.fixture.ts";

export const sampleRecord = (members: Partial<AuditRecord> = {}): AuditRecord =>
  auditRecord({ id: "aud_1", ...members });

export function exportRow(record: AuditRecord): ExportRow {
  return { leafIndex: 7, leafData: buildRecordBody(record), skipped: "" };
}
