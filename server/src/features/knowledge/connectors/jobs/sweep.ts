import { addressIn } from "../../../../jobs/payload.ts";
import { wake } from "../../../../jobs/queue.ts";
import { Refusal } from "../../../../kernel/errors.ts";
import type { JobParts, RunInside, Sweep } from "../../../../kernel/machines.ts";
import { conflict, notFound } from "../../../../kernel/problems.ts";
import { type Interrupted, whyGivenUp } from "../../../../kernel/service-faults.ts";
import { deleteBroughtDocuments } from "../operations/delete-brought.ts";
import { finishSync } from "../operations/finish-sync.ts";
import { startDueSync } from "../operations/start-due-sync.ts";
import { listDueConnectors, listRemovingConnectors } from "../store.ts";
import { claimToGiveUp, type HeldSync, listIdleSyncs, MOST_TRIES, removalJob, syncJob } from "../sync-store.ts";

const most = 50;

const isOver = (error: unknown): boolean =>
  error instanceof Refusal && (error.type.code === conflict.code || error.type.code === notFound.code);

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
  return inside(finishSync, scope, {
    sync: id,
    attempt,
    end: { state: "failed", partial: null, left_out: null, error },
  });
}

export function createRemovalJob({ inside }: Pick<JobParts, "inside">): (payload: unknown) => Promise<void> {
  return async (payload) => {
    const address = addressIn(payload, "connector");
    if (!address) return;
    const { id: connector, ...scope } = address;
    try {
      while (!(await inside(deleteBroughtDocuments, scope, { connector })).done);
    } catch (error) {
      if (!isOver(error)) throw error;
    }
  };
}
