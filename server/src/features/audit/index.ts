import type { FactSet } from "../../kernel/facts.ts";
import type { Sweep } from "../../kernel/machines.ts";
import type { Operation } from "../../kernel/operation.ts";
import * as exported from "./lists/exports.ts";
import * as log from "./lists/log.ts";
import { listEvents } from "./operations/list-events.ts";
import { readCheckpoint } from "./operations/read-checkpoint.ts";
import { readEvent } from "./operations/read-event.ts";
import { readProof } from "./operations/read-proof.ts";
import type { AuditPort, ExportPort } from "./ports.ts";

export { createJobs } from "./lists/exports.ts";
export type { AdoptLog } from "./operations/adopt-log.ts";
export { noteLogStopped } from "./operations/note-log-stopped.ts";
export {
  type AuditPort,
  type CheckpointResult,
  type CheckpointWanted,
  type Commitments,
  type ExportPort,
  type LogAdoption,
  LogAltered,
  type LogHead,
  type LogStoppedResult,
  type ProofResult,
} from "./ports.ts";

/** The operations of this slice, over the log's machine. */
export function createOperations(audit: AuditPort, exports: ExportPort): readonly Operation[] {
  return [
    listEvents,
    readEvent(audit),
    readProof(audit),
    readCheckpoint(audit),
    ...log.createOperations(audit),
    ...exported.createOperations(exports),
  ];
}

export const facts: readonly FactSet<unknown>[] = [...exported.facts];
export const sweeps: readonly Sweep[] = [...exported.sweeps];
