import { readWritten } from "../../../db/scoped.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import type { Reader } from "../../../kernel/db.ts";
import { isId } from "../../../kernel/ids.ts";
import type { KeyFacts } from "../../../kernel/key-facts.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import { type Environment, host, type Role } from "../../../kernel/principal.ts";
import { roleGrants } from "../../../kernel/role-permissions.ts";
import { linkLasts, sessionTimes } from "../../../kernel/sessions.ts";
import { personFacts } from "../keys/facts.ts";
import { deadSince, keysWithOwners } from "../keys/sql.ts";
import type { sessionMethods } from "./schemas.ts";

const mostSessions = 20;

export interface SessionRow {
  id: string;
  csrf: string;
  method: (typeof sessionMethods)[number];
  member_id: string;
  member_name: string;
  expires_at: Date;
}

/** Takes organization ($1), environment ($2) and id ($3). */
const sessionHere = `
  select s.id, s.csrf, s.method, s.member_id, m.name as member_name, s.expires_at
  from sessions s join members m on m.organization = s.organization and m.id = s.member_id
  where s.organization = $1 and s.environment = $2 and s.id = $3 and s.ended_at is null`;

/** The session of an id in the call's environment, with its member's name, while it has not been ended. */
export async function findSession(ctx: ReadContext | WriteContext, id: string): Promise<SessionRow | undefined> {
  return (await ctx.db.query<SessionRow>(sessionHere, [ctx.scope.organization, ctx.scope.environment, id]))[0];
}

export interface NewSession {
  readonly id: string;
  /** SHA-256 of its secret, in hexadecimal. */
  readonly hash: string;
  readonly csrf: string;
  readonly keyId: string | null;
  readonly method: SessionRow["method"];
  /** The passkey (`psk_…`) that opens it; null: another way. */
  readonly passkeyId: string | null;
  readonly userAgent: string | null;
  readonly expiresAt: Date;
}

/** Stores a session of the caller. The caller's own that are over are deleted, and of those that go on the oldest end where there are too many. */
export async function insertSession(ctx: WriteContext, session: NewSession): Promise<SessionRow | undefined> {
  const place = [ctx.scope.organization, ctx.scope.environment, ctx.principal.id];
  const now = new Date(ctx.now);
  await ctx.db.query(
    "delete from sessions where organization = $1 and environment = $2 and member_id = $3 and (ended_at is not null or expires_at <= $4)",
    [...place, now],
  );
  await ctx.db.query(
    `update sessions set ended_at = $4 where organization = $1 and environment = $2 and member_id = $3 and id in (
       select id from sessions where organization = $1 and environment = $2 and member_id = $3 order by created_at desc, id desc offset $5)`,
    [...place, now, mostSessions - 1],
  );
  const added = {
    sql: `insert into sessions (organization, environment, id, secret_hash, csrf, member_id, key_id, method, passkey_id, address, user_agent, created_at, expires_at)
     values ($1, $2, $4, decode($5, 'hex'), $6, $3, $7, $8, $9, $10, $11, $12, $13) returning *`,
    parameters: [
      ...place,
      session.id,
      session.hash,
      session.csrf,
      session.keyId,
      session.method,
      session.passkeyId,
      ctx.address,
      session.userAgent,
      now,
      session.expiresAt,
    ],
  };
  const { organization, environment } = ctx.scope;
  const view = { sql: sessionHere, parameters: [organization, environment, session.id] };
  return (await readWritten<SessionRow>(ctx, "sessions", added, view))[0];
}

export async function endSession(ctx: WriteContext, id: string): Promise<void> {
  await ctx.db.query(
    "update sessions set ended_at = $4 where organization = $1 and environment = $2 and id = $3 and ended_at is null",
    [ctx.scope.organization, ctx.scope.environment, id, new Date(ctx.now)],
  );
}

/** Ends the session that a browser had before, whosever it was, by the SHA-256 of its secret in hexadecimal: who holds that may end it. */
export async function endReplaced(ctx: WriteContext, hash: string): Promise<void> {
  await ctx.db.query(
    "update sessions set ended_at = $3 where organization = $1 and secret_hash = decode($2, 'hex') and ended_at is null",
    [ctx.scope.organization, hash, new Date(ctx.now)],
  );
}

export interface Guest {
  id: string;
  name: string;
  role: Role;
}

/** The person of an id or an e-mail address with a role in the call's environment; without an id the one who has been an admin there for longest. */
export async function findGuest(ctx: ReadContext | WriteContext, id: string | null): Promise<Guest | undefined> {
  const rows = await ctx.db.query<Guest>(
    `select id, name, roles ->> $2 as role from members
     where organization = $1 and kind = 'person' and removed_at is null and ${id === null ? "roles ->> $2 = 'admin' and $3::text is null" : "roles ? $2 and (id = $3 or lower(email) = lower($3))"}
     order by id limit 1`,
    [ctx.scope.organization, ctx.scope.environment, id],
  );
  return rows[0];
}

