import { type Advanced, advance, type Command, isRunOver } from "@aos/workflow";
import type { WriteContext } from "../../../kernel/context.ts";
import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { wakeRun } from "../../tasks/public.ts";
import { mayBegin, wakeQueued } from "../concurrency.ts";
import { runCancelled, runCompensated, runCompleted, runFailed } from "../events.ts";
import { findPlan } from "../plans.ts";
import { type RunRow, stateOf } from "../run-state.ts";
import { endedTasks, findRun, listSteps, lockRun, refusedSteps, writeAdvance } from "../run-store.ts";

export interface AdvanceRun {
  readonly run: string;
}

export interface AdvancedRun {
  readonly status: string;
  /** What is to be taken back outside. What is to be begun is found by the rows. */
  readonly cancel: readonly Extract<Command, { kind: "cancel" }>[];
}

/** Looks at a run: takes what its steps came to, ends what is due, and begins what is ready. One commit, whatever that comes to. */
export const advanceRun: InsideOperation<AdvanceRun, AdvancedRun> = defineInside({
  id: "workflows.advanceRun",
  summary: "Advance a run of a workflow",
  permission: exempt("a worker of the service itself"),
  load: (ctx, { run }: AdvanceRun) => findRun(ctx, run),
  gate: exempt("decides what comes next; each call of an agent passes its own gate"),
  compliance: exempt("decides what comes next; each call of an agent is judged by itself"),
  audit: ({ params }) => `run:${params.run}`,
  emits: [runCompleted, runFailed, runCompensated, runCancelled],
  async handle(ctx, { params }): Promise<AdvancedRun> {
    const row = await lockRun(ctx, params.run);
    const plan = row && (await findPlan(ctx, row.version_id));
    if (!row || !plan || isRunOver(row.status as Parameters<typeof isRunOver>[0]))
      return { status: row?.status ?? "gone", cancel: [] };
    if (!(await mayBegin(ctx, plan, row))) return { status: row.status, cancel: [] };
    const state = stateOf(row, await listSteps(ctx, row.id));
    const next = advance(
      plan,
      state,
      [...(await endedTasks(ctx, row.id)), ...(await refusedSteps(ctx, row.id))],
      ctx.now,
    );
    await writeAdvance(ctx, plan, row, next);
    if (isRunOver(next.state.status)) tellEnd(ctx, row, next);
    if (isRunOver(next.state.status) || row.status === "queued") await wakeQueued(ctx, row);
    return { status: next.state.status, cancel: next.commands.filter((one) => one.kind === "cancel") };
  },
});

function tellEnd(ctx: WriteContext, row: RunRow, { state: { status } }: Advanced): void {
  const told = { run_id: row.id, workflow: row.workflow, version: row.version_number, status };
  if (status === "completed") ctx.emit(runCompleted, told);
  else if (status === "compensated") ctx.emit(runCompensated, told);
  else if (status === "cancelled") ctx.emit(runCancelled, told);
  else ctx.emit(runFailed, told);
  if (row.parent_run !== null) ctx.enqueue(wakeRun(ctx.scope, row.parent_run));
}
