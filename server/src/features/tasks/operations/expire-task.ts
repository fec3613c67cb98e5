import { refuse } from "../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { conflict } from "../../../kernel/problems.ts";
import { expireOpenApproval } from "../../approvals/public.ts";
import { taskExpired } from "../events.ts";
import { isPast } from "../run-store.ts";
import { statesBefore } from "../states.ts";
import { findTask, updateTaskStatus } from "../store.ts";
import { eventOf } from "../view.ts";
import { auditOfTask, type Ended } from "./ended.ts";

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
  audit: ({ params, loaded }) => ({ ...auditOfTask(params.task, loaded), approval: loaded?.approval_id ?? null }),
  emits: [taskExpired],
  errors: [conflict],
  async handle(ctx, { params, loaded }): Promise<Ended> {
    if (!(await isPast(ctx, loaded.deadline))) throw refuse(conflict, "The task's deadline has not passed, so it was not expired.");
    if (loaded.approval_id !== null) await expireOpenApproval(ctx, loaded.approval_id);
    const failure = JSON.stringify({
      code: "deadline_passed",
      detail: `The task did not run before its deadline, ${loaded.deadline?.toISOString()}.`,
    });
    const row = await updateTaskStatus(ctx, { id: params.task, from: statesBefore("expired"), to: "expired", events: 1, failure });
    if (!row) throw refuse(conflict, "The task no longer waits, so it was not expired.");
    ctx.emit(taskExpired, ...eventOf(row));
    return { trust_score: row.trust_score };
  },
});
