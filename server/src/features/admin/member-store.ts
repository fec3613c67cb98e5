import type { WriteContext } from "../../kernel/context.ts";
import type { Environment, Role } from "../../kernel/principal.ts";

/** Somebody a key can act for. */
export interface MemberRow {
  id: string;
  kind: "person" | "service_account";
  name: string;
  roles: Partial<Record<Environment, Role>>;
}

/** A member of the organization who was not removed, kept from being removed until the transaction ends. */
export async function lockMember(ctx: WriteContext, id: string): Promise<MemberRow | undefined> {
  const rows = await ctx.db.query<MemberRow>(
    "select id, kind, name, roles from members where organization = $1 and id = $2 and removed_at is null for share",
    [ctx.scope.organization, id],
  );
  return rows[0];
}

/**
 * The service account of a name, made where there is none, with a role in the call's environment. One that had none here gets the given role;
 * keys of its own that ended with an earlier role stay ended.
 */
export async function ensureServiceAccount(ctx: WriteContext, name: string, role: Role): Promise<MemberRow> {
  const { organization, environment } = ctx.scope;
  await ctx.db.query(
    `insert into members (organization, id, kind, name, roles, created_at) values ($1, $2, 'service_account', $3, '{}', $4)
     on conflict (organization, name) where kind = 'service_account' and removed_at is null do nothing`,
    [organization, ctx.newId("mbr"), name, new Date(ctx.now)],
  );
  const [account] = await ctx.db.query<MemberRow>(
    "select id, kind, name, roles from members where organization = $1 and name = $2 and kind = 'service_account' and removed_at is null for update",
    [organization, name],
  );
  if (!account) throw new Error(`the service account ${name} was removed in this moment`);
  if (account.roles[environment] !== undefined) return account;
  await ctx.db.query(
    "update keys set revoked_at = $4 where organization = $1 and environment = $2 and member_id = $3 and revoked_at is null",
    [organization, environment, account.id, new Date(ctx.now)],
  );
  await ctx.db.query(
    "update members set roles = roles || jsonb_build_object($3::text, $4::text) where organization = $1 and id = $2",
    [organization, account.id, environment, role],
  );
  return { ...account, roles: { ...account.roles, [environment]: role } };
}
