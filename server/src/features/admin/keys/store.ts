import { all, insert, type NewRow, type Row, readWritten, update } from "../../../db/scoped.ts";
import type { Decider, Part } from "../../../kernel/actor.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { defineLoader } from "../../../kernel/db.ts";
import { isId } from "../../../kernel/ids.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { Role, Scope } from "../../../kernel/principal.ts";
import type { KeyState } from "../schemas.ts";
import { deadSince, isPersonal, keysWithOwners, lockRuling, rules, stateAt } from "./sql.ts";

export type KeyRow = Omit<
  Row<"keys">,
  "organization" | "secret_hash" | "issuers" | "revoked_at" | "expiry_told_at" | "personal_email"
> & {
  role: Role;
  member_kind: "person" | "service_account";
  member_name: string;
  /** Since when it counts as revoked, for whatever reason; in the future during an overlap. */
  dead_since: Date | null;
};

const keyColumns = `k.id, k.environment, k.name, k.role, k.scopes, k.agents, k.addresses, k.rate_per_second, k.secret_start, k.secret_last_four, k.member_id,
  m.kind as member_kind, m.name as member_name, k.created_by, ${isPersonal} as personal, k.created_at, k.expires_at, ${deadSince} as dead_since, k.last_used_at, k.replaced_by`;

const keyById = defineLoader<KeyRow>(
  "key by id",
  `select k.id as loader_key, ${keyColumns} from ${keysWithOwners} where k.organization = $1 and k.environment = $2 and k.id = any($3::text[])`,
);

export async function findKey(ctx: ReadContext | WriteContext, id: string): Promise<KeyRow | undefined> {
  return isId(id, "key") ? ctx.db.load(keyById, ctx.scope, id) : undefined;
}

const issuersByKey = defineLoader<{ issuers: string[] }>(
  "issuers of a key",
  "select id as loader_key, issuers from keys where organization = $1 and environment = $2 and id = any($3::text[])",
);

/** Everybody accountable for what somebody asked for with a key; for a session without a key the member alone. */
export async function keyDeciders(
  ctx: ReadContext | WriteContext,
  id: string,
  keyId: string | null,
): Promise<readonly Decider[]> {
  const key = keyId === null ? undefined : await ctx.db.load(issuersByKey, ctx.scope, keyId);
  const by = (one: string, how: Part): Decider => ({ id: one, how, of: null, at: null });
  const owner = id.startsWith("system:") ? [] : [by(id, "owner")];
  return [...owner, ...(key?.issuers ?? []).map((one) => by(one, "issuer"))];
}

export interface KeyFilter {
  readonly role?: Role[];
  readonly member?: string;
  readonly state?: KeyState[];
}

/** A page of keys, newest first. A key that is narrowed to agents sees those that are narrowed to the same or fewer. */
export async function listKeys(
  ctx: ReadContext,
  { role, member, state }: KeyFilter,
  { after, take }: PageRequest,
): Promise<KeyRow[]> {
  const { organization, environment } = ctx.scope;
  return ctx.db.query<KeyRow>(
    `select ${keyColumns} from ${keysWithOwners}
     where k.organization = $1 and k.environment = $2 and ($3::text[] is null or k.role = any($3)) and ($4::text is null or k.member_id = $4)
       and ($5::text[] is null or ${stateAt("$6::timestamptz")} = any($5)) and ($7::text is null or k.id < $7)
       and ($9::text[] is null or k.agents <@ $9)
     order by k.id desc limit $8`,
    [organization, environment, role, member, state, new Date(ctx.now), after?.id, take, ctx.principal.agents],
  );
}

export async function insertKey(
  ctx: WriteContext,
  key: Omit<NewRow<"keys">, "created_by" | "created_at">,
): Promise<KeyRow> {
  const { organization, environment } = ctx.scope;
  const view = `select ${keyColumns} from ${keysWithOwners} where k.organization = $1 and k.environment = $2 and k.id = $3`;
  const added = insert(ctx, "keys", { ...key, created_by: ctx.principal.id, created_at: new Date(ctx.now) });
  const parameters = [organization, environment, key.id];
  const rows = await readWritten<KeyRow>(ctx, "keys", added.returningAll().compile(), { sql: view, parameters });
  return rows[0] as KeyRow;
}

export type LockedKey = KeyRow & { rules: boolean };

export async function lockForRevocation(ctx: WriteContext, id: string): Promise<LockedKey[]> {
  await lockRuling(ctx);
  return ctx.db.query<LockedKey>(
    `select ${keyColumns}, ${rules("$4")} as rules from ${keysWithOwners}
     where k.organization = $1 and k.environment = $2 and (k.id = $3 or ${rules("$4")})
     order by k.id for update of k`,
    [ctx.scope.organization, ctx.scope.environment, id, new Date(ctx.now)],
  );
}

/** `replacement`: the key that takes its place; null: none, or the one stored before. */
export async function endKey(ctx: WriteContext, id: string, at: Date, replacement: string | null): Promise<void> {
  const place = replacement === null ? {} : { replaced_by: replacement };
  await all(
    ctx,
    update(ctx, "keys")
      .set({ revoked_at: at, ...place })
      .where("id", "=", id),
  );
}

/** Whether a key ends soon at a time (an SQL expression) and people were not notified yet. */
const endsSoon = (time: string): string => `k.revoked_at is null and k.expiry_told_at is null and k.expires_at > ${time}
  and k.expires_at <= ${time} + interval '7 days' and k.expires_at - least((k.expires_at - k.created_at) / 10, interval '7 days') <= ${time}
  and (${deadSince} is null or ${deadSince} > ${time})`;

export async function listExpiringKeys(db: Statements, now: Date, most: number): Promise<(Scope & { id: string })[]> {
  return db.query(
    `select k.organization, k.environment, k.id from ${keysWithOwners} where ${endsSoon("$1::timestamptz")} order by k.expires_at limit $2`,
    [now, most],
  );
}

/** Marks that people were notified of the end of a key. Returns false if it does not end soon, or they were notified before. */
export async function noteExpiry(ctx: WriteContext, id: string): Promise<boolean> {
  const rows = await ctx.db.query(
    `update keys set expiry_told_at = $4 from (select k.organization, k.environment, k.id from ${keysWithOwners} where ${endsSoon("$4::timestamptz")}) soon
     where keys.organization = $1 and keys.environment = $2 and keys.id = $3 and keys.expiry_told_at is null
       and soon.organization = $1 and soon.environment = $2 and soon.id = $3 returning 1`,
    [ctx.scope.organization, ctx.scope.environment, id, new Date(ctx.now)],
  );
  return rows.length > 0;
}
