import type { WriteContext } from "../../kernel/context.ts";
import type { TaskChange } from "./schemas.ts";
import { type TaskRow, taskColumns } from "./store.ts";

/** Changes what of a waiting task says when it runs and what it is called by. An absent member stays as it is. The task is locked. */
export async function updateWaitingTask(
  ctx: WriteContext,
  id: string,
  change: Omit<TaskChange, "input">,
): Promise<TaskRow> {
  const { priority, deadline, not_before, labels } = change;
  const rows = await ctx.db.query<TaskRow>(
    `update tasks set priority = coalesce($4, priority), labels = coalesce($5::text[], labels),
       deadline = case when $6 then $7::timestamptz else deadline end, not_before = case when $8 then $9::timestamptz else not_before end,
       updated_at = now()
     where organization = $1 and environment = $2 and id = $3 and status in ('queued', 'awaiting_approval') returning ${taskColumns}`,
    [
      ctx.scope.organization,
      ctx.scope.environment,
      id,
      priority ?? null,
      labels ?? null,
      deadline !== undefined,
      deadline ?? null,
      not_before !== undefined,
      not_before ?? null,
    ],
  );
  const [row] = rows;
  if (!row) throw new Error(`the task ${id} was not locked while it was changed`);
  return row;
}
