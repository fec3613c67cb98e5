import type { Sweep } from "../../../kernel/machines.ts";
import { whyStopped } from "../../admin/public.ts";
import { drawReviews } from "../operations/draw-reviews.ts";
import { drawTasks, noteLook } from "../review-store.ts";

/** Draws from what has completed. What is drawn stands in the queue before the look is noted, so that none is lost where this ends in between. */
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
