import { Refusal } from "../../../../kernel/errors.ts";
import type { Sweep } from "../../../../kernel/machines.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { endingUnder, type HeldTask, heldBy, listTasksToEnd } from "../holds.ts";
import { endHeldTask } from "../operations/end-held-task.ts";

/** Most that one sweep ends; the rest follows a second later. */
const most = 500;
/** Ended at the same time, so that hundreds of tasks do not wait for each other. */
const atOnce = 4;

/** Ends tasks by kill switches and pauses if no worker does: waiting ones, and running ones whose worker does not respond. */
export const heldSweep: Sweep = {
  name: "tasks.held",
  async run({ db, inside, facts }) {
    // A switch that this process does not know yet is for the next sweep: the call itself decides by the same facts.
    const ends = (task: HeldTask): boolean =>
      endingUnder(heldBy({ facts, scope: task }, task, null), task.status, false) !== null;
    const tasks = (await listTasksToEnd(db, most)).filter(ends);
    const faults: unknown[] = [];
    const lane = async (): Promise<void> => {
      for (let task = tasks.pop(); task; task = tasks.pop()) {
        const { organization, environment } = task;
        const ended = inside(
          endHeldTask,
          { organization, environment },
          { task: task.id, owner: null, tool: null, model: null, aborted: false },
        );
        // Another process was faster.
        await ended.catch((error: unknown) => {
          if (!(error instanceof Refusal && error.type.code === conflict.code)) faults.push(error);
        });
      }
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
    if (faults.length > 0) throw new AggregateError(faults, `${faults.length} tasks could not be ended`);
  },
};
