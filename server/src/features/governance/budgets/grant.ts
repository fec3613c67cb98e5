/*
 * Portions of a budget. Calls of all processes share a budget without sharing a row: each process holds a portion of what is left, and hands it out
 * from its memory. The database knows two sums of a window: what was reported as used, and what is in the hands of processes; together they
 * never exceed the hard limit, and neither does what calls are given, since a call is given only what its process holds.
 *
 * Everything here is pure. The statements that move amounts between database and portion (portion-store.ts) follow `takeOf` and `goneOf`.
 */

/** How long a process holds a portion without renewing it (seconds). One that is not renewed counts as used. */
export const grantSeconds = 30;

/** What the database knows of a window of a budget. Amounts are whole; `hard` null: without end. */
export interface WindowUse {
  readonly hard: number | null;
  readonly used: number;
  readonly granted: number;
}

/**
 * How much a process gets. `missing` is what it would need for its first waiting call, for its first two, and so on, in ascending order; `ahead` is
 * what it expects to use soon. Plenty left: some in advance, at most a twentieth of what is left. Near the end: exactly what as many calls as
 * possible need, so that no process keeps what another one could use.
 */
export function takeOf({ hard, used, granted }: WindowUse, missing: readonly number[], ahead: number): number {
  const needs = missing.at(-1) ?? 0;
  if (hard === null) return Math.max(needs, ahead);
  const room = Math.max(0, hard - used - granted);
  if (room >= 100 * Math.max(1, needs)) return Math.min(room, Math.max(needs, Math.min(Math.floor(room / 20), ahead)));
  return missing.reduce((most, amount) => (amount <= room ? Math.max(most, amount) : most), 0);
}

/** By how much a grant of `amount` shrinks when so much is reported as used and so much given back. A call may have used more than it had reserved. */
export function goneOf(amount: number, spent: number, back: number): number {
  return Math.min(amount, spent + back);
}

/** A report on its way to the database: used, and given back. */
export interface Report {
  readonly spent: number;
  readonly back: number;
}

/**
 * What one process holds of one window. An amount is at any time in one of these: free; reserved by calls under way; spent but not reported;
 * leaving, on its way back. `held` is their sum, and what `budget_grants.amount` says, but for more being spent than was reserved, and but for
 * statements whose outcome is not known yet.
 */
export class Portion {
  /** By the last word of the database. */
  #held = 0;
  #reserved = 0;
  #spent = 0;
  #leaving = 0;
  #reporting: Report | null = null;
  #lost = false;

  /** What can be reserved now. */
  get free(): number {
    return this.#held - this.#reserved - this.#spent - this.#leaving;
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
  /** It lapsed: all of it counts as used already, and nothing of it is handed out any more. */
  get lost(): boolean {
    return this.#lost;
  }

  /** Reserves so much, or nothing. */
  take(amount: number): boolean {
    if (this.#lost || amount > this.free) return false;
    this.#reserved += amount;
    return true;
  }

  /** A call that had reserved `amount` used `actual`. */
  settle(amount: number, actual: number): void {
    this.#reserved -= amount;
    this.#spent += actual;
  }

  /** A call that had reserved `amount` used nothing. */
  release(amount: number): void {
    this.#reserved -= amount;
  }

  /**
   * The database granted `taken`, and now holds `held` for this process. False: what was held before has lapsed, and only what was taken now is
   * held; the portion has to be replaced by one that begins with it.
   */
  grant(taken: number, held: number): boolean {
    if (this.#lost || held - taken !== this.#held) return false;
    this.#held = held;
    return true;
  }

  /** Begins a report of all that was spent; `back`: and of the giving back of all that is free. One at a time. */
  beginReport(back: boolean): Report {
    if (this.#reporting) throw new Error("a report of this portion is on its way");
    this.#leaving = back ? Math.max(0, this.free) : 0;
    this.#reporting = { spent: this.#spent, back: this.#leaving };
    return this.#reporting;
  }

  /** The report arrived, and the database now holds so much for this process. */
  reported(held: number): void {
    this.#spent -= this.#reporting?.spent ?? 0;
    this.#endReport();
    this.#held = held;
  }

  /** It is known that the report did not arrive. */
  notReported(): void {
    this.#endReport();
  }

  #endReport(): void {
    this.#leaving = 0;
    this.#reporting = null;
  }

  /**
   * After a statement whose outcome is not known: the database says what it holds for this process (undefined: nothing). It tells from the amount
   * whether a report arrived. A grant only adds: where less is held than before, that has lapsed, and the portion has to be replaced by one that begins
   * with what is held now.
   */
  found(amount: number | undefined): void {
    const report = this.#reporting;
    const now = amount ?? 0;
    const after = report && this.#held - goneOf(this.#held, report.spent, report.back);
    if (report && now === after) this.reported(now);
    else if (now < this.#held) this.lose();
    else {
      this.#endReport();
      this.#held = now;
    }
  }

  /** The portion has lapsed. What calls under way still settle is counted already. */
  lose(): void {
    this.#lost = true;
    this.#endReport();
    this.#held = 0;
    this.#reserved = 0;
    this.#spent = 0;
  }
}
