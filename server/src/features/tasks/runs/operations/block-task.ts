import type { WriteContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { cancelOpenApproval } from "../../../approvals/requests/public.ts";
import { taskBlocked } from "../../events.ts";
import type { Failure } from "../../schemas.ts";
import { findTask, type TaskRow, type Transition, updateTaskStatus } from "../../tasks/store.ts";
import { eventOf } from "../../tasks/view.ts";
import { auditOfTask, type Ended, endedAs } from "../rules.ts";
import { endRun } from "../store.ts";

export interface BlockTask {
  readonly task: string;
  /** The claim that runs it; null: it is still queued. */
  readonly owner: string | null;
  readonly failure: Failure;
}

/** Ends a task that the gate or policies forbid. */
export const blockTask: InsideOperation<BlockTask, Ended> = defineInside({
  id: "tasks.blockTask",
  summary: "Block a task",
  permission: exempt("a worker of the service itself"),
  load: (ctx, { task }: BlockTask) => findTask(ctx, task),
  gate: exempt("stops work, starts none"),
  compliance: exempt("carries out what a policy or the gate decided of an earlier call"),
  audit: ({ params, loaded, output }) => auditOfTask(params.task, loaded, output),
  emits: [taskBlocked],
  errors: [conflict],
  async handle(ctx, { params, loaded }): Promise<Ended> {
    const end = { id: params.task, to: "blocked", failure: JSON.stringify(params.failure) } as const;
    const row =
      params.owner === null
        ? await blockQueued(ctx, loaded, end, params.failure)
        : await endRun(ctx, params.owner, end);
    ctx.emit(taskBlocked, ...eventOf(row));
    return endedAs(row);
  },
});

/** Ends a queued task and its approval. Approval first, then task, as everybody locks. */
async function blockQueued(
  ctx: WriteContext,
  row: TaskRow,
  end: Pick<Transition, "id" | "to" | "failure">,
  why: Failure,
): Promise<TaskRow> {
  if (row.approval_id !== null) await cancelOpenApproval(ctx, row.approval_id, why.detail);
  const blocked = await updateTaskStatus(ctx, { ...end, from: ["queued"], events: 1 });
  if (blocked) return blocked;
  throw refuse(conflict, "The task is no longer queued, so it was not blocked.");
}
