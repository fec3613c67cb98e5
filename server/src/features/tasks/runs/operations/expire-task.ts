import { refuse } from "../../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { expireOpenApproval, lockApprovalBeforeTask } from "../../../approvals/requests/public.ts";
import { taskExpired } from "../../events.ts";
import type { Failure } from "../../schemas.ts";
import { statesBefore } from "../../tasks/row.ts";
import { findTask, lockTask, type TaskRow, updateTaskStatus } from "../../tasks/store.ts";
import { askedOf, eventOf } from "../../tasks/view.ts";
import { auditOfTask, type Ended, endedAs } from "../rules.ts";
import { isPast } from "../store.ts";

export interface ExpireTask {
  readonly task: string;
}

/** Ends a task that waited beyond its deadline, and its approval. */
export const expireTask: InsideOperation<ExpireTask, Ended> = defineInside({
  id: "tasks.expireTask",
  summary: "Expire a task",
  permission: exempt("a machine of the service itself"),
  load: (ctx, { task }: ExpireTask) => findTask(ctx, task),
  gate: exempt("ends work, starts none"),
  compliance: exempt("carries out the deadline that the caller set"),
  audit: ({ params, loaded, output }) => ({
    ...auditOfTask(params.task, loaded, output),
    approval: loaded?.approval_id ?? null,
  }),
  emits: [taskExpired],
  errors: [conflict],
  // The locked task counts: its deadline and state may have changed since it was found. Approval first, then task, as everybody locks.
  async handle(ctx, { params }): Promise<Ended> {
    const asked = (await findTask(ctx, params.task))?.approval_id ?? null;
    if (asked !== null) await lockApprovalBeforeTask(ctx, asked);
    const task = await lockTask(ctx, params.task);
    if (task?.approval_id !== asked)
      throw refuse(conflict, "Approval of the task was requested again, so it was not expired.");
    if (!(await isPast(ctx, task.deadline)))
      throw refuse(conflict, "The task's deadline has not passed, so it was not expired.");
    const failure = JSON.stringify(failureOf(task));
    const row = await updateTaskStatus(ctx, {
      id: task.id,
      from: statesBefore("expired"),
      to: "expired",
      events: 1,
      failure,
    });
    if (!row) throw refuse(conflict, "The task no longer waits, so it was not expired.");
    if (asked !== null) await expireOpenApproval(ctx, asked);
    ctx.emit(taskExpired, ...eventOf(row));
    return endedAs(row);
  },
});

/** Why it expired. What became of calls that a caller was handed is not known: their steps say so. */
function failureOf(task: TaskRow): Failure {
  const at = task.deadline?.toISOString();
  const asked = askedOf(task);
  if (asked?.kind !== "results")
    return { code: "deadline_passed", detail: `The task did not run before its deadline, ${at}.` };
  const names = (asked.calls ?? []).map(({ tool }) => tool).join(", ");
  const detail = `The caller was handed calls of ${names} and brought no results until ${at}. Whether they were carried out is not known.`;
  return { code: "results_missing", detail };
}
