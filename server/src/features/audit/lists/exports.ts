import type { FactSet } from "../../../kernel/facts.ts";
import type { JobHandlers, JobParts, Sweep } from "../../../kernel/machines.ts";
import type { Operation } from "../../../kernel/operation.ts";
import type { ExportPort } from "../ports.ts";

// Exports of the audit log, and the job that writes them.

export const createOperations = (_exports: ExportPort): readonly Operation[] => [];
export const createJobs = (_parts: JobParts, _exports: ExportPort): JobHandlers => ({});
export const facts: readonly FactSet<unknown>[] = [];
export const sweeps: readonly Sweep[] = [];
