import type { WriteContext } from "../../kernel/context.ts";
import type { ApprovalDemand } from "../../kernel/verdict.ts";
import { argumentsOfCalls, consumedDemand } from "../approvals/requests/public.ts";
import type { TaskRow } from "../tasks/public.ts";
import type { StoredEffect } from "./effects.ts";

// Writes are not repeated by trying a task again: what an earlier attempt finished stands.

type Arguments = Readonly<Record<string, unknown>>;

/** The arguments that people had put in the place of those that a finished write was asked for with; null: it was made as it was asked for. */
export async function editsOf(ctx: WriteContext, { edit_approval_id }: StoredEffect): Promise<Arguments | null> {
  return edit_approval_id === null
    ? null
    : ((await argumentsOfCalls(ctx.db, ctx.scope, [edit_approval_id])).get(edit_approval_id) ?? null);
}

/** What an earlier attempt of the task finished and the present one has not come to. */
const finishedBefore = (task: TaskRow, effects: readonly StoredEffect[]): StoredEffect | undefined =>
  effects.find(({ outcome, taken, task_id }) => outcome === "done" && !taken && task_id === task.id);

/**
 * The approval of the task as a whole is of one execution. A write that takes the place of one that an earlier attempt finished is another one: it is asked for
 * as the task was. Null: nobody approved the task, or nothing was written that this attempt leaves out.
 */
export async function demandOfAnother(
  ctx: WriteContext,
  task: TaskRow,
  effects: readonly StoredEffect[],
): Promise<ApprovalDemand | null> {
  const instead = finishedBefore(task, effects);
  const approval = task.call_approval ? task.run_approval_id : task.approval_id;
  if (!instead || approval === null) return null;
  const given = await consumedDemand(ctx, approval);
  const why = `${instead.tool} finished in an earlier attempt, under the approval of the task; this call takes its place.`;
  return given && { ...given, reasons: [why] };
}
