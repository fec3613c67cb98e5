import { wake } from "../../../jobs/queue.ts";
import { Refusal } from "../../../kernel/errors.ts";
import type { JobParts, RunInside, Sweep } from "../../../kernel/machines.ts";
import { type Environment, environments } from "../../../kernel/principal.ts";
import { conflict, notFound } from "../../../kernel/problems.ts";
import { type Interrupted, whyGivenUp } from "../../../kernel/service-faults.ts";
import { listDueConnectors, listRemovingConnectors } from "./connector-store.ts";
import { deleteBroughtDocuments } from "./operations/delete-brought.ts";
import { finishSync } from "./operations/finish-sync.ts";
import { startDueSync } from "./operations/start-due-sync.ts";
import { removalJob, syncJob } from "./sync-job-spec.ts";
import { claimToGiveUp, type HeldSync, listIdleSyncs, MOST_TRIES } from "./sync-store.ts";

/** Rows that one look takes up. */
const most = 50;

/** Somebody else was faster. */
const isOver = (error: unknown): boolean =>
  error instanceof Refusal && (error.type.code === conflict.code || error.type.code === notFound.code);

/** Starts the syncs that are due, wakes workers for those that nobody works on, and gives up what was tried often enough. */
export const syncSweep: Sweep = {
  name: "knowledge.syncs",
  async run({ db, inside }) {
    const faults: unknown[] = [];
    const attempt = (work: Promise<unknown>): Promise<unknown> =>
      work.catch((error) => isOver(error) || faults.push(error));
    for (const { id, ...scope } of await listDueConnectors(db, most))
      await attempt(inside(startDueSync, scope, { connector: id }));
    const idle = await listIdleSyncs(db, most);
    const isOpen = (one: Interrupted) => whyGivenUp(one, MOST_TRIES) === undefined;
    const open = idle.filter(isOpen).map(({ id, ...scope }) => syncJob(scope, id));
    const removing = (await listRemovingConnectors(db, most)).map(({ id, ...scope }) => removalJob(scope, id));
    await wake(db, [...open, ...removing]);
    for (const { lost, faults: inARow, fault, ...held } of idle) {
      const why = whyGivenUp({ lost, faults: inARow, fault }, MOST_TRIES);
      const taken = why === undefined ? undefined : await claimToGiveUp(db, held);
      if (why !== undefined && taken !== undefined) await attempt(giveUp(inside, { ...held, attempt: taken }, why));
    }
    if (faults.length > 0) throw new AggregateError(faults, `${faults.length} syncs could not be looked after`);
  },
};

function giveUp(inside: RunInside, { id, attempt, ...scope }: HeldSync, detail: string): Promise<unknown> {
  const error = { code: "worker_lost", detail };
  return inside(finishSync, scope, { sync: id, attempt, end: { state: "failed", partial: null, error } });
}

/** The handler of the job that goes on with deleting what a detached connector brought. */
export function createRemovalJob({ inside }: Pick<JobParts, "inside">): (payload: unknown) => Promise<void> {
  return async (payload) => {
    const { organization, environment, connector } = (payload ?? {}) as Record<string, string>;
    if (!organization || !connector || !environments.includes(environment as Environment)) return;
    const scope = { organization, environment: environment as Environment };
    try {
      while (!(await inside(deleteBroughtDocuments, scope, { connector })).done);
    } catch (error) {
      if (!isOver(error)) throw error;
    }
  };
}
