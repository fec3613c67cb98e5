import type { ReadContext } from "../../../kernel/context.ts";
import { madeAt } from "../../../kernel/moment.ts";

export interface WaitingApprovals {
  readonly approvals: number;
  /** Since when the oldest waits; null: none does. */
  readonly oldest_approval_at: string | null;
}

/** Approvals that wait for people, counted up to `most` by their index. `agents`: only theirs; null: all. */
export async function countWaiting(
  ctx: ReadContext,
  agents: readonly string[] | null,
  most: number,
): Promise<WaitingApprovals> {
  const [row] = await ctx.db.query<{ n: number; oldest: string | null }>(
    `select count(*)::int as n, min(id) as oldest from (
       select id from approvals where organization = $1 and environment = $2 and status = 'pending' and ($3::text[] is null or agent = any($3))
       order by id limit $4) waiting`,
    [ctx.scope.organization, ctx.scope.environment, agents, most],
  );
  return { approvals: row?.n ?? 0, oldest_approval_at: row?.oldest ? madeAt(row.oldest) : null };
}
