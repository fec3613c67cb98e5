import type { WriteContext } from "../../kernel/context.ts";
import { actorOf, type Role } from "../../kernel/principal.ts";

/** Somebody to whom a decision could be handed. */
export interface Candidate {
  id: string;
  name: string;
  kind: "person" | "service_account";
  /** In the environment of the call. */
  role: Role | null;
}

/** A member of the organization who was not removed, kept from being removed until the transaction ends. */
export async function lockCandidate(ctx: WriteContext, id: string): Promise<Candidate | undefined> {
  const rows = await ctx.db.query<Candidate>(
    `select id, name, kind, roles ->> $3::text as role from members where organization = $1 and id = $2 and removed_at is null for share`,
    [ctx.scope.organization, id, ctx.scope.environment],
  );
  return rows[0];
}

/** How many persons are admins here, beside these. */
export async function countOtherAdmins(ctx: WriteContext, besides: readonly string[]): Promise<number> {
  const [found] = await ctx.db.query<{ admins: number }>(
    `select count(*)::int as admins from members
     where organization = $1 and kind = 'person' and removed_at is null and roles ->> $2::text = 'admin' and id <> all($3::text[])`,
    [ctx.scope.organization, ctx.scope.environment, besides],
  );
  return found?.admins ?? 0;
}

/** Stores that the caller hands the decision on. */
export async function insertDelegation(
  ctx: WriteContext,
  handed: { approvalId: string; to: string; reason: string },
): Promise<void> {
  await ctx.db.query(
    `with noted as (
       update approvals set revision = revision + 1 where organization = $1 and environment = $2 and id = $3)
     insert into approval_delegations (organization, environment, approval_id, from_member, to_member, reason, accountable) values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      ctx.scope.organization,
      ctx.scope.environment,
      handed.approvalId,
      ctx.principal.id,
      handed.to,
      handed.reason,
      actorOf(ctx.principal).accountable,
    ],
  );
}

/** From now on only admins decide; an end that would only have escalated it is over. False where it was escalated before, or is decided. */
export async function setEscalated(ctx: WriteContext, id: string): Promise<boolean> {
  const rows = await ctx.db.query(
    `update approvals set escalated_at = now(), escalated_by = $4, revision = revision + 1,
       expires_at = case when on_expiry = 'escalate' then null else expires_at end, on_expiry = case when on_expiry = 'escalate' then null else on_expiry end
     where organization = $1 and environment = $2 and id = $3 and status = 'pending' and escalated_at is null returning 1`,
    [ctx.scope.organization, ctx.scope.environment, id, ctx.principal.id],
  );
  return rows.length > 0;
}
