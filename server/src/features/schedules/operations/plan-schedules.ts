import type { WriteContext } from "../../../kernel/context.ts";
import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { schedules } from "../resource.ts";
import { planTimes } from "../rules.ts";
import { isOpenTask, lockDue } from "../store.ts";

/** Schedules that one call plans. */
const most = 200;

/** Notes for which time schedules that are due have to dispatch a task, and when they are due next: in one commit, so that no time is noted twice. */
export const planSchedules: InsideOperation<object, { readonly due: number }> = defineInside({
  id: "agents.planSchedules",
  summary: "Plan schedules of agents that are due",
  permission: exempt("the sweeper of the service itself"),
  load: exempt("looks for what is due"),
  gate: exempt("dispatches nothing yet; each task is a call of its own"),
  compliance: exempt("dispatches nothing yet; each task is judged by itself"),
  audit: "schedules",
  async handle(ctx) {
    let due = 0;
    for (const row of await lockDue(ctx, most)) due += await plan(ctx, row);
    return { due };
  },
});

type Due = Awaited<ReturnType<typeof lockDue>>[number];

/** A time that waits gives way to a newer one. */
async function plan(ctx: WriteContext, { id, definition, next_at, last_task }: Due): Promise<number> {
  const isOpen = await isOpenTask(ctx, last_task);
  const { due, next, skipped } = planTimes(definition, (next_at as Date).getTime(), ctx.now, isOpen);
  const found = due && { due_at: due, try_at: due };
  const left = skipped && { skipped_at: skipped.at, skip_reason: skipped.reason };
  await schedules.rows.update(ctx, id, { next_at: next, ...found, ...left });
  return due ? 1 : 0;
}
