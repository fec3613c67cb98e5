import type { WriteContext } from "../../../../kernel/context.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { lockApprovalBeforeTask } from "../../../approvals/requests/public.ts";
import { cancelOpenTask, findTask, taskCancelled } from "../../../tasks/public.ts";
import { type RunRow, runJson } from "../../runs/rules.ts";
import { findRun, findStep } from "../../runs/store.ts";
import { cancelRun } from "../children.ts";
import type { StartStep } from "./start-step.ts";

/** Cancels the task or run of a step that is no longer wanted. One that has ended meanwhile stays as it is. */
export const cancelStep: InsideOperation<StartStep, { readonly cancelled: boolean }> = defineInside({
  id: "workflows.cancelStep",
  summary: "Cancel a step of a workflow",
  permission: exempt("a worker of the service itself, for who ended the run"),
  load: (ctx, { run }: StartStep) => findRun(ctx, run),
  gate: exempt("stops work, starts none"),
  compliance: exempt("carries out what the workflow or a caller decided"),
  audit: ({ params }) => `run:${params.run}`,
  emits: [taskCancelled],
  async handle(ctx, { params: { run, step }, loaded }) {
    const row = await findStep(ctx, run, step);
    return { cancelled: row !== undefined && (await cancelOutside(ctx, loaded, row)) };
  },
});

export async function cancelOutside(
  ctx: WriteContext,
  run: RunRow,
  { task_id: task, child_run: child }: { readonly task_id: string | null; readonly child_run: string | null },
): Promise<boolean> {
  if (child !== null) return cancelRun(ctx, child, compensates(run));
  if (task === null) return false;
  const approval = (await findTask(ctx, task))?.approval_id;
  if (approval) await lockApprovalBeforeTask(ctx, approval);
  return (await cancelOpenTask(ctx, task, "Its workflow no longer needs it.")) !== undefined;
}

/** Whether a run that is ending compensates: then so do its children. */
function compensates(run: RunRow): boolean {
  return runJson(run, "journal").ending?.compensate === true;
}
