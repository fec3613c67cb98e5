import type { JobSpec } from "../../kernel/append.ts";
import type { Scope } from "../../kernel/principal.ts";

/** The job that wakes a worker for a task. What is to be done stands in the task's row. */
export const runTaskJob = "run_task";

/** Wakes a worker for a queued task; a higher priority earlier. */
export function runTask(scope: Scope, taskId: string, priority: number): JobSpec {
  const { organization, environment } = scope;
  return { task: runTaskJob, payload: { organization, environment, task: taskId }, priority: -priority };
}
