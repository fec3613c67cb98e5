import { refuse } from "../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { conflict } from "../../../kernel/problems.ts";
import { scheduleFailed } from "../schedule-events.ts";
import { type DueSchedule, findSchedule, lockSchedule, noteStanding } from "../schedule-store.ts";

export interface RefuseSchedule extends DueSchedule {
  readonly failure: { readonly code: string; readonly detail: string };
  /** When it is tried again; null: never. */
  readonly again: Date | null;
}

/** Writes down at a schedule why it dispatched nothing. What may pass is tried again; giving up is told. */
export const refuseSchedule: InsideOperation<RefuseSchedule, { readonly noted: true }> = defineInside({
  id: "agents.refuseSchedule",
  summary: "Note that a schedule dispatched nothing",
  permission: exempt("the sweeper of the service itself"),
  load: (ctx, { schedule }: RefuseSchedule) => findSchedule(ctx, schedule),
  gate: exempt("starts nothing"),
  compliance: exempt("writes down what was refused"),
  audit: ({ params }) => `schedule:${params.schedule}`,
  emits: [scheduleFailed],
  errors: [conflict],
  async handle(ctx, { params: { schedule, at, failure, again } }) {
    const row = await lockSchedule(ctx, schedule);
    if (row?.due_at?.getTime() !== at.getTime()) throw refuse(conflict, "Another process has tried this time.");
    const error = { last_error: JSON.stringify(failure), last_error_at: new Date(ctx.now) };
    await noteStanding(ctx, schedule, { ...error, try_at: again, ...(again === null && { due_at: null }) });
    if (again === null) {
      const { agent, definition } = row;
      const told = { agent, schedule_id: schedule, task: definition.task, at: at.toISOString() };
      ctx.emit(scheduleFailed, { ...told, ...failure });
    }
    return { noted: true };
  },
});
