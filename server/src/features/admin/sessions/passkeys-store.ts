import { challengeLasts } from "../../../kernel/challenges.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import type { Reader } from "../../../kernel/db.ts";
import { hashOfSecret } from "../../../kernel/sessions.ts";
import type { StoredPasskey } from "./webauthn.ts";

export interface PasskeyRow {
  id: string;
  name: string;
  credential_id: string;
  created_at: Date;
  last_used_at: Date | null;
}

export const mostPasskeys = 20;

export function listPasskeys(ctx: ReadContext | WriteContext, memberId: string): Promise<PasskeyRow[]> {
  return ctx.db.query<PasskeyRow>(
    "select id, name, credential_id, created_at, last_used_at from passkeys where organization = $1 and member_id = $2 and voided_at is null order by id",
    [ctx.scope.organization, memberId],
  );
}

export async function findCredential(
  db: Reader,
  organization: string,
  credentialId: string,
): Promise<(StoredPasskey & { member_id: string }) | undefined> {
  const rows = await db.query<StoredPasskey & { member_id: string }>(
    `select p.member_id, p.credential_id, p.public_key, p.counter::float8 as counter, p.transports
     from passkeys p join members m on m.organization = p.organization and m.id = p.member_id
     where p.organization = $1 and p.credential_id = $2 and p.voided_at is null and m.removed_at is null`,
    [organization, credentialId],
  );
  return rows[0];
}

/** Stores a new passkey of a person; its id (`psk_…`). Undefined: it is known already, or was, whosever it is. */
export async function insertPasskey(
  ctx: WriteContext,
  memberId: string,
  name: string,
  passkey: StoredPasskey,
): Promise<string | undefined> {
  const id = ctx.newId("psk");
  const rows = await ctx.db.query<object>(
    `insert into passkeys (organization, id, member_id, credential_id, public_key, counter, transports, name, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing returning 1`,
    [
      ctx.scope.organization,
      id,
      memberId,
      passkey.credential_id,
      Buffer.from(passkey.public_key),
      passkey.counter,
      passkey.transports,
      name,
      new Date(ctx.now),
    ],
  );
  return rows.length === 1 ? id : undefined;
}

/** Notes a use of a passkey. Undefined: its counter has gone back meanwhile, or it was removed. */
export async function usePasskey(
  ctx: WriteContext,
  credentialId: string,
  counter: number,
): Promise<string | undefined> {
  const rows = await ctx.db.query<{ id: string }>(
    `update passkeys set counter = $3, last_used_at = $4
     where organization = $1 and credential_id = $2 and voided_at is null and (counter < $3 or (counter = 0 and $3 = 0)) returning id`,
    [ctx.scope.organization, credentialId, counter, new Date(ctx.now)],
  );
  return rows[0]?.id;
}

export async function voidPasskey(ctx: WriteContext, memberId: string, id: string): Promise<void> {
  const now = new Date(ctx.now);
  await ctx.db.query(
    "update passkeys set voided_at = $4 where organization = $1 and member_id = $2 and id = $3 and voided_at is null",
    [ctx.scope.organization, memberId, id, now],
  );
  await ctx.db.query(
    "update sessions set ended_at = $4 where organization = $1 and member_id = $2 and passkey_id = $3 and ended_at is null",
    [ctx.scope.organization, memberId, id, now],
  );
}

/** Uses a challenge up. False: it was used before. */
export async function useChallenge(ctx: WriteContext, challenge: string): Promise<boolean> {
  await ctx.db.query("delete from used_challenges where expires_at <= $1", [new Date(ctx.now)]);
  const rows = await ctx.db.query<object>(
    "insert into used_challenges (hash, expires_at) values (decode($1, 'hex'), $2) on conflict do nothing returning 1",
    [hashOfSecret(challenge), new Date(ctx.now + challengeLasts)],
  );
  return rows.length === 1;
}
