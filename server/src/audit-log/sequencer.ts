import type { Ed25519Signer } from "@aos/proof";
import type { Pool, PoolClient } from "pg";
import type { Clock } from "../kernel/clock.ts";
import { timeOfId } from "../kernel/ids.ts";
import { type BatchResult, hasMore, readHorizon, sequenceBatch } from "./batch.ts";
import { findLogs, tryLock } from "./leadership.ts";
import { type LogState, loadLogState } from "./log-state.ts";
import { createNotifier, type Notifier, parseScope, sequencedChannel, wakeChannel } from "./notify.ts";
import type { OnSequenced, Sequenced, SequencerLog } from "./progress.ts";
import { type LogScope, scopeKey } from "./scope.ts";
import { createSignal } from "./signal.ts";

export interface SequencerOptions {
  /** One of its connections is held for as long as the sequencer runs. Session locks: not through a pooler in transaction mode. */
  readonly pool: Pool;
  /** The installation's name: the first part of every new log's origin. */
  readonly installation: string;
  readonly signer: Ed25519Signer;
  readonly clock: Clock;
  readonly log: SequencerLog;
  /** How often to look without being woken, and to try for the locks that another process holds (milliseconds, 250 unless told). */
  readonly pollMs?: number;
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
  status(): SequencerStatus;
}

/** A log whose lock this session holds. */
interface Held {
  state: LogState | null;
  readonly scope: LogScope;
  behindMs: number;
}

const retryMs = { first: 50, most: 1_000 };
/** Pauses after a batch, so that the next collects more: four times what the batch took, within these bounds (milliseconds). */
const pauseMs = { least: 3, most: 100 };
/** How soon to look again for a row that the horizon hides (milliseconds). */
const hiddenMs = 3;
/** A batch of so many is catching up: no pause. */
const busyBatch = 2_000;

/**
 * Turns committed records and events into the log: leaf index, key number, event sequence, tiles and signed checkpoint. Any number of processes may run
 * one; per log the holder of its advisory lock works, another takes over within the poll interval when the holder's connection ends.
 */
export function createSequencer(options: SequencerOptions): Sequencer {
  const loop = new SequencerLoop(options);
  return {
    start: () => loop.start(),
    stop: () => loop.stop(),
    wake: (scope) => loop.wake(scope),
    onSequenced: (callback) => loop.onSequenced(callback),
    status: () => loop.status(),
  };
}

class SequencerLoop {
  readonly #options: SequencerOptions;
  readonly #pollMs: number;
  readonly #notifier: Notifier;
  readonly #signal = createSignal();
  readonly #callbacks = new Set<(sequenced: Sequenced) => void>();
  readonly #held = new Map<string, Held>();
  /** Logs that were locked elsewhere when last tried. */
  readonly #foreign = new Set<string>();
  readonly #due = new Set<string>();
  #stopping = false;
  #connected = false;
  #leaves = 0;
  #running: Promise<void> | null = null;

  constructor(options: SequencerOptions) {
    this.#options = options;
    this.#pollMs = options.pollMs ?? 250;
    this.#notifier = createNotifier(options.pool, options.log);
  }

