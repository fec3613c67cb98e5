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
