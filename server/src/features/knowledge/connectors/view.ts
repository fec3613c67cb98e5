import type { SyncedConnector, SyncRow } from "./resource.ts";
import { scheduleOf } from "./rules.ts";
import type { Connector, Sync } from "./schemas.ts";

const time = (at: Date | null): string | null => at?.toISOString() ?? null;

export function connectorView({ items, last, ...row }: SyncedConnector): Connector {
  return {
    connector_id: row.id,
    base_id: row.base,
    name: row.name,
    kind: row.kind,
    source: { ...row.source },
    connection: row.connection,
    has_credentials: row.credentials !== null,
    schedule: scheduleOf(row),
    next_run_at: row.state === "active" ? time(row.next_run_at) : null,
    readers: row.readers,
    keep_removed: row.keep_removed,
    state: row.state === "paused" ? "paused" : "active",
    items,
    stopped_reason: row.stopped_reason,
    failures_in_a_row: row.failures,
    last_sync: last ? syncView(last) : null,
    revision: row.revision,
    author: row.author,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function syncView(row: SyncRow): Sync {
  return {
    sync_id: row.id,
    base_id: row.base,
    connector_id: row.connector,
    connector: row.connector_name,
    trigger: row.trigger,
    state: row.state,
    added: row.added,
    changed: row.changed,
    removed: row.removed,
    unchanged: row.unchanged,
    failed: row.failed,
    partial: row.partial,
    left_out: row.left_out,
    indexing: row.indexing,
    not_indexed: row.not_indexed,
    error: row.error,
    requested_by: row.author,
    created_at: row.created_at.toISOString(),
    started_at: time(row.started_at),
    finished_at: time(row.finished_at),
  };
}