  start(): void {
    if (!this.#stopping) this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#signal.close();
    await this.#running;
    await this.#notifier.close();
    this.#callbacks.clear();
  }

  wake(scope?: LogScope): void {
    if (scope ? this.#held.has(scopeKey(scope)) : this.#held.size > 0) this.#mark(scope);
    else this.#notifier.wake(scope);
  }

  onSequenced(callback: (sequenced: Sequenced) => void): () => void {
    this.#callbacks.add(callback);
    return () => void this.#callbacks.delete(callback);
  }

  status(): SequencerStatus {
    const leading = [...this.#held.values()].map(({ scope, state, behindMs }) => ({ scope, treeSize: state?.tree.size ?? 0, behindMs }));
    return { connected: this.#connected, leading, leaves: this.#leaves };
  }

  #mark(scope?: LogScope): void {
    if (scope) this.#due.add(scopeKey(scope));
    else for (const key of this.#held.keys()) this.#due.add(key);
    this.#signal.raise();
  }

  #emit(sequenced: Sequenced): void {
    for (const callback of this.#callbacks) callback(sequenced);
  }

  #hear(channel: string, payload: string | undefined): void {
    if (channel === wakeChannel) {
      const scope = parseScope(payload);
      if (!scope || !this.#foreign.has(scopeKey(scope))) this.#mark(scope);
    }
    const sequenced = channel === sequencedChannel ? this.#notifier.parseSequenced(payload) : undefined;
    if (sequenced) this.#emit(sequenced);
  }

  /** Session after session, until stopped. */
  async #run(): Promise<void> {
    const { log } = this.#options;
    let wait = retryMs.first;
    while (!this.#stopping) {
      const began = performance.now();
      try {
        await this.#connect();
      } catch (error) {
        if (this.#stopping) return;
        if (performance.now() - began > 5_000) wait = retryMs.first;
        log.warn(`The audit log's sequencer connects again in ${wait} ms: ${messageOf(error)}`);
        await this.#signal.pause(wait);
        wait = Math.min(retryMs.most, wait * 2);
      }
    }
  }

  async #connect(): Promise<void> {
    const client = await this.#options.pool.connect();
    let ended = false;
    const end = (): void => {
      ended = true;
      this.#signal.raise();
    };
    client.on("error", end).on("end", end);
    client.on("notification", ({ channel, payload }) => this.#hear(channel, payload));
    try {
      // Always by index and in its order, whatever stale statistics suggest for a table that grows by the second.
      await client.query(
        "set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off; set enable_incremental_sort = off; set statement_timeout = 0",
      );
      await client.query(`listen ${wakeChannel}; listen ${sequencedChannel}`);
      this.#connected = true;
      await this.#session(client, () => ended);
    } finally {
      this.#connected = false;
      this.#held.clear();
      client.release(true); // ends the session: with it the locks and settings
    }
  }

  async #session(client: PoolClient, ended: () => boolean): Promise<void> {
    let looked = Number.NEGATIVE_INFINITY;
    while (!this.#stopping) {
      if (ended()) throw new Error("the connection ended");
      const unknown = [...this.#due].some((key) => !this.#held.has(key));
      if (unknown || performance.now() - looked >= this.#pollMs) {
        await this.#takeLogs(client);
        looked = performance.now();
        this.#mark();
      }
      this.#signal.lower();
      const pause = await this.#round(client);
      if (this.#stopping) break;
      if (pause !== null) await this.#signal.pause(pause);
      else await this.#signal.wait(Math.max(1, looked + this.#pollMs - performance.now()));
    }
  }

  /** Tries for the lock of every log that is not held. */
  async #takeLogs(client: PoolClient): Promise<void> {
    this.#foreign.clear();
    for (const scope of await findLogs(client)) {
      const key = scopeKey(scope);
      if (this.#held.has(key)) continue;
      if (await tryLock(client, scope)) {
        this.#held.set(key, { scope, state: null, behindMs: 0 });
        this.#options.log.info(`This process now sequences the audit log of ${scope.organization}/${scope.environment}.`);
      } else this.#foreign.add(key);
    }
  }

  /** One batch of every log that is due. Answers the shortest pause that one of them wants before its next; null when nothing waits. */
  async #round(client: PoolClient): Promise<number | null> {
    const logs = [...this.#due].map((key) => this.#held.get(key)).filter((held) => held !== undefined);
    this.#due.clear();
    if (logs.length === 0) return null;
    const horizon = await readHorizon(client);
    let pause: number | null = null;
    for (const held of logs) {
      const wish = await this.#batch(client, held, horizon);
      if (wish === null) continue;
      this.#due.add(scopeKey(held.scope));
      pause = pause === null ? wish : Math.min(pause, wish);
      if (this.#stopping) break;
    }
    return pause;
  }

  /** One batch of one log. Answers how long to pause before its next, in milliseconds; null when nothing waits. */
  async #batch(client: PoolClient, held: Held, horizon: string): Promise<number | null> {
    const { installation, signer, clock, log } = this.#options;
    const began = performance.now();
    try {
      held.state ??= await loadLogState(client, held.scope, installation);
      const result = await sequenceBatch(client, held.state, horizon, signer, clock);
      if (result.records + result.events > 0) {
        this.#report(held, held.state, result);
        return result.full || result.records >= busyBatch
          ? 0
          : Math.min(pauseMs.most, Math.max(pauseMs.least, 4 * (performance.now() - began)));
      }
      const hidden = await hasMore(client, held.state);
      if (!hidden) held.behindMs = 0;
      return hidden ? hiddenMs : null;
    } catch (error) {
      held.state = null;
      await client.query("rollback"); // fails if the connection is gone, and so ends the session
      log.error(
        `A batch of the audit log ${held.scope.organization}/${held.scope.environment} was not written and is tried again: ${messageOf(error)}`,
      );
      return null;
    }
  }

  #report(held: Held, state: LogState, result: BatchResult): void {
    const { clock, log } = this.#options;
    this.#leaves += result.records;
    for (const id of result.damaged) log.error(`The audit record ${id} is not in the record format; it was logged as it stands.`);
    const oldest = result.oldest === null ? undefined : timeOfId(result.oldest);
    if (oldest !== undefined) held.behindMs = Math.max(0, clock.now() - oldest);
    const sequenced = { scope: held.scope, treeSize: state.tree.size, eventSequence: state.eventSequence };
    this.#emit(sequenced);
    this.#notifier.sequenced(sequenced);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
