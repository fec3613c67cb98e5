import { wake } from "../../../jobs/queue.ts";
import { Refusal } from "../../../kernel/errors.ts";
import type { Sweep } from "../../../kernel/machines.ts";
import { conflict } from "../../../kernel/problems.ts";
import { finishTraining } from "../operations/finish-training.ts";
import { trainingJob } from "../training-model.ts";
import { listIdleTraining, mostAttempts } from "../training-store.ts";

/** Jobs that one look takes up. */
const most = 100;

/** Wakes workers for training jobs that nobody works on, and gives up those that were tried often enough. */
export const trainingSweep: Sweep = {
  name: "agents.training",
  async run({ db, inside }) {
    const idle = await listIdleTraining(db, most);
    const open = idle.filter(({ attempt }) => attempt < mostAttempts);
    await wake(
      db,
      open.map(({ id, ...scope }) => trainingJob(scope, id)),
    );
    for (const { id, attempt, ...scope } of idle.filter((one) => one.attempt >= mostAttempts)) {
      const detail = `Its worker was lost or failed in each of ${attempt} attempts.`;
      await inside(finishTraining, scope, { training: id, attempt, ending: { kind: "failed", code: "worker_lost", detail } }).catch(
        unlessEnded,
      );
    }
  },
};

/** Somebody else was faster. */
function unlessEnded(error: unknown): void {
  if (!(error instanceof Refusal && error.type.code === conflict.code)) throw error;
}
