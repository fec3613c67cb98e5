import { wake } from "../../jobs/queue.ts";
import type { Sweep, SweepParts } from "../../kernel/machines.ts";
import { findDueRuns, findForgottenRuns, type RunAddress } from "./timer-store.ts";

/** The job that looks at runs when they are due. */
export const advanceRunsJob = "advance_workflow_runs";

/** How far ahead the sweep looks: more than the second between two looks. */
const aheadMs = 1_500;
/** Most runs that one look wakes, and that one job names. */
const mostDue = 20_000;
const runsOfJob = 250;
/** A run that was told of and is still due after so long is told of again: who was told may be gone. */
const againAfterMs = 10_000;
/** Looks between those for forgotten runs. */
const forgottenEvery = 5;

/** Wakes workers for runs that are due, a moment before they are, and for those that no wake-up reached. */
export function createDueSweep(): Sweep {
  let told = new Map<string, number>();
  let looks = 0;
  return {
    name: "workflows.due",
    async run({ db, now }) {
      told = new Map([...told].filter(([, at]) => at > now - againAfterMs));
      const due = await findDueRuns(db, new Date(now + aheadMs), mostDue);
      const news = due.filter(({ id, at }) => !told.has(`${id} ${at}`));
      for (const { id, at } of news) told.set(`${id} ${at}`, now);
      await wakeAll(db, news);
      looks += 1;
      if (looks % forgottenEvery === 0) await wakeAll(db, await findForgottenRuns(db, mostDue));
    },
  };
}

async function wakeAll(db: SweepParts["db"], due: readonly RunAddress[]): Promise<void> {
  const byScope = Map.groupBy(due, ({ organization, environment }) => `${organization} ${environment}`);
  const jobs = [...byScope.values()].flatMap((some) => {
    const { organization, environment } = some[0] as RunAddress;
    return Array.from({ length: Math.ceil(some.length / runsOfJob) }, (_none, page) => ({
      task: advanceRunsJob,
      payload: {
        ...{ organization, environment },
        runs: some.slice(page * runsOfJob, (page + 1) * runsOfJob).map(({ id, at }) => ({ run: id, at })),
      },
    }));
  });
  await wake(db, jobs);
}
