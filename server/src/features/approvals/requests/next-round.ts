import type { WriteContext } from "../../../kernel/context.ts";
import type { Actor } from "../../../kernel/principal.ts";

/**
 * What the approval that follows another one is asked for with: members of an {@link ApprovalRequest}. Who edited the action did so for all rounds of it.
 * Of null, or where there is none of that id: nothing came before. Nor did it where that one was of a call and is used up: what is asked for then is another
 * call, as is one after an approval of a call that no newer round took the place of.
 */
export async function nextRound(
  ctx: WriteContext,
  approvalId: string | null,
): Promise<{ round: number; previousId: string | null; editedBy: Actor | null }> {
  const [earlier] = await ctx.db.query<{ round: number; edited_by: string | null; editor_accountable: string[] }>(
    `select round, case when tool is null or status = 'superseded' then edited_by end as edited_by, editor_accountable from approvals
     where organization = $1 and environment = $2 and id = $3 and (tool is null or status <> 'consumed')`,
    [ctx.scope.organization, ctx.scope.environment, approvalId],
  );
  if (!earlier) return { round: 1, previousId: null, editedBy: null };
  const { round, edited_by: id, editor_accountable: accountable } = earlier;
  return { round: round + 1, previousId: approvalId, editedBy: id === null ? null : { id, accountable } };
}
