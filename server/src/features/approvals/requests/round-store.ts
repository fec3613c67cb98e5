import type { WriteContext } from "../../../kernel/context.ts";
import { type NewApprovalRow, newApprovals } from "./request.ts";

/** Lets an approval whose round is over keep the input that it was asked for, before the task gets another one. */
export async function keepInput(ctx: WriteContext, id: string, input: string): Promise<void> {
  await ctx.db.query(
    "update approvals set arguments = coalesce(arguments, $4) where organization = $1 and environment = $2 and id = $3 and status <> 'pending'",
    [ctx.scope.organization, ctx.scope.environment, id, input],
  );
}

/** Stores the approval of a new round. */
export async function insertRound(
  ctx: WriteContext,
  row: NewApprovalRow,
  more: { escalatedAt: Date | null; escalatedBy: string | null },
): Promise<void> {
  const names = newApprovals.columns.map(([name]) => name);
  const values: Record<string, unknown> = { ...ctx.scope, ...row };
  await ctx.db.query(
    `insert into approvals (${names.join(", ")}, escalated_at, escalated_by)
     values (${names.map((_name, index) => `$${index + 1}`).join(", ")}, $${names.length + 1}, $${names.length + 2})`,
    [...names.map((name) => values[name]), more.escalatedAt, more.escalatedBy],
  );
}
