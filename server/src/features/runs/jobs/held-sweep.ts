import { Refusal } from "../../../kernel/errors.ts";
import type { Sweep } from "../../../kernel/machines.ts";
import { conflict } from "../../../kernel/problems.ts";
import { type HeldTask, listTasksToEnd } from "../hold-store.ts";
import { endingUnder, heldBy } from "../holds.ts";
import { endHeldTask } from "../operations/end-held-task.ts";

/** Most that one look ends; what is over that comes a second later. */
const most = 500;
/** Ended at the same time, so that hundreds of tasks do not wait for each other. */
const atOnce = 4;

/** Ends what stops and pauses end and no worker does: tasks that wait, and running ones whose worker does not answer. */
export const heldSweep: Sweep = {
  name: "tasks.held",
  async run({ db, inside, facts }) {
    // What this process does not know yet, the next look ends: the call itself decides by the same facts.
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
        // Somebody else was faster.
        await ended.catch((error: unknown) => {
          if (!(error instanceof Refusal && error.type.code === conflict.code)) faults.push(error);
        });
      }
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
    if (faults.length > 0) throw new AggregateError(faults, `${faults.length} tasks could not be ended`);
  },
};
