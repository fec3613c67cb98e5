import { consistencyProof, toHex } from "@aos/proof";
import type { Pool } from "pg";
import type { Clock } from "../kernel/clock.ts";
import { findLogs } from "./leadership.ts";
import type { SequencerLog } from "./progress.ts";
import { type LogScope, scopeKey } from "./scope.ts";
import type { Sequencer } from "./sequencer.ts";
import { createSignal } from "./signal.ts";
import { tileReader } from "./tile-store.ts";
import { addCheckpoint, type Witness, type WitnessAnswer, type WitnessSend } from "./witness-exchange.ts";
import {
  type ConflictKind,
  keepConflict,
  keepCosignatures,
  readHead,
  type WitnessConflict,
  type WitnessedHead,
} from "./witness-store.ts";

/** What came of a request, for metrics. */
export type WitnessOutcome = "cosigned" | "conflict" | "failed";

export interface WitnessClientOptions {
  readonly pool: Pool;
  readonly witnesses: readonly Witness[];
  readonly send: WitnessSend;
  /** Only the process that sequences a log asks for cosignatures on it. */
  readonly sequencer: Pick<Sequencer, "onSequenced" | "status">;
  readonly clock: Clock;
  readonly log: SequencerLog;
  readonly onOutcome?: (witness: Witness, outcome: WitnessOutcome) => void;
  /** Called when a witness begins to refuse a log's head. */
  readonly onConflict?: (scope: LogScope, witness: Witness, conflict: WitnessConflict) => void;
  /** Least time between two requests to a witness about one log (milliseconds, 1,000 by default). */
  readonly intervalMs?: number;
}

/** How a log stands with a witness, as far as this process asked. */
export interface WitnessStanding {
  readonly witness: Witness;
  readonly scope: LogScope;
  /** Milliseconds since the epoch; null: not in this process. */
  readonly cosignedAt: number | null;
  readonly conflict: ConflictKind | null;
}

export interface WitnessClient {
  start(): Promise<void>;
  /** Ends requests that are under way. */
  stop(): Promise<void>;
  standings(): readonly WitnessStanding[];
}

/** The longest pause after failures, and that after a conflict: it passes only by what a person does (milliseconds). */
const longestPause = 60_000;
/** How often to look whether this process has come to lead a log that is due (milliseconds). */
const lookMs = 500;

/** The name by which a witness stands in the database and in messages: its verifier key without the public key. */
export const witnessId = ({ key }: Pick<Witness, "key">): string => `${key.name}+${toHex(key.id)}`;

/**
 * Asks witnesses (C2SP tlog-witness) to cosign each new head: of every log the newest, at most one request at a time to a witness. Nothing waits for them: a head is
 * published when it is signed, and its cosignatures are added when they come.
 */
export function createWitnessClient(options: WitnessClientOptions): WitnessClient {
  const workers = options.witnesses.map((witness) => new WitnessWorker(options, witness));
  let unsubscribe = (): void => undefined;
  return {
    async start() {
      if (workers.length === 0) return;
      unsubscribe = options.sequencer.onSequenced(({ scope }) => {
        for (const worker of workers) worker.mark(scope);
      });
      for (const scope of await findLogs(options.pool)) for (const worker of workers) worker.mark(scope);
      for (const worker of workers) worker.start();
    },
    async stop() {
      unsubscribe();
      await Promise.all(workers.map((worker) => worker.stop()));
    },
    standings: () => workers.flatMap((worker) => worker.standings()),
  };
}

/** A log as one witness sees it. */
interface Line {
  readonly scope: LogScope;
  due: boolean;
  /** Whether this process has had an answer about it. The first request goes out even for a head that the database says is cosigned: it may have been restored. */
  answered: boolean;
  /** Not before this time of the process's own clock (`performance.now`). */
  notBefore: number;
  failures: number;
  cosignedAt: number | null;
  conflict: ConflictKind | null;
}

class WitnessWorker {
  readonly #options: WitnessClientOptions;
  readonly #witness: Witness;
  readonly #intervalMs: number;
  readonly #lines = new Map<string, Line>();
  readonly #signal = createSignal();
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(options: WitnessClientOptions, witness: Witness) {
    this.#options = options;
    this.#witness = witness;
    this.#intervalMs = options.intervalMs ?? 1_000;
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#signal.close();
    await this.#running;
  }

