import { shareRows } from "../db/shared-rows.ts";

// What other parts of the service read of the tables of the audit log.

export const auditClosedLogRows = shareRows(
  "audit_closed_logs",
  "organization",
  "environment",
  "epoch",
  "first_leaf",
  "origin",
  "tree_size",
  "closed_at",
);

export const auditLeafRows = shareRows(
  "audit_leaves",
  "organization",
  "environment",
  "record_id",
  "leaf_index",
  "key_id",
  "key_seq",
  "principal",
  "operation",
  "object",
  "task_id",
  "approval_id",
  "decision",
  "stage",
  "status",
);

export const auditLogRows = shareRows(
  "audit_logs",
  "organization",
  "environment",
  "tree_size",
  "event_sequence",
  "updated_at",
  "epoch",
  "first_leaf",
  "origin",
);

export const auditRecordRows = shareRows(
  "audit_records",
  "organization",
  "environment",
  "id",
  "body",
  "context",
  "salt_id",
  "writer",
  "number",
  "mac",
);

export const auditTileRows = shareRows("audit_tiles", "organization", "environment", "level", "index", "data", "epoch");

export const eventPositionRows = shareRows(
  "event_positions",
  "organization",
  "environment",
  "event_id",
  "sequence",
  "type",
  "task_id",
  "audit_id",
);

export const eventRows = shareRows(
  "events",
  "organization",
  "environment",
  "id",
  "type",
  "task_id",
  "task_sequence",
  "audit_id",
  "body",
  "deciders",
);

export const idempotencyKeyRows = shareRows("idempotency_keys", "organization", "environment", "id");
