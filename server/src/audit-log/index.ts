export type { Ed25519Signer } from "@aos/proof";
export { type Adoption, adoptLog, headWords } from "./adopt.ts";
export { createWriterAlarm, type WriterAlarm } from "./alarm.ts";
export { readClosedLogs } from "./closed-logs.ts";
export { exportLog } from "./export.ts";
export { guardHead, type HeadGuardParts } from "./head-guard.ts";
export { leafDataOf } from "./leaf-rows.ts";
export type { LogTrust } from "./log-state.ts";
export { createLogMac, createRecordWriter, type LogMac, type RecordWriter } from "./mac.ts";
export { adoptMovedLogs } from "./moved.ts";
export { createNotifier, type Notifier, sequencedChannel, wakeChannel } from "./notify.ts";
export { deleteOldAnswers } from "./old-answers.ts";
export { ensurePartitions } from "./partitions.ts";
export { createPins, type Pins } from "./pins.ts";
export type { OnSequenced, Sequenced, SequencerLog, Stopped } from "./progress.ts";
export {
  type CheckpointAnswer,
  EmptyLog,
  type LogLag,
  NotYetSequenced,
  type ReadProofOptions,
  RecordNotFound,
  type RecordProof,
  readCheckpoint,
  readLag,
  readProof,
  SizeNotReached,
} from "./proofs.ts";
export { createSalts, type Salts, type SaltsOptions } from "./salts.ts";
export { installationEnvironment, type LogScope, originOf } from "./scope.ts";
export { createSequencer, type Sequencer, type SequencerOptions, type SequencerStatus } from "./sequencer.ts";
export { createSequencerThread } from "./sequencer-thread.ts";
export { createSigner } from "./signer.ts";
export { LogStopped, type StopReason, stopReasons, stopRemedy } from "./stop.ts";
export { readStops, type Stop } from "./stops.ts";
export { findEarlyLogs, sealExisting, sealingMigration, sealRecords } from "./upgrade.ts";
export { createWitnessClient, type WitnessClient, witnessId } from "./witness.ts";
export type { Witness } from "./witness-exchange.ts";
