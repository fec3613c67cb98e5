import { isoTime } from "../../kernel/clock.ts";
import { baseUrlOf } from "./connections-model.ts";
import type { Connection, ConnectionTest, ConnectionUse } from "./connections-schemas.ts";
import type { ConnectionRow } from "./connections-store.ts";

/** A connection as callers read it. */
export function connectionView(row: ConnectionRow, uses: readonly ConnectionUse[]): Connection {
  const { name, kind, scheme, header } = row;
  return {
    connection: name,
    kind,
    base_url: baseUrlOf(kind, row.base_url) ?? "",
    auth: scheme === null ? null : { scheme, ...(header !== null && { header }) },
    has_secret: row.secret !== null,
    last_four: row.last_four,
    created_by: row.created_by,
    created_at: isoTime(row.created_at),
    changed_at: isoTime(row.changed_at),
    last_test: row.test === null ? null : (JSON.parse(row.test) as ConnectionTest),
    used_by: [...uses],
  };
}
