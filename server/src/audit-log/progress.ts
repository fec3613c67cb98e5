import type { LogScope } from "./scope.ts";

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
}

/** Registers a callback for every batch; answers the function that ends it. */
export type OnSequenced = (callback: (sequenced: Sequenced) => void) => () => void;
