import { isoTime } from "../../kernel/clock.ts";
import { digestRevision } from "../../kernel/etag.ts";
import type { Member } from "./people-schemas.ts";
import type { PersonRow } from "./people-store.ts";

/** The revision of what an environment sets of a member. */
export const memberRevision = ({ name, email, role }: Pick<Member, "name" | "email" | "role">): string =>
  digestRevision({ name, email, role });

/** A member as callers read it. */
export function memberView(row: PersonRow): Member {
  return {
    member_id: row.id,
    kind: row.kind,
    name: row.name,
    email: row.email,
    role: row.role,
    state: row.is_invited ? "invited" : "active",
    keys: row.keys,
    invited_by: row.invited_by,
    invitation_sent_at: isoTime(row.invited_last),
    created_at: isoTime(row.created_at),
  };
}
