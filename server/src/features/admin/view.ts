import { isoTime } from "../../kernel/clock.ts";
import { digestRevision } from "../../kernel/etag.ts";
import { pick } from "../../kernel/pick.ts";
import type { Decided } from "./accountability/confirmations-store.ts";
import type { ConnectionRow } from "./connections/resource.ts";
import { baseUrlOf } from "./connections/rules.ts";
import type { Connection, ConnectionUse } from "./connections/schemas.ts";
import { keyState } from "./keys/rules.ts";
import type { KeyRow } from "./keys/store.ts";
import type { PersonRow } from "./members/store.ts";
import type { Key, Member } from "./schemas.ts";

const limits = ["role", "scopes", "agents", "addresses", "rate_per_second"] as const;
const owner = ["member_id", "member_kind", "member_name", "created_by", "personal"] as const;

export function keyView(row: KeyRow, now: number): Key {
  return {
    key_id: row.id,
    ...pick(row, ["name", "environment", ...limits, ...owner]),
    start: row.secret_start,
    last_four: row.secret_last_four,
    state: keyState(row, now),
    created_at: isoTime(row.created_at),
    expires_at: isoTime(row.expires_at),
    revoked_at: isoTime(row.dead_since),
    replaced_by: row.replaced_by,
    last_used_at: isoTime(row.last_used_at),
  };
}

export const memberRevision = (member: Pick<Member, "name" | "email" | "role">): string =>
  digestRevision(pick(member, ["name", "email", "role"]));

export function memberView(row: PersonRow): Member {
  return {
    member_id: row.id,
    ...pick(row, ["kind", "name", "email", "role", "keys", "invited_by"]),
    state: row.is_invited ? "invited" : "active",
    invitation_sent_at: isoTime(row.invited_last),
    created_at: isoTime(row.created_at),
  };
}

export function connectionView(row: ConnectionRow, decided: Decided, uses: readonly ConnectionUse[] = []): Connection {
  const { scheme, header } = row;
  return {
    connection: row.name,
    ...pick(row, ["kind", "last_four", "created_by"]),
    base_url: baseUrlOf(row.kind, row.base_url) ?? "",
    auth: scheme === null ? null : { scheme, ...(header !== null && { header }) },
    has_secret: row.secret !== null,
    digest: row.digest ?? "",
    ...decided,
    created_at: isoTime(row.created_at),
    changed_at: isoTime(row.changed_at),
    last_test: row.test,
    used_by: [...uses],
  };
}
