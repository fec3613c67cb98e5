/*
 * Grants of a budget. Calls of all processes share a budget without sharing a row: each process is granted a part of what is left and hands it out
 * from memory. The database keeps two sums of a window: reported as used, and granted to processes. Together they never exceed the hard limit, and a
 * call gets only what its process holds.
 *
 * Everything here is pure. The statements in grant-store.ts follow `takeOf` and `goneOf`.
 */

/** A grant that is not renewed for so many seconds lapses. */
export const grantSeconds = 30;

/** What the database knows of a window. Amounts are whole; `hard` null means unlimited. */
export interface WindowUse {
  readonly hard: number | null;
  readonly used: number;
  readonly granted: number;
}

/**
 * How much a process is granted. `missing`: what it needs for its first waiting call, for its first two, and so on, ascending; `ahead`: what it
 * expects to use soon. Plenty left: some in advance, at most a twentieth of what is left. Near the end: exactly what as many calls as possible need.
 */
export function takeOf({ hard, used, granted }: WindowUse, missing: readonly number[], ahead: number): number {
  const needs = missing.at(-1) ?? 0;
  if (hard === null) return Math.max(needs, ahead);
  const room = Math.max(0, hard - used - granted);
  if (room >= 100 * Math.max(1, needs)) return Math.min(room, Math.max(needs, Math.min(Math.floor(room / 20), ahead)));
  return missing.reduce((most, amount) => (amount <= room ? Math.max(most, amount) : most), 0);
}

export function goneOf(amount: number, spent: number, back: number): number {
  return Math.min(amount, spent + back);
}

export interface Report {
  readonly spent: number;
  readonly back: number;
}

/**
 * What one process holds of one window: free, reserved by calls under way, spent but not reported, or being returned. `held` is their sum and equals
 * `budget_grants.amount`, unless a call used more than it had reserved or the outcome of a statement is unknown.
 */
export class Grant {
  #held = 0;
  #reserved = 0;
  #spent = 0;
  #returning = 0;
  #reporting: Report | null = null;
  #lost = false;

  get free(): number {
    return this.#held - this.#reserved - this.#spent - this.#returning;
  }
  get held(): number {
    return this.#held;
  }
  get reserved(): number {
    return this.#reserved;
  }
  /** Used, and not known to be reported. */
  get spent(): number {
    return this.#spent;
  }
  /** It lapsed: all of it counts as used, and nothing more is handed out. */
  get lost(): boolean {
    return this.#lost;
  }

  take(amount: number): boolean {
    if (this.#lost || amount > this.free) return false;
    this.#reserved += amount;
    return true;
  }

  settle(amount: number, actual: number): void {
    this.#reserved -= amount;
    this.#spent += actual;
  }

  release(amount: number): void {
    this.#reserved -= amount;
  }

  /** The database granted `taken`, and now holds `held` for this process. Returns false where what was held before has lapsed: replace it by a new one of `held`. */
  add(taken: number, held: number): boolean {
    if (this.#lost || held - taken !== this.#held) return false;
    this.#held = held;
    return true;
  }

  /** Begins a report of all that was spent. `back`: all that is free is given back. One at a time. */
  beginReport(back: boolean): Report {
    this.#returning = back ? Math.max(0, this.free) : 0;
    this.#reporting = { spent: this.#spent, back: this.#returning };
    return this.#reporting;
  }

  /** The database took the report, and now holds so much for this process. */
  reported(held: number): void {
    this.#spent -= this.#reporting?.spent ?? 0;
    this.#endReport();
    this.#held = held;
  }

  #endReport(): void {
    this.#returning = 0;
    this.#reporting = null;
  }

  /**
   * After a statement whose outcome is unknown: what the database holds for this process, from which follows whether a report arrived. A statement
   * that grants only adds: where less is held than before, that has lapsed.
   */
  found(now: number): void {
    const report = this.#reporting;
    const after = report && this.#held - goneOf(this.#held, report.spent, report.back);
    if (report && now === after) this.reported(now);
    else if (now < this.#held) this.lose();
    else {
      this.#endReport();
      this.#held = now;
    }
  }

  /** What calls under way still settle is counted already. */
  lose(): void {
    this.#lost = true;
    this.#endReport();
    this.#held = 0;
    this.#reserved = 0;
    this.#spent = 0;
  }
}
