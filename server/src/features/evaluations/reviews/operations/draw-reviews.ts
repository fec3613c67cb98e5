import type { Sweep } from "../../../../kernel/machines.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { automationStopped, stop, whyStopped } from "../../../admin/public.ts";
import { monitorObject } from "../kind.ts";
import { monitors } from "../resource.ts";
import { type Draw, drawTasks, insertReviews, noteLook } from "../store.ts";

type Drawn = Pick<Draw, "monitor" | "tasks">;

/** Queues drawn tasks, or stops the monitor if its owner may not continue. */
export const drawReviews: InsideOperation<Drawn, { readonly sampled: number }> = defineInside({
  id: "evaluations.drawReviews",
  summary: "Draw tasks for review",
  permission: exempt("a machine of the service itself, for the monitor's owner, whose permissions are looked at"),
  load: (ctx, { monitor }: Drawn) => monitors.rows.find(ctx, monitor),
  gate: exempt("makes no agent act"),
  compliance: exempt("carries out what a caller was allowed to ask for"),
  audit: ({ params }) => `monitor:${params.monitor}`,
  emits: [automationStopped],
  async handle(ctx, { params: { monitor: id, tasks } }) {
    const monitor = await monitors.rows.lock(ctx, id);
    if (!monitor || monitor.stopped_reason !== null) return { sampled: 0 };
    const why = await whyStopped(ctx, { actor: monitor.actor, agents: [monitor.agent] }, "evaluations:write");
    if (why !== null) await monitors.rows.update(ctx, id, stop(ctx, monitorObject(id), monitor, why));
    else await insertReviews(ctx, id, tasks);
    return { sampled: why === null ? tasks.length : 0 };
  },
});

/** Queues what it drew before it moves the position, so that a crash loses nothing. */
export const reviewSweep: Sweep = {
  name: "evaluations.reviews",
  async run({ db, inside, now }) {
    for (const draw of await drawTasks(db)) {
      const { organization, environment, monitor, agent, actor, sure, tasks } = draw;
      const scope = { organization, environment };
      const acting = { actor, agents: [agent] };
      const isStopped = !sure && (await whyStopped({ scope, db, now }, acting, "evaluations:write")) !== null;
      if (tasks.length > 0 || isStopped) await inside(drawReviews, scope, { monitor, tasks });
      await noteLook(db, { ...scope, monitor, upto: draw.upto });
    }
  },
};
