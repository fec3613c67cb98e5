import { hasAtMost } from "@aos/text";
import type { ReadContext, WriteContext } from "../../kernel/context.ts";
import { isId } from "../../kernel/ids.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import { type Environment, type Role, roles } from "../../kernel/principal.ts";
import { rolesIncluding } from "../../kernel/role-permissions.ts";
import { deadSince, keysWithOwners } from "./key-sql.ts";
import { lockRuling, rules } from "./ruling.ts";

/** A member as one environment sees it. */
export interface PersonRow {
  id: string;
  kind: "person" | "service_account";
  name: string;
  email: string | null;
  /** In the environment; null: none. */
  role: Role | null;
  invited_by: string | null;
  created_at: Date;
  /** Invited, and they never signed in in person nor was a key of theirs used, in any environment. */
  is_invited: boolean;
  /** When an invitation to the environment was last sent. */
  invited_last: Date | null;
  /** Other environments in which the member has a role. */
  roles_elsewhere: Environment[];
  /** Keys that work in the environment. */
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

const placeOf = (ctx: ReadContext | WriteContext): unknown[] => [
  ctx.scope.organization,
  ctx.scope.environment,
  new Date(ctx.now),
];

export interface PersonFilter {
  readonly kind?: PersonRow["kind"];
  readonly role?: Role[];
}

/** A page of the organization's members, newest first: ids sort by time. */
export async function listPeople(ctx: ReadContext, filter: PersonFilter, page: PageRequest): Promise<PersonRow[]> {
  return ctx.db.query<PersonRow>(
    `select ${columns} from members m
     where m.organization = $1 and m.removed_at is null and ($4::text is null or m.kind = $4) and ($5::text[] is null or m.roles ->> $2 = any($5))
       and ($6::text is null or m.id < $6)
     order by m.id desc limit $7`,
    [...placeOf(ctx), filter.kind ?? null, filter.role ?? null, page.after?.id ?? null, page.take],
  );
}

/** A member by id or by e-mail address, whose case does not count. */
export async function findPerson(ctx: ReadContext | WriteContext, text: string): Promise<PersonRow | undefined> {
  const byAddress = isAddress(text);
  if (!byAddress && !isId(text, "mbr")) return undefined;
  const rows = await ctx.db.query<PersonRow>(
    `select ${columns} from members m
     where m.organization = $1 and m.removed_at is null and ${byAddress ? "lower(m.email) = lower($4)" : "m.id = $4"}`,
    [...placeOf(ctx), text],
  );
  return rows[0];
}

/** Whether a text has the form of an e-mail address that is worth storing: one @ between a name and a host with a dot, no spaces (RFC 5321 limits the length). */
export function isAddress(text: string): boolean {
  return (
    hasAtMost(254, text) && /^[^\s@<>"(),:;[\]\\]{1,64}@[^\s@<>"(),:;[\]\\_]+\.[^\s@<>"(),:;[\]\\_.]{2,}$/u.test(text)
  );
}

/** Adds a person with no role yet. Of two calls that invite one address at once, the second finds the person of the first. */
export async function invite(ctx: WriteContext, email: string, name: string): Promise<void> {
  await ctx.db.query(
    `insert into members (organization, id, kind, name, email, roles, created_at, invited_by, invited_at)
     values ($1, $2, 'person', $3, $4, '{}', $5, $6, $5)
     on conflict (organization, lower(email)) where email is not null and removed_at is null do nothing`,
    [ctx.scope.organization, ctx.newId("mbr"), name, email, new Date(ctx.now), ctx.principal.id],
  );
}

/** A member with a key that rules over the environment. */
export type Ruler = Pick<PersonRow, "id" | "kind">;

/**
 * Locks a member together with everybody who rules over the environment by a key, in the order of their ids, and answers these: calls that take away the
 * last two decide one after the other, also where one of them ends a key.
 */
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

/** Gives a member a role in the environment, or none, and ends the keys there that the role does not cover; answers those. */
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
  await ctx.db.query("update members set name = $3 where organization = $1 and id = $2", [
    ctx.scope.organization,
    id,
    name,
  ]);
}

/** Gives a person another e-mail address. False: somebody else has it. */
export async function changeEmail(ctx: WriteContext, id: string, email: string): Promise<boolean> {
  const rows = await ctx.db.query<object>(
    `update members set email = $3 where organization = $1 and id = $2 and not exists (
       select from members o where o.organization = $1 and lower(o.email) = lower($3) and o.id <> $2 and o.removed_at is null) returning 1`,
    [ctx.scope.organization, id, email],
  );
  return rows.length === 1;
}

/** Those of these environments in which one of these members is no admin. */
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

/** The roles of keys that a member with a role may hold. */
function coveredBy(role: Role): Role[] {
  return roles.filter((other) => rolesIncluding(other).includes(role));
}
