import { hasAtMost } from "@aos/text";
import { all, first, insert, select, sql, update } from "../../../db/scoped.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { isId } from "../../../kernel/ids.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import { type Environment, type Role, roles } from "../../../kernel/principal.ts";
import { roleGrants, rolesIncluding } from "../../../kernel/role-permissions.ts";
import { deadSince, isPersonal, keysWithOwners, lockRuling, rules } from "../keys/sql.ts";

export interface PersonRow {
  id: string;
  kind: "person" | "service_account";
  name: string;
  email: string | null;
  role: Role | null;
  invited_by: string | null;
  created_at: Date;
  is_invited: boolean;
  invited_last: Date | null;
  roles_elsewhere: Environment[];
  keys: number;
}

const columns = `m.id, m.kind, m.name, m.email, m.roles ->> $2 as role, m.invited_by, m.created_at,
  m.invited_at is not null and not exists (
    select from keys k where k.organization = m.organization and k.member_id = m.id and k.last_used_at is not null) and not exists (
    select from provider_accounts a where a.organization = m.organization and a.member_id = m.id and a.voided_at is null) and not exists (
    select from passkeys p where p.organization = m.organization and p.member_id = m.id and p.voided_at is null) as is_invited,
  (select max(i.created_at) from invitations i where i.organization = m.organization and i.environment = $2 and i.member_id = m.id) as invited_last,
  array(select jsonb_object_keys(m.roles - $2::text) order by 1) as roles_elsewhere,
  (select count(*)::int from keys k where k.organization = m.organization and k.environment = $2 and k.member_id = m.id
     and (k.expires_at is null or k.expires_at > $3) and (${deadSince} is null or ${deadSince} > $3)) as keys`;

type Context = ReadContext | WriteContext;
const placeOf = ({ scope, now }: Context): unknown[] => [scope.organization, scope.environment, new Date(now)];

export interface PersonFilter {
  readonly kind?: PersonRow["kind"];
  readonly role?: Role[];
}

export async function listPeople(ctx: ReadContext, filter: PersonFilter, page: PageRequest): Promise<PersonRow[]> {
  return ctx.db.query<PersonRow>(
    `select ${columns} from members m
     where m.organization = $1 and m.removed_at is null and ($4::text is null or m.kind = $4) and ($5::text[] is null or m.roles ->> $2 = any($5))
       and ($6::text is null or m.id < $6)
     order by m.id desc limit $7`,
    [...placeOf(ctx), filter.kind, filter.role, page.after?.id, page.take],
  );
}

export async function findPerson(ctx: Context, text: string): Promise<PersonRow | undefined> {
  const byAddress = isAddress(text);
  if (!byAddress && !isId(text, "mbr")) return undefined;
  const rows = await ctx.db.query<PersonRow>(
    `select ${columns} from members m
     where m.organization = $1 and m.removed_at is null and ${byAddress ? "lower(m.email) = lower($4)" : "m.id = $4"}`,
    [...placeOf(ctx), text],
  );
  return rows[0];
}

/** Adds a person without a role and returns their id; undefined where another call invited the address at this moment. */
export async function invite(ctx: WriteContext, email: string, name: string): Promise<string | undefined> {
  const now = new Date(ctx.now);
  const invited = { invited_by: ctx.principal.id, invited_at: now };
  const row = { ...invited, id: ctx.newId("mbr"), kind: "person", name, email, roles: "{}", created_at: now } as const;
  const added = insert(ctx, "members", row).onConflict((on) => on.doNothing());
  return (await first(ctx, added.returning("id")))?.id;
}

export type Ruler = Pick<PersonRow, "id" | "kind">;

/** Locks a member together with all owners of keys that can administer the environment, in the order of their ids. Returns these owners. */
export async function lockWithRulers(ctx: WriteContext, id: string): Promise<Ruler[]> {
  await lockRuling(ctx);
  const rows = await ctx.db.query<Ruler & { rules: boolean }>(
    `with rulers as (select m.id from ${keysWithOwners} where k.organization = $1 and k.environment = $2 and ${rules("$3")})
     select m.id, m.kind, m.id in (select r.id from rulers r) as rules from members m
     where m.organization = $1 and (m.id = $4 or m.id in (select r.id from rulers r)) order by m.id for update of m`,
    [...placeOf(ctx), id],
  );
  return rows.filter((row) => row.rules);
}

export interface EndedKey {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
}

