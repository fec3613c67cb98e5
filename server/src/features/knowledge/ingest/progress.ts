import { workLease } from "../../../kernel/lease.ts";
import type { JobParts, Statements } from "../../../kernel/machines.ts";
import type { DownloadPort } from "../ports.ts";
import { type Claimed, type Held, reportProgress } from "./store.ts";

/** Another attempt has the document. */
export class Lost extends Error {}

/** At most one write in this time (milliseconds). */
const writeEveryMs = 500;

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

export type IngestParts = Pick<JobParts, "db" | "inside" | "clock" | "newId">;

export interface Working extends IngestParts {
  readonly port: DownloadPort;
  readonly row: Claimed;
  readonly progress: Progress;
  readonly folder: string;
}
