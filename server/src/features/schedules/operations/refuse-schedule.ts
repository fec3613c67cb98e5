import type { WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { conflict } from "../../../kernel/problems.ts";
import { automationStopped, stoppedText, tellStopped } from "../../admin/public.ts";
import { scheduleObject } from "../content.ts";
import { scheduleNotPermitted } from "../errors.ts";
import { scheduleFailed } from "../events.ts";
import { schedules } from "../resource.ts";
import type { DueSchedule } from "../store.ts";

export interface RefuseSchedule extends DueSchedule {
  readonly failure: { readonly code: string; readonly detail: string };
  /** When it is tried again; null: never. */
  readonly again: Date | null;
}

/** Writes down at a schedule why it dispatched nothing. What may pass is tried again; giving up is reported. */
export const refuseSchedule: InsideOperation<RefuseSchedule, { readonly noted: true }> = defineInside({
  id: "agents.refuseSchedule",
  summary: "Note that a schedule dispatched nothing",
  permission: exempt("the sweeper of the service itself"),
  load: (ctx, { schedule }: RefuseSchedule) => schedules.rows.find(ctx, schedule),
  gate: exempt("starts nothing"),
  compliance: exempt("writes down what was refused"),
  audit: ({ params }) => `schedule:${params.schedule}`,
  emits: [scheduleFailed, automationStopped],
  errors: [conflict],
  async handle(ctx, { params: { schedule, at, failure, again } }) {
    const row = await schedules.rows.lock(ctx, schedule);
    if (row?.due_at?.getTime() !== at.getTime()) throw refuse(conflict, "Another process has tried this time.");
    const error = { last_error: JSON.stringify(failure), last_error_at: new Date(ctx.now) };
    if (failure.code === scheduleNotPermitted.code) await stop(ctx, row, error, failure.detail);
    else
      await schedules.rows.update(ctx, schedule, { ...error, try_at: again, ...(again === null && { due_at: null }) });
    if (again === null) {
      const { agent, definition } = row;
      const told = { agent, schedule_id: schedule, task: definition.task, at: at.toISOString() };
      ctx.emit(scheduleFailed, { ...told, ...failure });
    }
    return { noted: true };
  },
});

type Failing = { readonly last_error: string; readonly last_error_at: Date };

/** Ends its times until somebody changes it or takes it over. */
async function stop(
  ctx: WriteContext,
  { id, principal }: { readonly id: string; readonly principal: string },
  error: Failing,
  why: string,
): Promise<void> {
  const stopped_reason = stoppedText(why.replace(/\.$/, ""));
  const ended = { next_at: null, due_at: null, try_at: null, stopped_reason, stopped_at: new Date(ctx.now) };
  await schedules.rows.update(ctx, id, { ...error, ...ended });
  tellStopped(ctx, scheduleObject(id), principal, stopped_reason);
}
