import type { WriteContext } from "../../kernel/context.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Environment } from "../../kernel/principal.ts";
import { deadSince, keysWithOwners } from "./key-sql.ts";

/** A key with its scope. */
export interface KeyAddress {
  organization: string;
  environment: Environment;
  id: string;
}

/** Whether a key `k` ends soon at a time, given as an SQL expression, and nobody was told. */
const endsSoon = (time: string): string => `k.revoked_at is null and k.expiry_told_at is null and k.expires_at > ${time}
  and k.expires_at <= ${time} + interval '7 days' and k.expires_at - least((k.expires_at - k.created_at) / 10, interval '7 days') <= ${time}
  and (${deadSince} is null or ${deadSince} > ${time})`;

/** Keys that end soon and of which nobody was told, the next to end first, over all scopes. */
export async function listExpiringKeys(db: Statements, now: Date, most: number): Promise<KeyAddress[]> {
  return db.query<KeyAddress>(
    `select k.organization, k.environment, k.id from ${keysWithOwners} where ${endsSoon("$1::timestamptz")} order by k.expires_at limit $2`,
    [now, most],
  );
}

/** Notes that people are told of a key that ends soon; false where they were before, or where it does not any more. */
export async function noteExpiry(ctx: WriteContext, id: string): Promise<boolean> {
  const rows = await ctx.db.query(
    `update keys set expiry_told_at = $4 from (select k.organization, k.environment, k.id from ${keysWithOwners} where ${endsSoon("$4::timestamptz")}) soon
     where keys.organization = $1 and keys.environment = $2 and keys.id = $3 and keys.expiry_told_at is null
       and soon.organization = $1 and soon.environment = $2 and soon.id = $3 returning 1`,
    [ctx.scope.organization, ctx.scope.environment, id, new Date(ctx.now)],
  );
  return rows.length > 0;
}
