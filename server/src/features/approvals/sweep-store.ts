import type { WriteContext } from "../../kernel/context.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Environment } from "../../kernel/principal.ts";

/** An approval with its scope. */
export interface ApprovalAddress {
  organization: string;
  environment: Environment;
  id: string;
}

/** Pending approvals whose time is over, the longest over first, over all scopes. */
export async function listOverdueApprovals(db: Statements, now: Date, most: number): Promise<ApprovalAddress[]> {
  return db.query<ApprovalAddress>(
    `select organization, environment, id from approvals
     where status = 'pending' and expires_at is not null and expires_at <= $1 order by expires_at limit $2`,
    [now, most],
  );
}

/** When people are reminded: an hour before the end, or a tenth of the whole time, whichever is less. */
const remindedAt = "expires_at - least((expires_at - created_at) / 10, interval '1 hour')";

/** Pending approvals that end soon and of which nobody was reminded, the next to end first, over all scopes. */
export async function listExpiringApprovals(db: Statements, now: Date, most: number): Promise<ApprovalAddress[]> {
  return db.query<ApprovalAddress>(
    `select organization, environment, id from approvals
     where status = 'pending' and expires_at is not null and expires_at > $1 and expires_at <= $1::timestamptz + interval '1 hour'
       and reminded_at is null and ${remindedAt} <= $1 order by expires_at limit $2`,
    [now, most],
  );
}

/** Notes that people are reminded of a pending approval; false where they were before, or it is decided. */
export async function noteReminder(ctx: WriteContext, id: string): Promise<boolean> {
  const rows = await ctx.db.query(
    `update approvals set reminded_at = now(), revision = revision + 1
     where organization = $1 and environment = $2 and id = $3 and status = 'pending' and expires_at > $4 and reminded_at is null returning 1`,
    [ctx.scope.organization, ctx.scope.environment, id, new Date(ctx.now)],
  );
  return rows.length > 0;
}
