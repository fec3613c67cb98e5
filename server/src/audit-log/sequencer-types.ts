import type { Ed25519Signer } from "@aos/proof";
import type { Pool } from "pg";
import type { Clock } from "../kernel/clock.ts";
import type { LogMac } from "./mac.ts";
import type { Pins } from "./pins.ts";
import type { OnSequenced, SequencerLog, Stopped } from "./progress.ts";
import type { LogScope } from "./scope.ts";

export interface SequencerOptions {
  /** One of its connections is held for as long as the sequencer runs. Session locks: not through a pooler in transaction mode. */
  readonly pool: Pool;
  /** The installation's name: the first part of every new log's origin. */
  readonly installation: string;
  /** Null: the database has lost the key, and nothing is signed. */
  readonly signer: Ed25519Signer | null;
  readonly mac: LogMac;
  readonly pins: Pins;
  /** The row of `secrets` that holds the signing key; signing stops where it is gone. Default: nobody looks. */
  readonly keyName?: string;
  readonly clock: Clock;
  readonly log: SequencerLog;
  /** How often to look without being woken, and to try for the locks that another process holds (milliseconds, 250 by default). */
  readonly pollMs?: number;
  /** How often to look whether a stopped log can be signed again (milliseconds, 2,000 by default). */
  readonly recheckMs?: number;
}

/** How a sequencer stands. */
export interface SequencerStatus {
  readonly connected: boolean;
  /** The logs whose lock this process holds, and by how many milliseconds the last batch of each was behind its oldest record (0 when nothing waits). */
  readonly leading: readonly { readonly scope: LogScope; readonly treeSize: number; readonly behindMs: number }[];
  /** Leaves sequenced since the start. */
  readonly leaves: number;
}

export interface Sequencer {
  start(): void;
  /** Finishes the batch at hand, gives the locks back and closes its connection. */
  stop(): Promise<void>;
  /** Says that a transaction with records or events committed. Cheap: call it after every commit. Reaches the process that holds the log. */
  wake(scope?: LogScope): void;
  /** Calls back after every batch, of this or another process. */
  readonly onSequenced: OnSequenced;
  /** Calls back when this process has found that a log cannot be signed; once for each stop, whoever finds it first. */
  onStopped(callback: (stopped: Stopped) => void): () => void;
  status(): SequencerStatus;
}
