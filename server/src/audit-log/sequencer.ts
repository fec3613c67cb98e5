import type { Ed25519Signer } from "@aos/proof";
import type { Pool, PoolClient } from "pg";
import { timeOfId } from "../kernel/ids.ts";
import { type BatchResult, batchLimit, hasMore, readHorizon, StaleLogState, sequenceBatch } from "./batch.ts";
import { numberEvents } from "./event-positions.ts";
import { createHearing } from "./hearing.ts";
import { answerJoin, Joining } from "./joining.ts";
import { findLogs, tryLock, unlock } from "./leadership.ts";
import { hasLeaves, type LogState, type LogTrust, loadLogState, readLogRow } from "./log-state.ts";
import {
  askChannel,
  createNotifier,
  type Notifier,
  parseAsk,
  parseScope,
  sequencedChannel,
  wakeChannel,
} from "./notify.ts";
import type { Sequenced, Stopped } from "./progress.ts";
import { type LogScope, scopeKey } from "./scope.ts";
import type { Sequencer, SequencerOptions, SequencerStatus } from "./sequencer-types.ts";
import { createSignal } from "./signal.ts";
import { LogStopped, stopRemedy } from "./stop.ts";
import { clearStop, writeStop } from "./stops.ts";

export type { Sequencer, SequencerOptions, SequencerStatus } from "./sequencer-types.ts";

/** A log whose lock this session holds. */
interface Held {
  state: LogState | null;
  readonly scope: LogScope;
  behindMs: number;
  /** Why it is not signed, and when to look again (by the clock of performance.now). */
  stopped: { readonly why: LogStopped; again: number } | null;
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
    onStopped: (callback) => loop.onStopped(callback),
    status: () => loop.status(),
  };
}

class SequencerLoop {
  readonly #options: SequencerOptions;
  readonly #pollMs: number;
  readonly #notifier: Notifier;
  readonly #signal = createSignal();
  readonly #callbacks = new Set<(sequenced: Sequenced) => void>();
  readonly #stopCallbacks = new Set<(stopped: Stopped) => void>();
  readonly #joining: Joining;
  readonly #hearing: ReturnType<typeof createHearing>;
  readonly #held = new Map<string, Held>();
  /** Logs that were locked elsewhere when last tried. */
  readonly #foreign = new Set<string>();
  readonly #due = new Set<string>();
  #stopping = false;
  #connected = false;
  #leaves = 0;
  #keyGone = false;
  #running: Promise<void> | null = null;

