import type { LogScope } from "./scope.ts";
import type { StopReason } from "./stop.ts";

/** Where the audit log's machinery reports; a pino logger fits. */
export interface SequencerLog {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** What became visible in a log: proofs of all leaves below `treeSize`, events up to `eventSequence`. */
export interface Sequenced {
  readonly scope: LogScope;
  readonly treeSize: number;
  readonly eventSequence: number;
  /** The signed head; null while the log is not signed. */
  readonly checkpoint: string | null;
  /** How many origins of the log were closed before. */
  readonly epoch: number;
}

/** Signing of a log has stopped. */
export interface Stopped {
  readonly scope: LogScope;
  readonly reason: StopReason;
  readonly detail: string;
}

/** Registers a callback for every batch; answers the function that ends it. */
export type OnSequenced = (callback: (sequenced: Sequenced) => void) => () => void;
