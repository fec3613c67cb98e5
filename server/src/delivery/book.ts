import type { Pool } from "pg";
import type { Clock } from "../kernel/clock.ts";
import type { Health } from "./outcome-store.ts";
import { writeOutcomes } from "./outcome-store.ts";
import type { Outcome } from "./types.ts";

/** Outcomes that one statement writes. */
const batch = 500;
/** After a statement that failed (milliseconds). */
const retryMs = 1_000;

export interface BookParts {
  readonly pool: Pool;
  readonly clock: Clock;
  /** The machine whose claims the outcomes belong to. */
  readonly by: string;
  readonly written: (health: readonly Health[]) => void;
  readonly report: (error: unknown) => void;
}

/** Writes the outcomes of attempts: those that come while a statement is under way share the next one. */
export class Book {
  readonly #parts: BookParts;
  #waiting: Outcome[] = [];
  #writing: Promise<void> | null = null;
  #stopping = false;

  constructor(parts: BookParts) {
    this.#parts = parts;
  }

  add(outcome: Outcome): void {
    this.#waiting.push(outcome);
    this.#writing ??= this.#write();
  }

  /** Waits until all that was added is written, or could not be: then its claims lapse, and the deliveries are attempted again. */
  async close(): Promise<void> {
    this.#stopping = true;
    await this.#writing;
  }

  async #write(): Promise<void> {
    const { pool, clock, by, written, report } = this.#parts;
    await new Promise(setImmediate); // what ends in the same turn is written together
    while (this.#waiting.length > 0) {
      const now = this.#waiting.splice(0, batch);
      try {
        written(await writeOutcomes(pool, by, clock.now(), onceEach(now)));
      } catch (error) {
        report(error);
        if (this.#stopping) break;
        this.#waiting.unshift(...now);
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    }
    this.#writing = null;
  }
}

/** One row for each attempt: a note that it was lost gives way to what it came to after all. */
function onceEach(outcomes: readonly Outcome[]): Outcome[] {
  const rows = new Map<string, Outcome>();
  for (const outcome of outcomes) {
    const name = `${outcome.claimed.id} ${outcome.claimed.number}`;
    if (outcome.fate !== null || !rows.has(name)) rows.set(name, outcome);
  }
  return [...rows.values()];
}
