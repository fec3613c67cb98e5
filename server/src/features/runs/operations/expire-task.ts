import { refuse } from "../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { conflict } from "../../../kernel/problems.ts";
import { expireOpenApproval, lockApprovalBeforeTask } from "../../approvals/requests/public.ts";
import { eventOf, findTask, lockTask, statesBefore, taskExpired, updateTaskStatus } from "../../tasks/public.ts";
import { isPast } from "../store.ts";
import { auditOfTask, type Ended, endedAs } from "./ended.ts";

export interface ExpireTask {
  readonly task: string;
}

/** Ends a task that waited beyond its deadline, and with it the approval that it waited for. */
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
  // What counts is the task under its lock: its deadline, and what it waits for, may have changed since it was looked up. Approval first, then task, as everybody locks.
  async handle(ctx, { params }): Promise<Ended> {
    const asked = (await findTask(ctx, params.task))?.approval_id ?? null;
    if (asked !== null) await lockApprovalBeforeTask(ctx, asked);
    const task = await lockTask(ctx, params.task);
    if (task?.approval_id !== asked)
      throw refuse(conflict, "People are asked anew about the task, so it was not expired.");
    if (!(await isPast(ctx, task.deadline)))
      throw refuse(conflict, "The task's deadline has not passed, so it was not expired.");
    const failure = JSON.stringify({
      code: "deadline_passed",
      detail: `The task did not run before its deadline, ${task.deadline?.toISOString()}.`,
    });
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
