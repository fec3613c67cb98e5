import { storedJson } from "../../../kernel/stored-json.ts";
import type { Commitments } from "../ports.ts";
import type { AuditEvent } from "../schemas.ts";

export interface StoredRecord extends Commitments {
  readonly id: string;
  readonly time: string;
  readonly principal: string;
  readonly key_id: string | null;
  readonly operation: string;
  readonly object: string | null;
  readonly task_id: string | null;
  readonly approval_id: string | null;
  readonly outcome: AuditEvent["decision"];
  readonly stages: AuditEvent["stages"];
  readonly status: number;
  readonly code: string | null;
  readonly trust_score: number | null;
  readonly request_id: string;
}

const recordJson = storedJson<{ body: StoredRecord }>();

export function storedRecord(row: { readonly body: string }): StoredRecord {
  return recordJson(row, "body");
}
