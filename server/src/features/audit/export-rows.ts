import { timeOfId } from "../../kernel/ids.ts";
import { type StoredRecord, storedRecord } from "./view.ts";

/** A leaf as exports read it. */
export interface LeafRow {
  readonly leaf_index: number;
  readonly key_seq: number | null;
  readonly record_id: string;
  /** The record's canonical JSON, its `key_seq` still open. */
  readonly body: string;
}

/** How one form of an export is written. */
export interface ExportWriter {
  /** The version of the form. */
  readonly schemaVersion: string;
  /** What stands before the first record. */
  readonly head: string;
  /** One record, with its line end. */
  row(leaf: LeafRow): string;
}

/** The record of a leaf. A text that is none, which no call writes but which the log carries on as it is, is told with what is known of it. */
export function recordOf(leaf: LeafRow): StoredRecord {
  try {
    return storedRecord(leaf);
  } catch {
    return { ...unreadable, id: leaf.record_id, time: new Date(timeOfId(leaf.record_id) ?? 0).toISOString() };
  }
}

const unreadable: Omit<StoredRecord, "id" | "time"> = {
  principal: "unknown",
  key_id: null,
  operation: "unknown",
  object: null,
  task_id: null,
  approval_id: null,
  outcome: "failed",
  stages: [],
  status: 0,
  code: null,
  trust_score: null,
  request_id: "unknown",
  address: null,
  request: null,
  response: null,
};
