import type pg from "pg";
import { touchFacts } from "../db/facts.ts";
import { named } from "../db/named.ts";
import type { Writer } from "../kernel/db.ts";
import { type Histogram, type Meter, noMeter } from "../kernel/metrics.ts";
import { batchStatement, valuesOf } from "./append-statement.ts";
import { begun, type OwnEnd, type TransactionOptions, writerOf } from "./transaction.ts";

/** How many calls share a transaction at most, and how many such transactions are under way at a time: one a processor of the database. */
const limits = { together: 32, underWay: 2 };

/** A call's seat in a shared transaction: ends by `commit` or `rollback`, exactly once. */
export interface Seat {
  readonly writer: Writer;
  /**
   * Resolves when the transaction has ended: all its calls are durable, or it broke off, through whichever of them, and nothing of any was written. Rejects
   * where nobody knows whether the commit took place.
   */
  commit(end: Omit<OwnEnd, "answer">): Promise<"written" | "broken_off">;
  /** Takes the whole transaction back. Harmless after the end. */
  rollback(): Promise<void>;
}

interface Waiting {
  readonly scope: string;
  readonly key: string;
  readonly seat: PromiseWithResolvers<Seat>;
}

/**
 * Transactions that short calls of machines share. Calls that wait at the same moment, each about another thing, are made on one connection between one
 * `begin` and one `commit`: their records are one statement, and one flush makes all of them durable. While a transaction is under way the next
 * gathers; nobody waits for company. What one call refuses or breaks takes the others back as well: they are made again, alone.
 */
export class SharedTransactions {
  readonly #options: TransactionOptions;
  readonly #sizes: Histogram;
  #waiting: Waiting[] = [];
  #underWay = 0;
  #departing = false;

  constructor(options: TransactionOptions, meter: Meter = noMeter) {
    this.#options = options;
    this.#sizes = meter.histogram({
      ...{ name: "aos_shared_transaction_calls", labels: [], buckets: [1, 2, 4, 8, 16, 32] },
      help: "Calls of machines that a shared transaction carried.",
    });
  }

  /** A seat among calls of the same scope, none of which is about the same `key`: they would meet each other's locks and half-done work. */
  join(scope: { organization: string; environment: string }, key: string): Promise<Seat> {
    const seat = Promise.withResolvers<Seat>();
    this.#waiting.push({ scope: `${scope.organization} ${scope.environment}`, key, seat });
    this.#departSoon();
    return seat.promise;
  }

  /** After this turn: calls of the same turn go together. */
  #departSoon(): void {
    if (this.#departing || this.#underWay >= limits.underWay) return;
    this.#departing = true;
    setImmediate(() => {
      this.#departing = false;
      while (this.#waiting.length > 0 && this.#underWay < limits.underWay) this.#depart();
    });
  }

  #depart(): void {
    const [first] = this.#waiting as [Waiting];
    const keys = new Set<string>();
    const group: Waiting[] = [];
    const left: Waiting[] = [];
    for (const one of this.#waiting) {
      const fits = one.scope === first.scope && !keys.has(one.key) && group.length < limits.together;
      if (fits) keys.add(one.key);
      (fits ? group : left).push(one);
    }
    this.#waiting = left;
    this.#underWay++;
    this.#sizes.observe([], group.length);
    void this.#run(group).finally(() => {
      this.#underWay--;
      if (this.#waiting.length > 0) this.#departSoon();
    });
  }

  async #run(group: readonly Waiting[]): Promise<void> {
    let client: pg.PoolClient;
    try {
      client = await begun(this.#options.pool);
    } catch (error) {
      for (const { seat } of group) seat.reject(error);
      return;
    }
    const ride = new Ride(client, group.length);
    for (const { seat } of group) seat.resolve(ride.seat());
    await ride.end(this.#options.committed);
  }
}

interface Ended {
  readonly end: Omit<OwnEnd, "answer">;
  readonly done: PromiseWithResolvers<"written" | "broken_off">;
}

/** One shared transaction, from its begin to its end. */
class Ride {
  readonly #client: pg.PoolClient;
  readonly #writer: Writer;
  readonly #ended: Ended[] = [];
  readonly #over = Promise.withResolvers<void>();
  #left: number;
  #broken = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor(client: pg.PoolClient, seats: number) {
    this.#client = client;
    this.#writer = writerOf((text, values) => this.#send(text, values));
    this.#left = seats;
  }

  seat(): Seat {
    let open = true;
    const leave = (): boolean => {
      const was = open;
      open = false;
      if (was && --this.#left === 0) this.#over.resolve();
      return was;
    };
    return {
      writer: this.#writer,
      commit: (end) => {
        const done: Ended["done"] = Promise.withResolvers();
        this.#ended.push({ end, done });
        leave();
        return done.promise;
      },
      rollback: async () => {
        if (open) this.#broken = true;
        leave();
      },
    };
  }

  /** One statement after the other, whichever calls they are of. */
  #send(text: string, values: unknown[]): Promise<{ rows: object[] }> {
    const sent = this.#last.then(() => this.#client.query(named(text, values)));
    this.#last = sent.catch(() => undefined);
    return sent;
  }

  /** When every call has said how it ended: commits all of them, or none. */
  async end(committed: () => void): Promise<void> {
    await this.#over.promise;
    await this.#last;
    if (this.#broken || !(await this.#written())) {
      await this.#client.query("rollback").then(
        () => this.#client.release(),
        () => this.#client.release(true),
      );
      return this.#tell("broken_off");
    }
    try {
      await this.#client.query("commit");
    } catch (error) {
      this.#client.release(true);
      for (const { done } of this.#ended) done.reject(error);
      return;
    }
    this.#client.release();
    committed();
    this.#tell("written");
  }

  /** Writes the calls' records and what else belongs to them. */
  async #written(): Promise<boolean> {
    const ends = this.#ended.map(({ end }) => end);
    const topics = [...new Set(ends.flatMap((end) => end.topics))];
    try {
      const statement = batchStatement(ends, "check");
      await this.#client.query({ name: statement.name, text: statement.text, values: valuesOf(statement) });
      if (topics.length > 0) await this.#client.query(touchFacts, [topics]);
      return true;
    } catch {
      return false; // each call meets its own fault again when it is made alone, and reports it there
    }
  }

  #tell(outcome: "written" | "broken_off"): void {
    for (const { done } of this.#ended) done.resolve(outcome);
  }
}
