import { wake } from "../../../jobs/queue.ts";
import { Refusal } from "../../../kernel/errors.ts";
import type { Sweep } from "../../../kernel/machines.ts";
import { conflict } from "../../../kernel/problems.ts";
import { whyGivenUp } from "../../../kernel/service-faults.ts";
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
    const open = idle.filter((one) => whyGivenUp(one, mostAttempts) === undefined);
    await wake(
      db,
      open.map(({ id, ...scope }) => trainingJob(scope, id)),
    );
    const faults: unknown[] = [];
    for (const { id, attempt, lost, faults: inARow, fault, ...scope } of idle) {
      const detail = whyGivenUp({ lost, faults: inARow, fault }, mostAttempts);
      if (detail === undefined) continue;
      const ending = { kind: "failed", code: "worker_lost", detail } as const;
      // One job is at fault: the others are not to wait for it.
      await inside(finishTraining, scope, { training: id, attempt, ending }).catch((error: unknown) => {
        if (!endedElsewhere(error)) faults.push(error);
      });
    }
    if (faults.length > 0) throw new AggregateError(faults, `${faults.length} training jobs could not be given up`);
  },
};

/** Somebody else has ended it meanwhile. */
const endedElsewhere = (error: unknown): boolean => error instanceof Refusal && error.type.code === conflict.code;
