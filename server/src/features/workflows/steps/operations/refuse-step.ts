import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { wakeRun } from "../../../tasks/public.ts";
import { findRun, noteRefusal } from "../../runs/store.ts";
import { refuseItem } from "../item-store.ts";
import type { StartStep } from "./start-step.ts";

export interface RefuseStep extends StartStep {
  readonly failure: { readonly code: string; readonly detail: string };
}

/** Stores that a step's call was refused: its run takes that as the step's end. */
export const refuseStep: InsideOperation<RefuseStep, { readonly noted: true }> = defineInside({
  id: "workflows.refuseStep",
  summary: "Note that a step of a workflow was refused",
  permission: exempt("a worker of the service itself"),
  load: (ctx, { run }: RefuseStep) => findRun(ctx, run),
  gate: exempt("ends work, starts none"),
  compliance: exempt("writes down what gate or policies decided"),
  audit: ({ params }) => `run:${params.run}`,
  async handle(ctx, { params: { run, step, attempt, item, failure } }) {
    if (item === undefined) await noteRefusal(ctx, { run, step, attempt }, failure);
    else await refuseItem(ctx, { run, step, attempt }, item, failure);
    ctx.enqueue(wakeRun(ctx.scope, run));
    return { noted: true };
  },
});
