import type { JobSpec } from "../../kernel/append.ts";
import type { Scope } from "../../kernel/principal.ts";

/**
 * The job that wakes a worker for a task. What is to be done stands in the task's row; the payload says at which priority it comes (none: 0), so that one
 * that was put back since does not run ahead of its turn: whoever put it back has sent another wake-up.
 */
export const runTaskJob = "run_task";

/** Wakes a worker for a queued task; a higher priority earlier. `notBefore`: when it may begin at the earliest. */
export function runTask(scope: Scope, taskId: string, priority: number, notBefore: Date | null = null): JobSpec {
  const { organization, environment } = scope;
  const address = { organization, environment, task: taskId };
  const job = { task: runTaskJob, payload: priority === 0 ? address : { ...address, priority }, priority: -priority };
  return notBefore === null ? job : { ...job, runAt: notBefore };
}
