import { roles } from "../../kernel/principal.ts";
import { rolesIncluding } from "../../kernel/role-permissions.ts";

// What every statement about keys shares: the join with the owner, and since when a key is dead. `k` is the key, `m` its owner.

export const keysWithOwners = "keys k join members m on m.organization = k.organization and m.id = k.member_id";

/** `<role of the owner> <role of the key>` for every pair in which the owner's role includes the key's. Made of our own words: safe to inline. */
const covered = roles.flatMap((role) => rolesIncluding(role).map((owner) => `'${owner} ${role}'`)).join(", ");

/**
 * Whether the owner still stands behind the key. A person's key lives as long as the person has a role in the key's environment that includes
 * the key's; a service account has what its keys say, so that any role there is enough.
 */
export const ownerCovers = `(case when m.kind = 'service_account' then m.roles ? k.environment
  else coalesce((m.roles ->> k.environment) || ' ' || k.role in (${covered}), false) end)`;

/**
 * Since when a key counts as revoked: by its own revocation (in the future while an overlap runs), by the removal of its owner, or, where the
 * owner has lost the role behind it, since ever. Null: it does not. `least` passes over nulls.
 */
export const deadSince = `least(k.revoked_at, m.removed_at, case when not ${ownerCovers} then k.created_at end)`;

/**
 * Whether the owner issued the key to themselves from a sign-in of their own, and still has the e-mail address that they had then: with another
 * address somebody else may sign in as them.
 */
export const isPersonal = "(k.personal and m.kind = 'person' and k.personal_email is not distinct from lower(m.email))";

/** The state of a key at a time, given as an SQL expression. Revocation outweighs expiry. */
export function stateAt(time: string): string {
  return `case when ${deadSince} <= ${time} then 'revoked' when k.expires_at <= ${time} then 'expired' else 'active' end`;
}
