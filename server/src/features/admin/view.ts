import { isoTime } from "../../kernel/clock.ts";
import { keyState } from "./model.ts";
import type { Key } from "./schemas.ts";
import type { KeyRow } from "./store.ts";

/** A key as callers read it; its state is that of `now` (milliseconds since the epoch). */
export function keyView(row: KeyRow, now: number): Key {
  return {
    key_id: row.id,
    name: row.name,
    environment: row.environment,
    role: row.role,
    scopes: row.scopes,
    agents: row.agents,
    addresses: row.addresses,
    rate_per_second: row.rate_per_second,
    member_id: row.member_id,
    member_kind: row.member_kind,
    member_name: row.member_name,
    start: row.secret_start,
    last_four: row.secret_last_four,
    state: keyState(row, now),
    created_by: row.created_by,
    personal: row.personal,
    created_at: isoTime(row.created_at),
    expires_at: isoTime(row.expires_at),
    revoked_at: isoTime(row.dead_since),
    last_used_at: isoTime(row.last_used_at),
  };
}
