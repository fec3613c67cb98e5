import type pg from "pg";
import type { Clock } from "../kernel/clock.ts";
import type { Reader } from "../kernel/db.ts";
import type { FactSet, FactsReader } from "../kernel/facts.ts";

/** How often the epochs are confirmed, and after how long without a confirmation nothing is decided any more (milliseconds). */
export const confirmEvery = 200;
export const staleAfter = 1_000;
const channel = "aos_facts";

export interface FactStoreOptions {
  readonly pool: pg.Pool;
  readonly reader: Reader;
  readonly sets: readonly FactSet<unknown>[];
  readonly clock: Clock;
  readonly report: (error: unknown) => void;
}

interface Held {
  readonly set: FactSet<unknown>;
  value: unknown;
  epoch: number;
}

/**
 * Facts in memory, current within a second in every process: a change raises its topic's epoch in its own transaction and notifies;
 * besides, the epochs are read every 200 ms, which also proves that nothing was missed. The epoch is read before the facts, so that
 * what is held is never older than the epoch it is held for.
 */
export class FactStore implements FactsReader {
  readonly #options: FactStoreOptions;
  readonly #held: ReadonlyMap<string, Held>;
  #confirmedAt = Number.NEGATIVE_INFINITY;
  #confirming: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #listener: pg.PoolClient | null = null;
  #stopped = false;

  constructor(options: FactStoreOptions) {
    this.#options = options;
    this.#held = new Map(options.sets.map((set) => [set.topic, { set, value: undefined, epoch: -1 }]));
  }

  /** Loads everything and begins to listen. */
  async start(): Promise<void> {
    await this.#confirm();
    this.#schedule();
  }

  get<T>(set: FactSet<T>): T {
    const held = this.#held.get(set.topic);
    if (!held || held.epoch < 0) throw new Error(`the facts ${set.topic} are not loaded`);
    return held.value as T;
  }

  /** Whether every set was confirmed to be current within `staleAfter`. */
  fresh(): boolean {
    return this.#options.clock.now() - this.#confirmedAt <= staleAfter;
  }

  /** Confirms now, at most so long: a process that was busy rather than cut off need not refuse. Answers whether the facts are fresh. */
  async freshWithin(ms: number): Promise<boolean> {
    if (this.fresh()) return true;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    await Promise.race([this.#confirm().catch(() => undefined), promise]);
    clearTimeout(timer);
    return this.fresh();
  }

  /** Makes sure that what was committed before this call is what is held. A confirmation under way may have missed it: one more. */
  async refresh(): Promise<void> {
    await this.#confirming?.catch(() => undefined);
    try {
      await this.#confirm();
    } catch (error) {
      this.#confirmedAt = Number.NEGATIVE_INFINITY; // what is held is known to be old
      throw error;
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#confirming?.catch(() => undefined);
    this.#listener?.release(true);
    this.#listener = null;
  }

  #schedule(): void {
    if (!this.#stopped) this.#timer = setTimeout(() => void this.#tick(), confirmEvery);
  }

  async #tick(): Promise<void> {
    try {
      await this.#confirm();
    } catch (error) {
      if (!this.#stopped) this.#options.report(error);
    }
    this.#schedule();
  }

  /**
   * The one connection of this store, for notifications and for the epochs: calls that wait for locks may hold every connection of the
   * pool, and must not keep the facts from being confirmed.
   */
  async #listen(): Promise<pg.PoolClient> {
    const client = await this.#options.pool.connect();
    client.on("notification", () => void this.refresh().catch(() => undefined)); // the next tick reports what stays wrong
    client.on("error", () => this.#dropListener(client));
    try {
      await client.query(`listen ${channel}`);
    } catch (error) {
      client.release(true);
      throw error;
    }
    this.#listener = client;
    return client;
  }

  #dropListener(client: pg.PoolClient): void {
    if (this.#listener !== client) return;
    this.#listener = null;
    client.release(true);
  }

  #confirm(): Promise<void> {
    this.#confirming ??= this.#confirmOnce().finally(() => {
      this.#confirming = null;
    });
    return this.#confirming;
  }

  async #confirmOnce(): Promise<void> {
    const asked = this.#options.clock.now();
    const connection = this.#listener ?? (await this.#listen());
    const { rows } = await connection.query<{ topic: string; epoch: number }>({
      name: "fact epochs",
      text: "select topic, epoch from fact_epochs",
    });
    const epochs = new Map(rows.map((row) => [row.topic, row.epoch]));
    await Promise.all([...this.#held.values()].map((held) => this.#reload(held, epochs.get(held.set.topic) ?? 0)));
    this.#confirmedAt = asked;
  }

  /** Runs inside a confirmation only, and so never twice at once for a set. */
  async #reload(held: Held, epoch: number): Promise<void> {
    if (held.epoch >= epoch) return;
    held.value = await held.set.load(this.#options.reader);
    held.epoch = epoch;
  }
}

/** The statement that raises the epochs of topics and tells every process, for use inside the changing transaction. */
export const touchFacts = `
  with raised as (
    insert into fact_epochs (topic, epoch) select topic, 1 from unnest($1::text[]) as t(topic) order by topic
    on conflict (topic) do update set epoch = fact_epochs.epoch + 1 returning topic)
  select pg_notify('${channel}', topic) from raised`;
