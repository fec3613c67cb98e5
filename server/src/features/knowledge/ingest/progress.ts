import { workLease } from "../../../kernel/lease.ts";
import type { Statements } from "../../../kernel/machines.ts";
import { type Held, reportProgress } from "./store.ts";

/** Another attempt has the document. */
export class Lost extends Error {}

/** What was reported is written at most twice a second (milliseconds). */
const writeEveryMs = 500;

/** How far a job is, in the document's row, with its lease. */
export class Progress {
  readonly #db: Statements;
  readonly #held: Held;
  readonly #lost = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #at: { state: "parsing" | "indexing"; progress: number } = { state: "parsing", progress: 0 };
  #written = 0;

  constructor(db: Statements, held: Held) {
    this.#db = db;
    this.#held = held;
    // A lease that cannot be renewed lapses.
    this.#timer = setInterval(() => void this.#write().catch(() => undefined), workLease.renewMs);
  }

  /** Aborted once the document is lost. */
  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  async report(state: "parsing" | "indexing", progress: number): Promise<void> {
    if (state === "parsing" && this.#at.state === "indexing") return this.assertHeld(); // rows are parsed while they are indexed
    const began = state !== this.#at.state;
    this.#at = { state, progress };
    if (began || performance.now() - this.#written >= writeEveryMs) await this.#write();
    this.assertHeld();
  }

  assertHeld(): void {
    if (this.#lost.signal.aborted) throw new Lost();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #write(): Promise<void> {
    this.#written = performance.now();
    if (!(await reportProgress(this.#db, this.#held, this.#at))) this.#lost.abort(new Lost());
  }
}
