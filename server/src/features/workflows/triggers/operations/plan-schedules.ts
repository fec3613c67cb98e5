import type { WriteContext } from "../../../../kernel/context.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { dueTimes, type Schedule } from "../../../../kernel/schedule.ts";
import { countWaiting, insertFirings, lockDue, mostWaiting, noteFailure, occasionOf } from "../firing-store.ts";
import { type TriggerRow, triggers } from "../resource.ts";
import { isActive } from "../store.ts";

/** Schedules planned by one call. */
const most = 200;

/** Records the due times of schedules and their next ones, in one commit: no time is recorded twice. */
export const planSchedules: InsideOperation<object, { readonly firings: number }> = defineInside({
  id: "workflows.planSchedules",
  summary: "Plan schedules of workflows that are due",
  permission: exempt("the sweeper of the service itself"),
  load: exempt("looks for what is due"),
  gate: exempt("starts nothing yet; each run that is started is a call of its own"),
  compliance: exempt("starts nothing yet; each run that is started is judged by itself"),
  audit: "workflows",
  async handle(ctx) {
    let firings = 0;
    for (const trigger of await lockDue(ctx, most)) firings += await plan(ctx, trigger);
    return { firings };
  },
});

async function plan(ctx: WriteContext, { id, workflow, definition, next_at }: TriggerRow): Promise<number> {
  const { fire, next } = dueTimes(definition as Schedule, (next_at as Date).getTime(), ctx.now);
  await triggers.rows.update(ctx, id, { next_at: next });
  if (!(await isActive(ctx, workflow))) return 0;
  const room = mostWaiting - (await countWaiting(ctx, id));
  const times = fire.slice(0, Math.max(0, room));
  if (times.length < fire.length) {
    const detail = `${mostWaiting} firings of the schedule wait for runs that are not over; further times are left out.`;
    await noteFailure(ctx, id, { code: "too_many_waiting", detail });
  }
  await insertFirings(
    ctx,
    times.map((at) => ({ trigger_id: id, workflow, occasion: occasionOf(at), at, event: null })),
  );
  return times.length;
}
