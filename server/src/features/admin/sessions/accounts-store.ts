import type { WriteContext } from "../../../kernel/context.ts";
import type { Reader } from "../../../kernel/db.ts";
import { refuse } from "../../../kernel/errors.ts";
import type { ProviderAccount } from "../../../kernel/identity.ts";
import type { KeyFacts } from "../../../kernel/key-facts.ts";
import { type Environment, environments, type Role, type Scope } from "../../../kernel/principal.ts";
import { hashOfSecret } from "../../../kernel/sessions.ts";
import { personFacts } from "../keys/facts.ts";
import { noRoleHere } from "./errors.ts";

export interface Binding {
  readonly member_id: string;
  readonly removed: boolean;
  /** It no longer signs them in, since their e-mail address was changed. */
  readonly voided: boolean;
}

export async function findBinding(
  ctx: WriteContext,
  { issuer, subject }: ProviderAccount,
): Promise<Binding | undefined> {
  const rows = await ctx.db.query<Binding>(
    `select a.member_id, m.removed_at is not null as removed, a.voided_at is not null as voided
     from provider_accounts a join members m on m.organization = a.organization and m.id = a.member_id
     where a.organization = $1 and a.issuer = $2 and a.subject = $3`,
    [ctx.scope.organization, issuer, subject],
  );
  return rows[0];
}

/** Binds an account again to the member that it was bound to, where that one has its e-mail address and no other account of the provider. False: they have not. */
export async function bindAgain(ctx: WriteContext, { issuer, subject, email }: ProviderAccount): Promise<boolean> {
  const rows = await ctx.db.query<object>(
    `update provider_accounts a set voided_at = null from members m
     where a.organization = $1 and a.issuer = $2 and a.subject = $3 and m.organization = a.organization and m.id = a.member_id
       and m.removed_at is null and lower(m.email) = lower($4) and not exists (
         select from provider_accounts o where o.organization = $1 and o.member_id = m.id and o.issuer = $2 and o.voided_at is null)
     returning 1`,
    [ctx.scope.organization, issuer, subject, email],
  );
  return rows.length === 1;
}

/** Two sign-ins by one account decide one after the other whose it is. */
export async function lockAccount(ctx: WriteContext, { issuer, subject }: ProviderAccount): Promise<void> {
  await ctx.db.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [`account ${issuer} ${subject}`]);
}

/** Binds an account to a person for the first time. False: the person has another account of this provider. */
export async function bind(
  ctx: WriteContext,
  { issuer, subject }: ProviderAccount,
  memberId: string,
): Promise<boolean> {
  const rows = await ctx.db.query<object>(
    `insert into provider_accounts (organization, issuer, subject, member_id, created_at) values ($1, $2, $3, $4, $5)
     on conflict do nothing returning 1`,
    [ctx.scope.organization, issuer, subject, memberId, new Date(ctx.now)],
  );
  return rows.length === 1;
}

export async function insertPerson(ctx: WriteContext, name: string, email: string | null): Promise<string> {
  const id = ctx.newId("mbr");
  await ctx.db.query(
    "insert into members (organization, id, kind, name, email, roles, created_at) values ($1, $2, 'person', $3, $4, '{}', $5)",
    [ctx.scope.organization, id, name, email, new Date(ctx.now)],
  );
  return id;
}

/** What a person may do who has just proved who they are. Throws a Refusal where they have no role in the environment. */
export async function roleFacts(db: Reader, scope: Scope, memberId: string): Promise<KeyFacts> {
  const [person] = await db.query<{ roles: Partial<Record<Environment, Role>> }>(
    "select roles from members where organization = $1 and id = $2 and removed_at is null",
    [scope.organization, memberId],
  );
  const role = person?.roles[scope.environment];
  if (role === undefined) {
    const others = environments.filter((environment) => person?.roles[environment] !== undefined);
    const elsewhere = others.length > 0 ? ` You have one in ${others.join(" and ")}.` : "";
    throw refuse(noRoleHere, `You have no role in ${scope.environment}.${elsewhere}`, { stage: "permissions" });
  }
  return personFacts(scope, { id: memberId, role, personal: true, issuers: [] });
}

/** How long an invitation can be taken up (milliseconds). */
export const invitationLasts = 24 * 3_600_000;

/** Stores an invitation by the hash of its token, in the place of those that the person was sent for this environment before. */
export async function replaceInvitation(
  ctx: WriteContext,
  memberId: string,
  token: string,
): Promise<{ id: string; expiresAt: Date }> {
  const place = [ctx.scope.organization, ctx.scope.environment];
  const id = ctx.newId("inv");
  const expiresAt = new Date(ctx.now + invitationLasts);
  await ctx.db.query("delete from invitations where organization = $1 and environment = $2 and member_id = $3", [
    ...place,
    memberId,
  ]);
  await ctx.db.query(
    `insert into invitations (organization, environment, id, token_hash, member_id, created_at, expires_at)
     values ($1, $2, $3, decode($4, 'hex'), $5, $6, $7)`,
    [...place, id, hashOfSecret(token), memberId, new Date(ctx.now), expiresAt],
  );
  return { id, expiresAt };
}

export async function findInvitation(
  db: Reader,
  token: string,
  now: number,
): Promise<{ organization: string; environment: Environment; member_id: string } | undefined> {
  const rows = await db.query<{ organization: string; environment: Environment; member_id: string }>(
    `select i.organization, i.environment, i.member_id from invitations i join members m on m.organization = i.organization and m.id = i.member_id
     where i.token_hash = decode($1, 'hex') and i.used_at is null and i.expires_at > $2 and m.removed_at is null`,
    [hashOfSecret(token), new Date(now)],
  );
  return rows[0];
}

/** Uses an invitation up. False: somebody was faster. */
export async function useInvitation(ctx: WriteContext, token: string): Promise<boolean> {
  const rows = await ctx.db.query<object>(
    `update invitations set used_at = $4
     where organization = $1 and environment = $2 and token_hash = decode($3, 'hex') and used_at is null and expires_at > $4 returning id`,
    [ctx.scope.organization, ctx.scope.environment, hashOfSecret(token), new Date(ctx.now)],
  );
  return rows.length === 1;
}

/** Voids everything by which a person could sign in in person, and their sessions, in every environment: they have another e-mail address. */
export async function voidCredentials(ctx: WriteContext, memberId: string): Promise<void> {
  const whose = [ctx.scope.organization, memberId];
  const from = [...whose, new Date(ctx.now)];
  for (const table of ["invitations", "sign_in_links"]) {
    await ctx.db.query(`delete from ${table} where organization = $1 and member_id = $2`, whose);
  }
  for (const table of ["passkeys", "provider_accounts"]) {
    await ctx.db.query(
      `update ${table} set voided_at = $3 where organization = $1 and member_id = $2 and voided_at is null`,
      from,
    );
  }
  await ctx.db.query(
    "update sessions set ended_at = $3 where organization = $1 and member_id = $2 and ended_at is null",
    from,
  );
}
