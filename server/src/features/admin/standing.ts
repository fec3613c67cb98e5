import { first, select, sql } from "../../db/scoped.ts";
import type { ReadContext, WriteContext } from "../../kernel/context.ts";
import type { Role } from "../../kernel/principal.ts";
import { roleGrants } from "../../kernel/role-permissions.ts";
import { findKey } from "./key-store.ts";

/** On whose behalf the service goes on with something: a member or service account, and the key that it called with; null: it had none. */
export interface Behalf {
  readonly principal: string;
  readonly keyId: string | null;
}

/**
 * Why something that somebody began earlier may not go on in their name now: they were removed, their key has ended, or their role, scopes or narrowing to agents no
 * longer allow it. Null: it may. From the database, since what was withdrawn a moment ago counts.
 */
export async function whyNotPermitted(
  ctx: ReadContext | WriteContext,
  { principal, keyId }: Behalf,
  permission: string,
  agent: string,
): Promise<string | null> {
  if (keyId !== null) return whyKeyIsNot(ctx, keyId, permission, agent);
  const { environment } = ctx.scope;
  const member = select(ctx, "members", "m")
    .select(["m.name", "m.removed_at", sql<Role | null>`m.roles ->> ${environment}::text`.as("role")])
    .where("m.id", "=", principal);
  const row = await first(ctx, member);
  if (!row) return `${principal} is no member of this organization`;
  if (row.removed_at !== null) return `${row.name} (${principal}) was removed from the organization`;
  if (row.role === null) return `${row.name} (${principal}) has no role in ${environment}`;
  return roleGrants(row.role, permission)
    ? null
    : `${row.name} (${principal}) is ${row.role} in ${environment}, which does not include ${permission}`;
}

async function whyKeyIsNot(
  ctx: ReadContext | WriteContext,
  id: string,
  permission: string,
  agent: string,
): Promise<string | null> {
  const key = await findKey(ctx, id);
  if (!key) return `the key ${id} no longer exists`;
  const { name, role, scopes, agents, dead_since: deadSince, expires_at: expiresAt } = key;
  const said = `the key ${name} (${id})`;
  if (deadSince !== null && deadSince.getTime() <= ctx.now) return `${said} was revoked, or its owner was removed`;
  if (expiresAt !== null && expiresAt.getTime() <= ctx.now) return `${said} has expired`;
  if (!roleGrants(role, permission)) return `${said} has the role ${role}, which does not include ${permission}`;
  if (scopes !== null && !scopes.includes(permission)) return `${said} is narrowed to scopes without ${permission}`;
  if (agents !== null && !agents.includes(agent)) return `${said} is limited to the agents ${agents.join(", ")}`;
  return null;
}