  constructor(options: SequencerOptions) {
    this.#options = options;
    this.#pollMs = options.pollMs ?? 250;
    this.#notifier = createNotifier(options.pool, options.log);
    this.#joining = new Joining(options.pins, options.mac, (scope, nonce) => this.#notifier.ask(scope, nonce));
    this.#hearing = createHearing(
      { ...options, publicKey: options.signer?.publicKey ?? null },
      (scope, error) => void this.#heardWrong(scope, error),
    );
  }

  start(): void {
    if (!this.#stopping) this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#signal.close();
    await this.#running;
    await this.#hearing.idle();
    await this.#notifier.close();
    this.#callbacks.clear();
    this.#stopCallbacks.clear();
  }

  wake(scope?: LogScope): void {
    if (scope ? this.#held.has(scopeKey(scope)) : this.#held.size > 0) this.#mark(scope);
    else this.#notifier.wake(scope);
  }

  onSequenced(callback: (sequenced: Sequenced) => void): () => void {
    this.#callbacks.add(callback);
    return () => void this.#callbacks.delete(callback);
  }

  onStopped(callback: (stopped: Stopped) => void): () => void {
    this.#stopCallbacks.add(callback);
    return () => void this.#stopCallbacks.delete(callback);
  }

  status(): SequencerStatus {
    const leading = [...this.#held.values()].map(({ scope, state, behindMs }) => ({
      scope,
      treeSize: state?.tree.size ?? 0,
      behindMs,
    }));
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
    } else if (channel === askChannel) this.#answer(payload);
    else this.#take(this.#notifier.parseSequenced(payload));
  }

  /** What another process published or answered. */
  #take(message: ReturnType<Notifier["parseSequenced"]>): void {
    if (!message) return;
    const { signer, log } = this.#options;
    if ("answer" in message) {
      if (signer)
        this.#joining.take(message.scope, message.answer, signer).catch((error) => log.error(messageOf(error)));
      return;
    }
    if (message.checkpoint !== null) this.#hearing.hear(message.scope, message.checkpoint, message.epoch);
    this.#emit(message);
  }

  /** Only who has made sure of a log answers for it. */
  #answer(payload: string | undefined): void {
    const asked = parseAsk(payload);
    const state = asked && this.#held.get(scopeKey(asked.scope))?.state;
    if (asked && state?.checkpoint)
      this.#notifier.answer(asked.scope, answerJoin(this.#options.mac, asked.scope, asked.nonce, state.checkpoint));
  }

  async #heardWrong(scope: LogScope, error: unknown): Promise<void> {
    if (error instanceof LogStopped) await this.#tellStop(scope, error, this.#options.pool);
    else this.#options.log.error(`A published head of ${nameOf(scope)} was not saved: ${messageOf(error)}`);
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
      await client.query(`listen ${wakeChannel}; listen ${sequencedChannel}; listen ${askChannel}`);
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
    await this.#lookForKey(client);
    this.#foreign.clear();
    for (const scope of await findLogs(client)) {
      const key = scopeKey(scope);
      if (this.#held.has(key)) continue;
      if (!(await this.#joining.waits(scope, () => isEmpty(client, scope))) && (await tryLock(client, scope))) {
        this.#held.set(key, { scope, state: null, behindMs: 0, stopped: null });
        this.#options.log.info(`This process now sequences the audit log of ${nameOf(scope)}.`);
      } else this.#foreign.add(key);
    }
  }

  /** A key that is gone from the database stops signing, although this process still has it: the next one would make another. */
  async #lookForKey(client: PoolClient): Promise<void> {
    const { keyName } = this.#options;
    if (keyName === undefined) return;
    const text = "select exists (select from secrets where name = $1) as there";
    const { rows } = await client.query<{ there: boolean }>({ name: "audit_key_there", text, values: [keyName] });
    const gone = rows[0]?.there !== true;
    if (gone && !this.#keyGone) for (const held of this.#held.values()) held.state = null;
    this.#keyGone = gone;
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
    const { log, recheckMs = 2_000 } = this.#options;
    const { scope } = held;
    try {
      if (held.stopped && performance.now() < held.stopped.again) {
        await this.#onlyEvents(client, held, horizon);
        return null;
      }
      const isFresh = held.state === null;
      const pause = await this.#sequence(client, held, horizon);
      if (isFresh && (await clearStop(client, scope))) log.warn(`The audit log of ${nameOf(scope)} is signed again.`);
      held.stopped = null;
      return pause;
    } catch (error) {
      held.state = null;
      await client.query("rollback"); // fails if the connection is gone, and so ends the session
      if (error instanceof LogStopped) {
        held.stopped = { why: error, again: performance.now() + recheckMs };
        await this.#tellStop(scope, error, client);
        await this.#onlyEvents(client, held, horizon);
        if (error.reason === "pins_missing") await this.#giveBack(client, held);
        return null;
      }
      log.error(`A batch of the audit log ${nameOf(scope)} was not written and is tried again: ${messageOf(error)}`);
      return error instanceof StaleLogState ? 0 : null;
    }
  }

  async #sequence(client: PoolClient, held: Held, horizon: string): Promise<number | null> {
    const { clock, signer } = this.#options;
    const began = performance.now();
    const trust: LogTrust = {
      ...this.#options,
      signer: this.#keyGone ? null : signer,
      warn: (message) => this.#options.log.warn(message),
    };
    held.state ??= await loadLogState(client, held.scope, trust);
    const result = await sequenceBatch(
      client,
      held.state,
      horizon,
      { ...trust, signer: signer as Ed25519Signer },
      clock,
    );
    if (result.records + result.events > 0) {
      this.#report(held, held.state, result);
      return result.full || result.records >= busyBatch
        ? 0
        : Math.min(pauseMs.most, Math.max(pauseMs.least, 4 * (performance.now() - began)));
    }
    const hidden = await hasMore(client, held.state, trust.mac);
    if (!hidden) held.behindMs = 0;
    return hidden ? hiddenMs : null;
  }

  /** Of a log that is not signed: webhooks and streams go on. */
  async #onlyEvents(client: PoolClient, { scope }: Held, horizon: string): Promise<void> {
    const eventSequence = await numberEvents(client, scope, horizon, batchLimit, new Date(this.#options.clock.now()));
    if (eventSequence === null) return;
    const sequenced: Sequenced = { scope, treeSize: 0, eventSequence, checkpoint: null, epoch: 0 };
    this.#emit(sequenced);
    this.#notifier.sequenced(sequenced);
  }

  /** Another process may know the log. */
  async #giveBack(client: PoolClient, { scope }: Held): Promise<void> {
    await unlock(client, scope);
    this.#held.delete(scopeKey(scope));
    this.#joining.askAgain(scope);
  }

  async #tellStop(scope: LogScope, why: LogStopped, db: Pick<Pool | PoolClient, "query">): Promise<void> {
    const { log, clock } = this.#options;
    const news = await writeStop(db, scope, why, new Date(clock.now()));
    if (!news) return;
    log.error(`The audit log of ${nameOf(scope)} is no longer signed (${why.reason}). ${why.message} ${stopRemedy}`);
    for (const callback of this.#stopCallbacks) callback({ scope, reason: why.reason, detail: why.detail });
  }

  #report(held: Held, state: LogState, result: BatchResult): void {
    const { clock } = this.#options;
    this.#leaves += result.records;
    const oldest = result.oldest === null ? undefined : timeOfId(result.oldest);
    if (oldest !== undefined) held.behindMs = Math.max(0, clock.now() - oldest);
    const { checkpoint, epoch, eventSequence } = state;
    const sequenced: Sequenced = { scope: held.scope, treeSize: state.tree.size, eventSequence, checkpoint, epoch };
    this.#emit(sequenced);
    this.#notifier.sequenced(sequenced);
  }
}

const isEmpty = async (client: PoolClient, scope: LogScope): Promise<boolean> =>
  (await readLogRow(client, scope)) === undefined && !(await hasLeaves(client, scope));

const nameOf = ({ organization, environment }: LogScope): string => `${organization}/${environment}`;

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