/** Stores a link for a person; those of theirs that are over are deleted. */
export async function insertLink(
  ctx: WriteContext,
  link: { id: string; hash: string; memberId: string },
): Promise<Date> {
  const expiresAt = new Date(ctx.now + linkLasts);
  const place = [ctx.scope.organization, ctx.scope.environment];
  await ctx.db.query(
    "delete from sign_in_links where organization = $1 and environment = $2 and member_id = $3 and (used_at is not null or expires_at <= $4)",
    [...place, link.memberId, new Date(ctx.now)],
  );
  await ctx.db.query(
    `insert into sign_in_links (organization, environment, id, token_hash, member_id, created_by, created_at, expires_at)
     values ($1, $2, $3, decode($4, 'hex'), $5, $6, $7, $8)`,
    [...place, link.id, link.hash, link.memberId, ctx.principal.id, new Date(ctx.now), expiresAt],
  );
  return expiresAt;
}

/** Uses a link up. False: somebody was faster, or its time is over. */
export async function useLink(ctx: WriteContext, hash: string): Promise<boolean> {
  const rows = await ctx.db.query<object>(
    `update sign_in_links set used_at = $4
     where organization = $1 and environment = $2 and token_hash = decode($3, 'hex') and used_at is null and expires_at > $4 returning id`,
    [ctx.scope.organization, ctx.scope.environment, hash, new Date(ctx.now)],
  );
  return rows.length === 1;
}

interface LinkRow {
  organization: string;
  environment: Environment;
  member_id: string;
  role: Role | null;
  over_at: Date;
}

/**
 * Whom a link signs in, by the SHA-256 of its token in hexadecimal, straight from the database: links are used once. Undefined: there is no such link, or its
 * person no longer has a role. A used or ended one counts as expired.
 */
export async function lookUpLink(db: Reader, hash: string): Promise<KeyFacts | undefined> {
  const rows = await db.query<LinkRow>(
    `select l.organization, l.environment, l.member_id, m.roles ->> l.environment as role, least(l.expires_at, l.used_at) as over_at
     from sign_in_links l join members m on m.organization = l.organization and m.id = l.member_id
     where l.token_hash = decode($1, 'hex') and m.removed_at is null`,
    [hash],
  );
  const link = rows[0];
  if (!link || link.role === null) return undefined;
  const { organization, environment, member_id: id, role } = link;
  const person = { id, role, personal: false, issuers: [host] };
  return personFacts({ organization, environment }, person, { expiresAt: link.over_at.getTime() });
}

/** Prolongs sessions that were used at a time (milliseconds since the epoch), and has every process read them again. One statement, outside of calls. */
export const prolongSessions = `
  with prolonged as (
    update sessions s set last_used_at = u.at, expires_at = least(u.at + interval '${sessionTimes.idle} milliseconds', s.created_at + interval '${sessionTimes.most} milliseconds')
    from (select * from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]) as u(organization, environment, id, at) order by 1, 2, 3) u
    where s.organization = u.organization and s.environment = u.environment and s.id = u.id and s.ended_at is null
      and s.expires_at < least(u.at + interval '${sessionTimes.idle} milliseconds', s.created_at + interval '${sessionTimes.most} milliseconds')
    returning 1)
  insert into fact_epochs (topic, epoch) select 'sessions', 1 where exists (select from prolonged)
  on conflict (topic) do update set epoch = fact_epochs.epoch + 1`;

export interface ListedRow {
  id: string;
  member_id: string;
  member_name: string;
  method: SessionRow["method"];
  address: string | null;
  user_agent: string | null;
  created_at: Date;
  last_used_at: Date | null;
  expires_at: Date;
}

type Context = ReadContext | WriteContext;

/** Whose sessions the caller may see or end: everybody's, where it administers the environment and is not narrowed to agents; else its own. */
function boundOf({ principal }: Context, permission: "admin:read" | "admin:write"): string | null {
  const { role, scopes, agents, id } = principal;
  const all =
    role !== null && roleGrants(role, permission) && agents === null && (scopes?.includes(permission) ?? true);
  return all ? null : id;
}

const working = `select s.id, s.member_id, m.name as member_name, s.method, s.address, s.user_agent, s.created_at, s.last_used_at, s.expires_at
  from sessions s join members m on m.organization = s.organization and m.id = s.member_id
  where s.organization = $1 and s.environment = $2 and s.ended_at is null and s.expires_at > $3 and m.removed_at is null and ($4::text is null or s.member_id = $4)
    and case when s.key_id is null then m.roles ? $2 else exists (
      select from ${keysWithOwners} where k.organization = s.organization and k.environment = s.environment and k.id = s.key_id
        and (k.expires_at is null or k.expires_at > $3) and (${deadSince} is null or ${deadSince} > $3)) end`;

const placeOf = ({ scope, now }: Context): unknown[] => [scope.organization, scope.environment, new Date(now)];

export function listSessions(ctx: ReadContext, member: string | undefined, page: PageRequest): Promise<ListedRow[]> {
  return ctx.db.query<ListedRow>(
    `${working} and ($5::text is null or s.member_id = $5) and ($6::text is null or s.id < $6) order by s.id desc limit $7`,
    [...placeOf(ctx), boundOf(ctx, "admin:read"), member ?? null, page.after?.id ?? null, page.take],
  );
}

export async function findEndable(ctx: Context, id: string): Promise<ListedRow | undefined> {
  if (!isId(id, "ses")) return undefined;
  const rows = await ctx.db.query<ListedRow>(`${working} and s.id = $5`, [
    ...placeOf(ctx),
    boundOf(ctx, "admin:write"),
    id,
  ]);
  return rows[0];
}
