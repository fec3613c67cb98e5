import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { lockApprovalBeforeTask } from "../../approvals/requests/public.ts";
import { cancelOpenTask, findTask, taskCancelled } from "../../tasks/public.ts";
import { findRun, findStep } from "../run-store.ts";
import type { StartStep } from "./start-step.ts";

/** Takes back the task of a step that is no longer wanted. One that has ended meanwhile stays as it ended. */
export const cancelStep: InsideOperation<StartStep, { readonly cancelled: boolean }> = defineInside({
  id: "workflows.cancelStep",
  summary: "Cancel a step of a workflow",
  permission: exempt("a worker of the service itself, for who ended the run"),
  load: (ctx, { run }: StartStep) => findRun(ctx, run),
  gate: exempt("stops work, starts none"),
  compliance: exempt("carries out what the workflow or a caller decided"),
  audit: ({ params }) => `run:${params.run}`,
  emits: [taskCancelled],
  async handle(ctx, { params: { run, step } }) {
    const task = (await findStep(ctx, run, step))?.task_id ?? null;
    if (task === null) return { cancelled: false };
    const approval = (await findTask(ctx, task))?.approval_id;
    if (approval) await lockApprovalBeforeTask(ctx, approval);
    return { cancelled: (await cancelOpenTask(ctx, task, "Its workflow no longer needs it.")) !== undefined };
  },
});
