import type { WriteContext } from "../../../kernel/context.ts";
import type { Reader } from "../../../kernel/db.ts";
import { refuse } from "../../../kernel/errors.ts";
import type { ProviderAccount } from "../../../kernel/identity.ts";
import type { KeyFacts } from "../../../kernel/key-facts.ts";
import { type Environment, environments, type Role, type Scope } from "../../../kernel/principal.ts";
import { personFacts } from "../facts.ts";
import { noRoleHere } from "./errors.ts";

/** Whose an account is, for good. */
export interface Binding {
  readonly member_id: string;
  readonly removed: boolean;
  /** It signs them in no more, since their e-mail address was changed. */
  readonly voided: boolean;
}

/** The binding of an account; undefined where it was never bound. */
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

/** Adds a person who came by the provider; no role yet. */
export async function insertPerson(ctx: WriteContext, name: string, email: string | null): Promise<string> {
  const id = ctx.newId("mbr");
  await ctx.db.query(
    "insert into members (organization, id, kind, name, email, roles, created_at) values ($1, $2, 'person', $3, $4, '{}', $5)",
    [...[ctx.scope.organization, id, name, email, new Date(ctx.now)]],
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
