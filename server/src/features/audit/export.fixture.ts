import type { LeafRow } from "./export-rows.ts";
import type { StoredRecord } from "./view.ts";

const said = (
  stage: StoredRecord["stages"][number]["stage"],
  verdict: StoredRecord["stages"][number]["verdict"],
  ...reasons: string[]
) => ({
  policy_version: stage === "compliance" ? "pol_1@2" : null,
  reasons,
  stage,
  verdict,
});

/** A record of a dispatch; members replaceable. */
export function sampleRecord(members: Partial<StoredRecord> = {}): StoredRecord {
  return {
    address: "aa",
    approval_id: "apr_1",
    code: null,
    id: "aud_1",
    key_id: "key_1",
    object: "agent:sales",
    operation: "agents.dispatchTask",
    outcome: "allowed",
    principal: "mbr_1",
    request: "bb",
    request_id: "req_1",
    response: null,
    stages: [
      said("permissions", "allow", "role:operator"),
      said("evaluation_gate", "allow", "gate:missing"),
      said("compliance", "allow", "first", "second"),
      said("audit", "recorded"),
    ],
    status: 202,
    task_id: "tsk_1",
    time: "2026-05-03T09:00:00.123Z",
    trust_score: 0.8125,
    ...members,
  };
}

/** The leaf of a record, at place 7 of its log and third of its key. */
export function exportRow(record: StoredRecord): LeafRow {
  return { leaf_index: 7, key_seq: 3, record_id: record.id, body: JSON.stringify({ ...record, key_seq: null }) };
}
