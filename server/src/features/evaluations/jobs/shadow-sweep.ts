import { wake } from "../../../jobs/queue.ts";
import type { Sweep } from "../../../kernel/machines.ts";
import { shadowTaskJob } from "../../tasks/public.ts";
import { leaveOutShadowRuns, listIdleShadowRuns } from "../shadow-store.ts";

/** Runs that one look takes up, and so many that it leaves out. */
const most = 100;

/** Wakes workers for runs of shadows whose worker is gone, and leaves those out whose shadow has ended or that were tried often enough. */
export const shadowSweep: Sweep = {
  name: "evaluations.shadows",
  async run({ db }) {
    await leaveOutShadowRuns(db, most);
    const idle = await listIdleShadowRuns(db, most);
    await wake(
      db,
      idle.map(({ organization, environment, task, deployment }) => ({
        task: shadowTaskJob,
        payload: { organization, environment, task, deployment },
        key: `shadow ${task}`,
        priority: 10,
      })),
    );
  },
};
