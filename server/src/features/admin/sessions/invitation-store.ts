import type { WriteContext } from "../../../kernel/context.ts";
import type { Reader } from "../../../kernel/db.ts";
import type { Environment } from "../../../kernel/principal.ts";
import { hashOfSecret } from "../../../kernel/sessions.ts";

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

/** Whom an invitation is for, while it can be taken up. */
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
