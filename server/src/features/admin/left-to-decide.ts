import { first, select, sql } from "../../db/scoped.ts";
import type { ReadContext, WriteContext } from "../../kernel/context.ts";
import { roles } from "../../kernel/principal.ts";
import { roleGrants } from "../../kernel/role-permissions.ts";
import { deadSince, isPersonal } from "./key-sql.ts";

type Deciding = ReadContext | WriteContext;

/**
 * SQL: whether the person `m` (a row of `members`) can have a credential that counts as personal (decision 0032): a passkey, an account of the OpenID Connect
 * provider, an e-mail address by which they find the provider or an invitation, or a personal key of the environment.
 */
export function canSignInPersonally({ scope, personalSignIn, now }: Deciding) {
  if (!personalSignIn) return sql<boolean>`false`;
  return sql<boolean>`(m.email is not null
    or exists (select from passkeys p where p.organization = m.organization and p.member_id = m.id and p.voided_at is null)
    or exists (select from provider_accounts a where a.organization = m.organization and a.member_id = m.id and a.voided_at is null)
    or exists (select from keys k where k.organization = m.organization and k.environment = ${scope.environment} and k.member_id = m.id
      and ${sql.raw(isPersonal)} and coalesce(least(${sql.raw(deadSince)}, k.expires_at) > ${new Date(now)}, true)))`;
}

/** Whether somebody besides these may approve in the environment of the call, where that takes a personal sign-in. */
export async function isAnybodyLeft(ctx: Deciding, besides: readonly string[]): Promise<boolean> {
  const deciding = roles.filter((role) => roleGrants(role, "approvals:decide"));
  const { environment } = ctx.scope;
  const found = select(ctx, "members", "m")
    .select("m.id")
    .where("m.kind", "=", "person")
    .where("m.removed_at", "is", null)
    .where(sql<string>`m.roles ->> ${environment}::text`, "in", deciding)
    .where(canSignInPersonally(ctx));
  const others = besides.length === 0 ? found : found.where("m.id", "not in", [...besides]);
  return (await first(ctx, others.limit(1))) !== undefined;
}