  standings(): WitnessStanding[] {
    return [...this.#lines.values()].map(({ scope, cosignedAt, conflict }) => ({
      witness: this.#witness,
      scope,
      cosignedAt,
      conflict,
    }));
  }

  mark(scope: LogScope): void {
    const key = scopeKey(scope);
    const line = this.#lines.get(key) ?? {
      scope,
      due: false,
      answered: false,
      notBefore: 0,
      failures: 0,
      cosignedAt: null,
      conflict: null,
    };
    this.#lines.set(key, line);
    if (line.due) return;
    line.due = true;
    this.#signal.raise();
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.#signal.lower();
      const now = performance.now();
      const leading = new Set(this.#options.sequencer.status().leading.map(({ scope }) => scopeKey(scope)));
      const due = [...this.#lines].filter(([key, line]) => line.due && leading.has(key)).map(([, line]) => line);
      const next = due.toSorted((a, b) => a.notBefore - b.notBefore)[0];
      if (next && next.notBefore <= now) await this.#turn(next);
      else await this.#signal.wait(Math.min(lookMs, next ? next.notBefore - now : lookMs));
    }
  }

  /** One log's turn. Whatever fails is tried again, each time after a longer pause. */
  async #turn(line: Line): Promise<void> {
    line.due = false;
    let outcome: WitnessOutcome | null = "failed";
    try {
      outcome = await this.#submit(line);
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      this.#warn(line, error instanceof Error ? error.message : String(error));
    }
    if (outcome !== null) this.#options.onOutcome?.(this.#witness, outcome);
    line.failures = outcome === "failed" ? line.failures + 1 : 0;
    line.due ||= outcome === "failed" || outcome === "conflict";
    const pause = outcome === "conflict" ? longestPause : this.#intervalMs * 2 ** Math.min(line.failures, 10);
    line.notBefore = performance.now() + Math.min(pause, longestPause);
  }

  /** Null: the newest head is cosigned already. */
  async #submit(line: Line): Promise<WitnessOutcome | null> {
    const { pool, clock } = this.#options;
    const id = witnessId(this.#witness);
    let head = await readHead(pool, line.scope, id);
    if (!head) return null;
    line.conflict = head.conflict;
    if (head.done && head.conflict === null && line.answered) return null;
    let answer = await this.#ask(line.scope, head, Math.min(head.cosigned, head.size));
    if (answer.state === "elsewhere") {
      // Meanwhile the log may have grown, and another process have asked: what counts is the head as it is now.
      head = (await readHead(pool, line.scope, id)) ?? head;
      const { size } = answer;
      if (size > head.size) {
        return this.#conflict(line, head, {
          kind: "rollback",
          detail: `it cosigned a head of ${size} records, and the log now has ${head.size}: records that were signed are missing`,
        });
      }
      answer = await this.#ask(line.scope, head, size);
      if (answer.state === "elsewhere")
        throw new Error(`its newest head changed from ${size} to ${answer.size} records between two requests`);
    }
    if (answer.state === "inconsistent") {
      const detail = "the log is no extension of the head that it cosigned: records that were signed have changed";
      return this.#conflict(line, head, {
        kind: "fork",
        detail: answer.detail === "" ? detail : `${detail}; it said: ${answer.detail}`,
      });
    }
    if (answer.state === "failed") throw new Error(answer.detail);
    line.answered = true;
    await keepCosignatures(pool, line.scope, id, head, answer.line, new Date(clock.now()));
    if (line.failures > 0 || line.conflict !== null) this.#tell(line, "info", "cosigns again");
    line.conflict = null;
    line.cosignedAt = clock.now();
    return "cosigned";
  }

  async #ask(scope: LogScope, { checkpoint, size }: WitnessedHead, from: number): Promise<WitnessAnswer> {
    const proof =
      from === 0 || from === size ? [] : await consistencyProof(tileReader(this.#options.pool, scope), from, size);
    return addCheckpoint(this.#witness, { checkpoint, from, proof }, this.#options.send, this.#stopping.signal);
  }

  async #conflict(line: Line, { origin }: WitnessedHead, conflict: WitnessConflict): Promise<"conflict"> {
    const { pool, clock, onConflict } = this.#options;
    await keepConflict(pool, line.scope, witnessId(this.#witness), origin, conflict, new Date(clock.now()));
    this.#tell(
      line,
      "error",
      `refuses the newest head (${conflict.kind}): ${conflict.detail}. See docs/operations/audit-log.md`,
    );
    if (line.conflict !== conflict.kind) onConflict?.(line.scope, this.#witness, conflict);
    line.conflict = conflict.kind;
    return "conflict";
  }

  #warn(line: Line, detail: string): void {
    // The first failure, and then ever more rarely.
    if ((line.failures & (line.failures + 1)) === 0)
      this.#tell(line, "warn", `did not cosign and is asked again: ${detail}`);
  }

  #tell({ scope }: Line, level: keyof SequencerLog, what: string): void {
    this.#options.log[level](
      `The witness ${witnessId(this.#witness)} of the audit log ${scope.organization}/${scope.environment} ${what}.`,
    );
  }
}
