import type { Sweep } from "../../../kernel/machines.ts";
import { drawReviews } from "../operations/draw-reviews.ts";
import { drawTasks, noteLook } from "../review-store.ts";

/** Draws from what has completed. What is drawn stands in the queue before the look is noted, so that none is lost where this ends in between. */
export const reviewSweep: Sweep = {
  name: "evaluations.reviews",
  async run({ db, inside }) {
    for (const draw of await drawTasks(db)) {
      const { organization, environment, monitor, tasks } = draw;
      if (tasks.length > 0) await inside(drawReviews, { organization, environment }, { monitor, tasks });
      await noteLook(db, draw);
    }
  },
};