/** Sets or removes a member's role in the environment, and revokes the keys there that the role does not cover. Returns these. */
export async function changeRole(ctx: WriteContext, id: string, role: Role | null): Promise<EndedKey[]> {
  const { organization, environment } = ctx.scope;
  await ctx.db.query(
    `update members set roles = case when $4::text is null then roles - $3::text else roles || jsonb_build_object($3::text, $4::text) end
     where organization = $1 and id = $2`,
    [organization, id, environment, role],
  );
  return ctx.db.query<EndedKey>(
    `update keys k set revoked_at = $4 where k.organization = $1 and k.environment = $2 and k.member_id = $3
       and (k.revoked_at is null or k.revoked_at > $4) and ($5::text is null or k.role <> all($6::text[]))
     returning k.id, k.name, k.role`,
    [organization, environment, id, new Date(ctx.now), role, role === null ? [] : coveredBy(role)],
  );
}

export async function rename(ctx: WriteContext, id: string, name: string): Promise<void> {
  await all(ctx, update(ctx, "members").set({ name }).where("id", "=", id));
}

/** Changes a person's e-mail address. Returns false if another member has it. */
export async function changeEmail(ctx: WriteContext, id: string, email: string): Promise<boolean> {
  const others = select(ctx, "members", "o").select("o.id").where("o.id", "<>", id).where("o.removed_at", "is", null);
  const taken = await first(
    ctx,
    others.where((of) => of(of.fn<string>("lower", ["o.email"]), "=", sql<string>`lower(${email})`)),
  );
  if (taken) return false;
  await all(ctx, update(ctx, "members").set({ email }).where("id", "=", id));
  return true;
}

export async function lackingAdmin(
  { db, scope }: Pick<WriteContext, "db" | "scope">,
  members: readonly string[],
  places: readonly Environment[],
): Promise<Environment[]> {
  const rows = await db.query<{ place: Environment }>(
    `select p.place from unnest($3::text[]) as p(place) where exists (
       select from unnest($2::text[]) as a(id) where not exists (
         select from members m where m.organization = $1 and m.id = a.id and m.removed_at is null and m.roles ->> p.place = 'admin'))`,
    [scope.organization, members, places],
  );
  return rows.map(({ place }) => place);
}

function coveredBy(role: Role): Role[] {
  return roles.filter((other) => rolesIncluding(other).includes(role));
}

export interface MemberRow {
  id: string;
  kind: "person" | "service_account";
  name: string;
  roles: Partial<Record<Environment, Role>>;
  login: string | null;
}

const owners = (ctx: WriteContext) =>
  select(ctx, "members", "m")
    .select(["m.id", "m.kind", "m.name", "m.roles"])
    .select(sql<string | null>`lower(m.email)`.as("login"))
    .where("m.removed_at", "is", null);

export async function lockMember(ctx: WriteContext, id: string): Promise<MemberRow | undefined> {
  return (await first(ctx, owners(ctx).where("m.id", "=", id).forShare())) as MemberRow | undefined;
}

/**
 * The service account of a name with a role in the call's environment; makes it if there is none. One without a role here gets the given one; keys that ended
 * with an earlier role stay ended.
 */
export async function ensureServiceAccount(ctx: WriteContext, name: string, role: Role): Promise<MemberRow> {
  const { environment } = ctx.scope;
  const now = new Date(ctx.now);
  const row = { id: ctx.newId("mbr"), kind: "service_account", name, created_at: now } as const;
  const added = insert(ctx, "members", { ...row, roles: JSON.stringify({ [environment]: role }) });
  if (await first(ctx, added.onConflict((on) => on.doNothing()).returning("id")))
    return { id: row.id, kind: row.kind, name, roles: { [environment]: role }, login: null };
  const named = owners(ctx).where("m.name", "=", name).where("m.kind", "=", "service_account");
  const account = (await first(ctx, named.forUpdate())) as MemberRow | undefined;
  if (!account) throw new Error(`the service account ${name} was just removed`);
  if (account.roles[environment] !== undefined) return account;
  const keys = update(ctx, "keys").set({ revoked_at: now }).where("member_id", "=", account.id);
  await all(ctx, keys.where("revoked_at", "is", null));
  const roles = sql<string>`roles || jsonb_build_object(${environment}::text, ${role}::text)`;
  await all(ctx, update(ctx, "members").set({ roles }).where("id", "=", account.id));
  return { ...account, roles: { ...account.roles, [environment]: role } };
}

/** Whether a text looks like an e-mail address: one @ between a name and a host with a dot, no spaces (RFC 5321 limits the length). */
export function isAddress(text: string): boolean {
  return (
    hasAtMost(254, text) && /^[^\s@<>"(),:;[\]\\]{1,64}@[^\s@<>"(),:;[\]\\_]+\.[^\s@<>"(),:;[\]\\_.]{2,}$/u.test(text)
  );
}

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
