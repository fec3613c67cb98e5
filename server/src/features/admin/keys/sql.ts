import type { WriteContext } from "../../../kernel/context.ts";
import { roles } from "../../../kernel/principal.ts";
import { rolesIncluding } from "../../../kernel/role-permissions.ts";

// SQL that all statements about keys share. `k` is the key, `m` its owner.

export const keysWithOwners = "keys k join members m on m.organization = k.organization and m.id = k.member_id";

/** `'<role of the owner> <role of the key>'` for every pair in which the owner's role includes the key's. */
const covered = roles.flatMap((role) => rolesIncluding(role).map((owner) => `'${owner} ${role}'`)).join(", ");

/**
 * Whether the owner's role still covers the key. A person's role must include the key's; a service account needs any role in the key's environment,
 * because its keys say what it may do.
 */
export const ownerCovers = `(case when m.kind = 'service_account' then m.roles ? k.environment
  else coalesce((m.roles ->> k.environment) || ' ' || k.role in (${covered}), false) end)`;

/**
 * Since when a key counts as revoked: its own revocation (in the future during an overlap), the removal of its owner, or its creation if the owner has lost
 * the role behind it. Null: not revoked. `least` ignores nulls.
 */
export const deadSince = `least(k.revoked_at, m.removed_at, case when not ${ownerCovers} then k.created_at end)`;

/**
 * Whether the owner issued the key to themselves after signing in personally, and still has the e-mail address of that time: with another address somebody
 * else may sign in as them.
 */
export const isPersonal = "(k.personal and m.kind = 'person' and k.personal_email is not distinct from lower(m.email))";

export function stateAt(time: string): string {
  return `case when ${deadSince} <= ${time} then 'revoked' when k.expires_at <= ${time} then 'expired' else 'active' end`;
}

/**
 * Whether a key can administer its environment at a time (an SQL expression): issue any key and assign any role. Without such a key this could be done on the
 * host only.
 */
export function rules(at: string): string {
  return `(k.role = 'admin' and k.scopes is null and k.agents is null and ${deadSince} is null and (k.expires_at is null or k.expires_at > ${at}))`;
}

/**
 * Serializes the calls that may take away the last key that can administer the environment, by ending a key or changing a role. Lock before reading what
 * decides.
 */
export async function lockRuling(ctx: WriteContext): Promise<void> {
  const { organization, environment } = ctx.scope;
  await ctx.db.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [
    `ruling\n${organization}\n${environment}`,
  ]);
}
