import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { conflict } from "../../../kernel/problems.ts";
import { approvalState } from "../../approvals/public.ts";
import { taskCompleted } from "../events.ts";
import { trustOf, trustText } from "../model.ts";
import { endRun } from "../run-store.ts";
import { findTask } from "../store.ts";
import { eventOf } from "../view.ts";
import { auditOfTask, type Ended } from "./ended.ts";

export interface CompleteTask {
  readonly task: string;
  readonly owner: string;
  readonly output: Readonly<Record<string, unknown>>;
}

/** Ends a task with its result. The trust score is computed anew: evidence may have come, and people may have approved what ran. */
export const completeTask: InsideOperation<CompleteTask, Ended> = defineInside({
  id: "tasks.completeTask",
  summary: "Complete a task",
  permission: exempt("a worker of the service itself"),
  load: (ctx, { task }: CompleteTask) => findTask(ctx, task),
  gate: exempt("ends work, starts none"),
  compliance: exempt("ends what policies saw at its start and at each of its actions"),
  audit: ({ params, loaded, output }) => auditOfTask(params.task, loaded, output),
  emits: [taskCompleted],
  errors: [conflict],
  async handle(ctx, { params, loaded }): Promise<Ended> {
    const approved = loaded.approval_id !== null && (await approvalState(ctx, loaded.approval_id)) === "consumed";
    const trust = trustOf(ctx, loaded.version_id, loaded.skill, approved ? { human_approved: 1 } : {});
    const row = await endRun(ctx, params.owner, {
      id: params.task,
      to: "completed",
      output: JSON.stringify(params.output),
      trust: { score: trust.score, text: trustText(trust) },
    });
    ctx.emit(taskCompleted, ...eventOf(row));
    return { trust_score: row.trust_score };
  },
});
