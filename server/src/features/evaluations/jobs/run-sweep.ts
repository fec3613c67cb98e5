import { wake } from "../../../jobs/queue.ts";
import { Refusal } from "../../../kernel/errors.ts";
import type { Sweep } from "../../../kernel/machines.ts";
import { conflict } from "../../../kernel/problems.ts";
import { whyGivenUp } from "../../../kernel/service-faults.ts";
import { finishRun } from "../operations/finish-run.ts";
import { runJob } from "../run-model.ts";
import { claimToGiveUp, listIdleRuns, mostTries } from "../run-store.ts";

/** Runs that one look takes up. */
const most = 100;

/** Wakes workers for runs that nobody works on, and gives up those that were tried often enough. */
export const runSweep: Sweep = {
  name: "evaluations.runs",
  async run({ db, inside }) {
    const idle = await listIdleRuns(db, most);
    const open = idle.filter((one) => whyGivenUp(one, mostTries) === undefined);
    await wake(
      db,
      open.map(({ id, ...scope }) => runJob(scope, id)),
    );
    const faults: unknown[] = [];
    for (const { lost, faults: inARow, fault, ...held } of idle) {
      const detail = whyGivenUp({ lost, faults: inARow, fault }, mostTries);
      if (detail === undefined) continue;
      const attempt = await claimToGiveUp(db, held);
      if (attempt === undefined) continue;
      const failure = { code: "worker_lost", detail };
      const ending = { state: "failed", stoppedBy: null, failure } as const;
      // One run is at fault: the others are not to wait for it.
      await inside(finishRun, held, { run: held.id, attempt, ending }).catch((error: unknown) => {
        if (!endedElsewhere(error)) faults.push(error);
      });
    }
    if (faults.length > 0) throw new AggregateError(faults, `${faults.length} runs of datasets could not be given up`);
  },
};

/** Somebody else has ended it meanwhile. */
const endedElsewhere = (error: unknown): boolean => error instanceof Refusal && error.type.code === conflict.code;
