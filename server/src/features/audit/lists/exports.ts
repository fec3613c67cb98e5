import type { FactSet } from "../../../kernel/facts.ts";
import type { JobHandlers, JobParts, Sweep } from "../../../kernel/machines.ts";
import type { Operation } from "../../../kernel/operation.ts";
import { exportJobName } from "../export-model.ts";
import { createExportJob } from "../jobs/export-job.ts";
import { exportSweep } from "../jobs/export-sweep.ts";
import { finishExport } from "../operations/finish-export.ts";
import { readExport } from "../operations/read-export.ts";
import { startExport } from "../operations/start-export.ts";
import type { ExportPort } from "../ports.ts";

// Exports of the audit log, and the job that writes them.

export const createOperations = (exports: ExportPort): readonly Operation[] => [
  startExport(exports),
  readExport(exports),
  finishExport,
];
export const createJobs = (parts: JobParts, exports: ExportPort): JobHandlers => ({
  [exportJobName]: createExportJob(parts, exports),
});
export const facts: readonly FactSet<unknown>[] = [];
export const sweeps: readonly Sweep[] = [exportSweep];
