import type { ReadContext, WriteContext } from "../../kernel/context.ts";
import { defineLoader } from "../../kernel/db.ts";
import { isId } from "../../kernel/ids.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import type { Environment, Role } from "../../kernel/principal.ts";
import { deadSince, isPersonal, keysWithOwners, stateAt } from "./key-sql.ts";
import { lockRuling, rules } from "./ruling.ts";
import type { KeyState } from "./schemas.ts";

/** A key as it is stored, without what opens it, and with its owner. */
export interface KeyRow {
  id: string;
  environment: Environment;
  name: string;
  role: Role;
  scopes: string[] | null;
  agents: string[] | null;
  addresses: string[] | null;
  rate_per_second: number | null;
  secret_start: string;
  secret_last_four: string;
  member_id: string;
  member_kind: "person" | "service_account";
  member_name: string;
  created_by: string;
  /** See `Principal`. */
  personal: boolean;
  created_at: Date;
  expires_at: Date | null;
  /** Since when it counts as revoked, for whatever reason; in the future while an overlap runs. */
  dead_since: Date | null;
  last_used_at: Date | null;
}

const keyColumns = `k.id, k.environment, k.name, k.role, k.scopes, k.agents, k.addresses, k.rate_per_second, k.secret_start, k.secret_last_four, k.member_id,
  m.kind as member_kind, m.name as member_name, k.created_by, ${isPersonal} as personal, k.created_at, k.expires_at, ${deadSince} as dead_since, k.last_used_at`;

const keyById = defineLoader<KeyRow>(
  "key by id",
  `select k.id as loader_key, ${keyColumns} from ${keysWithOwners} where k.organization = $1 and k.environment = $2 and k.id = any($3::text[])`,
);

/** One key of the call's environment. */
export async function findKey(ctx: ReadContext | WriteContext, id: string): Promise<KeyRow | undefined> {
  return isId(id, "key") ? ctx.db.load(keyById, ctx.scope, id) : undefined;
}

export interface KeyFilter {
  readonly role?: Role[];
  readonly member?: string;
  readonly state?: KeyState[];
}

/** A page of keys, newest first: ids sort by time. A key that is narrowed to agents sees those that are narrowed to the same or fewer. */
export async function listKeys(ctx: ReadContext, filter: KeyFilter, page: PageRequest): Promise<KeyRow[]> {
  return ctx.db.query<KeyRow>(
    `select ${keyColumns} from ${keysWithOwners}
     where k.organization = $1 and k.environment = $2 and ($3::text[] is null or k.role = any($3)) and ($4::text is null or k.member_id = $4)
       and ($5::text[] is null or ${stateAt("$6::timestamptz")} = any($5)) and ($7::text is null or k.id < $7)
       and ($9::text[] is null or k.agents <@ $9)
     order by k.id desc limit $8`,
    [
      ctx.scope.organization,
      ctx.scope.environment,
      filter.role ?? null,
      filter.member ?? null,
      filter.state ?? null,
      new Date(ctx.now),
      page.after?.id ?? null,
      page.take,
      ctx.principal.agents,
    ],
  );
}

export interface NewKey {
  readonly id: string;
  readonly hash: Buffer;
  readonly start: string;
  readonly lastFour: string;
  readonly name: string;
  readonly memberId: string;
  readonly role: Role;
  readonly scopes: readonly string[] | null;
  readonly agents: readonly string[] | null;
  readonly addresses: readonly string[] | null;
  readonly ratePerSecond: number | null;
  readonly expiresAt: Date | null;
  readonly personal: boolean;
  /** Members and `host` who are accountable for it besides its owner. */
  readonly issuers: readonly string[];
}

/** Stores a key, created by the caller. */
export async function insertKey(ctx: WriteContext, key: NewKey): Promise<void> {
  await ctx.db.query(
    `insert into keys (organization, environment, id, secret_hash, secret_start, secret_last_four, name, member_id, role, scopes, agents, addresses,
       rate_per_second, created_by, created_at, expires_at, issuers, personal, personal_email)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
       case when $18 then (select lower(email) from members where organization = $1 and id = $8) end)`,
    [
      ctx.scope.organization,
      ctx.scope.environment,
      key.id,
      key.hash,
      key.start,
      key.lastFour,
      key.name,
      key.memberId,
      key.role,
      key.scopes,
      key.agents,
      key.addresses,
      key.ratePerSecond,
      ctx.principal.id,
      new Date(ctx.now),
      key.expiresAt,
      key.issuers,
      key.personal,
    ],
  );
}

/** A key, and whether it rules over the environment. */
export type LockedKey = KeyRow & { rules: boolean };

/**
 * Locks a key, together with all that rule over the environment, and says what the database holds of them now: calls that take away the last two
 * who rule decide one after the other, also where one of them takes a role. Locks are taken in the order of the ids, as everywhere.
 */
export async function lockForRevocation(ctx: WriteContext, id: string): Promise<LockedKey[]> {
  await lockRuling(ctx);
  return ctx.db.query<LockedKey>(
    `select ${keyColumns}, ${rules("$4")} as rules from ${keysWithOwners}
     where k.organization = $1 and k.environment = $2 and (k.id = $3 or ${rules("$4")})
     order by k.id for update of k`,
    [ctx.scope.organization, ctx.scope.environment, id, new Date(ctx.now)],
  );
}

/** Ends a key at a time. */
export async function endKey(ctx: WriteContext, id: string, at: Date): Promise<void> {
  await ctx.db.query("update keys set revoked_at = $4 where organization = $1 and environment = $2 and id = $3", [
    ctx.scope.organization,
    ctx.scope.environment,
    id,
    at,
  ]);
}
