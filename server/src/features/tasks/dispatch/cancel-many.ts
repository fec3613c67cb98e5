import type { BatchContext } from "../../../kernel/context.ts";
import type { CancelledTasks } from "../schemas.ts";
import { cancelTask } from "../tasks/operations/cancel-task.ts";

/** Cancels tasks, each by a call of its own, which refuses what has ended meanwhile. */
export async function cancelEach(
  ctx: BatchContext,
  tasks: readonly string[],
  reason: string | undefined,
): Promise<CancelledTasks> {
  const body = reason === undefined ? {} : { reason };
  const calls = tasks.map(async (task, index) => {
    const outcome = await ctx.call(cancelTask, { params: { task }, body, index, name: task });
    return { index, task_id: task, status: outcome.status, body: outcome.body };
  });
  const results = await Promise.all(calls);
  const succeeded = results.filter(({ status }) => status < 300).length;
  return { batch_id: ctx.id, succeeded, failed: results.length - succeeded, results };
}
