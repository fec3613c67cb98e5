import { wake } from "../../../../jobs/queue.ts";
import { Refusal } from "../../../../kernel/errors.ts";
import type { Sweep } from "../../../../kernel/machines.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { whyGivenUp } from "../../../../kernel/service-faults.ts";
import { retentionSweep } from "../../../admin/public.ts";
import { finishExport } from "../operations/finish-export.ts";
import { exportJob } from "../rules.ts";
import { deleteOldExports, listIdleExports, mostAttempts } from "../store.ts";

const most = 100;

/**
 * Wakes workers for exports that nobody writes, and gives up those that were tried often enough. A wake-up of the same export that waits already is
 * replaced, not doubled: the job has the export's id as its key.
 */
export const exportSweep: Sweep = {
  name: "audit.exports",
  async run({ db, inside }) {
    const idle = await listIdleExports(db, most);
    const open = idle.filter((one) => whyGivenUp(one, mostAttempts) === undefined);
    await wake(
      db,
      open.map(({ id, ...scope }) => exportJob(scope, id)),
    );
    const faults: unknown[] = [];
    for (const { id, attempt, lost, faults: inARow, fault, ...scope } of idle) {
      const failure = whyGivenUp({ lost, faults: inARow, fault }, mostAttempts);
      if (failure === undefined) continue;
      // One export is at fault: the others are not to wait for it.
      await inside(finishExport, scope, { export: id, attempt, ending: { failure }, lapsed: true }).catch(
        (error: unknown) => {
          if (!endedElsewhere(error)) faults.push(error);
        },
      );
    }
    if (faults.length > 0) throw new AggregateError(faults, `${faults.length} exports could not be given up`);
  },
};

export const exportRetention = retentionSweep({
  name: "audit.export_retention",
  days: ({ exports_days }) => exports_days,
  remove: deleteOldExports,
});

const endedElsewhere = (error: unknown): boolean => error instanceof Refusal && error.type.code === conflict.code;
