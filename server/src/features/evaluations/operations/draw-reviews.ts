import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { automationStopped, stop, whyStopped } from "../../admin/public.ts";
import { monitorObject } from "../monitor-kind.ts";
import { type Draw, findMonitor, insertReviews, lockMonitor, stopMonitor } from "../review-store.ts";

type Drawn = Pick<Draw, "monitor" | "tasks">;

/** Puts tasks that a monitor has drawn into the review queue, or stops it where its owner may not go on. */
export const drawReviews: InsideOperation<Drawn, { readonly sampled: number }> = defineInside({
  id: "evaluations.drawReviews",
  summary: "Draw tasks for review",
  permission: exempt("a machine of the service itself, for the monitor's owner, whose permissions are looked at"),
  load: (ctx, { monitor }: Drawn) => findMonitor(ctx, monitor),
  gate: exempt("makes no agent act"),
  compliance: exempt("carries out what a caller was allowed to ask for"),
  audit: ({ params }) => `monitor:${params.monitor}`,
  emits: [automationStopped],
  async handle(ctx, { params: { monitor: id, tasks } }) {
    const monitor = await lockMonitor(ctx, id);
    if (!monitor || monitor.stopped_reason !== null) return { sampled: 0 };
    const why = await whyStopped(ctx, { actor: monitor.actor, agents: [monitor.agent] }, "evaluations:write");
    if (why !== null) await stopMonitor(ctx, id, stop(ctx, monitorObject(id), monitor, why));
    else await insertReviews(ctx, id, tasks);
    return { sampled: why === null ? tasks.length : 0 };
  },
});
