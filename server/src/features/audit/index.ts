export { adoptLog } from "./log/operations/adopt-log.ts";
export { noteLogStopped } from "./log/operations/note-log-stopped.ts";
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
