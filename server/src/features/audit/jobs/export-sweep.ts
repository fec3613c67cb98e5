import { wake } from "../../../jobs/queue.ts";
import { Refusal } from "../../../kernel/errors.ts";
import type { Sweep } from "../../../kernel/machines.ts";
import { conflict } from "../../../kernel/problems.ts";
import { exportJob } from "../export-model.ts";
import { listIdleExports, mostAttempts } from "../export-store.ts";
import { finishExport } from "../operations/finish-export.ts";

/** Exports that one look takes up. */
const most = 100;

/**
 * Wakes workers for exports that nobody writes, and gives up those that were tried often enough. A wake-up of the same export that waits already is
 * replaced, not doubled: the job has the export's id as its key.
 */
export const exportSweep: Sweep = {
  name: "audit.exports",
  async run({ db, inside }) {
    const idle = await listIdleExports(db, most);
    const open = idle.filter(({ attempt }) => attempt < mostAttempts);
    await wake(
      db,
      open.map(({ id, ...scope }) => exportJob(scope, id)),
    );
    for (const { id, attempt, ...scope } of idle.filter((one) => one.attempt >= mostAttempts)) {
      const failure = `Its worker was lost or failed in each of ${attempt} attempts.`;
      await inside(finishExport, scope, { export: id, attempt, ending: { failure } }).catch(unlessEnded);
    }
  },
};

/** Somebody else was faster. */
function unlessEnded(error: unknown): void {
  if (!(error instanceof Refusal && error.type.code === conflict.code)) throw error;
}
