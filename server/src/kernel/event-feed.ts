import { refuse } from "./errors.ts";
import type { Ending } from "./event-stream.ts";
import type { Scope } from "./principal.ts";
import { overloaded } from "./problems.ts";

/** Something with events that somebody follows, and the sequence of the last event that they were given. */
export interface Followed {
  readonly scope: Scope;
  readonly id: string;
  readonly after: number;
}

/** What there is to tell of something that is followed, as of one moment. */
export interface News<E> {
  /** Its place in the list that was asked for. */
  readonly place: number;
  /** Nothing comes behind its newest event. */
  readonly ended: boolean;
  /** The sequence of its newest event. */
  readonly newest: number;
  /** Oldest first, and at most so many as were asked for. */
  readonly events: readonly E[];
}

export interface FeedParts<E> {
  /** Looks after all of these in one statement; `take`: events of each at once. */
  readonly look: (followed: readonly Followed[], take: number) => Promise<readonly News<E>[]>;
  /** Calls back whenever something may have happened, in this or another process; answers the function that ends it. */
  readonly onChange: (callback: () => void) => () => void;
  readonly report: (error: unknown) => void;
  /** How often to look without a signal (milliseconds, 250 by default). */
  readonly pollMs?: number | undefined;
  /** Who may follow at the same time. */
  readonly most: number;
  /** What is followed, in the plural, for the refusal of one too many. */
  readonly name: string;
}

/** Events that are fetched at once for each follower: one that reads slowly holds no more than these in memory. */
const batch = 100;
/** Between two looks: four times what the last one took, within these bounds (milliseconds). */
const pause = { least: 10, most: 200 };
/** After a look that failed (milliseconds). */
const retryMs = 1_000;

/** A subscriber. */
export interface Subscriber<E> {
  readonly followed: Followed;
  /** Has nothing left to read. */
  readonly asks: boolean;
  /** Returns whether there may be more to send at once. */
  hear(news: News<E>): boolean;
}

/**
 * Tells what happens from what is stored, in whichever process it happened: one statement looks after everybody who follows, at once when something was
 * committed and every quarter of a second anyway. Nothing is looked for while nobody is there.
 */
export class EventFeed<E extends { readonly sequence: number }> {
  readonly #parts: FeedParts<E>;
  readonly #subscribers = new Set<Subscriber<E>>();
  readonly #stopping = new AbortController();
  #raised = Promise.withResolvers<void>();
  #running = false;

  constructor(parts: FeedParts<E>) {
    this.#parts = parts;
  }

  /** Aborted when the process drains. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Throws `overloaded` where too many are there already. Joins with the first `next`. */
  follow(scope: Scope, id: string, after: number, signal: AbortSignal): AsyncGenerator<E, Ending> {
    this.checkRoom();
    const follower = new Follower<E>({ scope, id, after });
    return follower.events(AbortSignal.any([signal, this.stopping]), () => this.join(follower));
  }

  stop(): void {
    this.#stopping.abort();
    this.#raised.resolve();
  }

  checkRoom(): void {
    const { most, name } = this.#parts;
    if (this.#subscribers.size < most) return;
    throw refuse(overloaded, `This process tells ${most} callers of ${name} already; try again in a few seconds.`, {
      headers: { "Retry-After": "5" },
    });
  }

  /** Begins to look after somebody; answers the function that ends it. */
  join(subscriber: Subscriber<E>): () => void {
    this.#subscribers.add(subscriber);
    this.#raised.resolve();
    if (!this.#running) void this.#run();
    return () => void this.#subscribers.delete(subscriber);
  }

  async #run(): Promise<void> {
    this.#running = true;
    const end = this.#parts.onChange(() => this.#raised.resolve());
    try {
      while (this.#subscribers.size > 0 && !this.stopping.aborted) {
        this.#raised = Promise.withResolvers();
        const began = performance.now();
        const found = await this.#look();
        const took = performance.now() - began;
        await within(found ? Math.min(pause.most, Math.max(pause.least, 4 * took)) : retryMs);
        await within(this.#parts.pollMs ?? 250, this.#raised.promise);
      }
    } finally {
      this.#running = false;
      end();
    }
  }

  /** One look after all who have nothing left to read. False where it failed: they stay, and the next look tells them. */
  async #look(): Promise<boolean> {
    const asking = [...this.#subscribers].filter((subscriber) => subscriber.asks);
    if (asking.length === 0) return true;
    try {
      const followed = asking.map((subscriber) => subscriber.followed);
      for (const news of await this.#parts.look(followed, batch))
        if (asking[news.place]?.hear(news)) this.#raised.resolve(); // there is more than one look takes
      return true;
    } catch (error) {
      this.#parts.report(error);
      return false;
    }
  }
}

class Follower<E extends { readonly sequence: number }> implements Subscriber<E> {
  followed: Followed;
  #unread: E[] = [];
  /** Everything has been sent. */
  #over = false;
  #heard = Promise.withResolvers<void>();

  constructor(followed: Followed) {
    this.followed = followed;
  }

  get asks(): boolean {
    return this.#unread.length === 0 && !this.#over;
  }

  hear({ events, ended, newest }: News<E>): boolean {
    const last = events.at(-1);
    if (last) this.followed = { ...this.followed, after: last.sequence };
    this.#unread = [...events];
    this.#over = ended && this.followed.after >= newest;
    if (last || this.#over) this.#heard.resolve();
    return events.length === batch;
  }

  async *events(gone: AbortSignal, join: () => () => void): AsyncGenerator<E, Ending> {
    const leave = join();
    try {
      while (!gone.aborted) {
        this.#heard = Promise.withResolvers();
        if (this.#unread.length === 0 && !this.#over) await orAborted(this.#heard.promise, gone);
        for (const event of this.#unread.splice(0)) {
          if (gone.aborted) return undefined;
          yield event;
        }
        if (this.#over) return "over";
      }
      return undefined;
    } finally {
      leave();
    }
  }
}

/** Waits so long (milliseconds), or less where a promise resolves. */
export async function within(ms: number, promise?: Promise<void>): Promise<void> {
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(over.resolve, ms);
  await (promise ? Promise.race([promise, over.promise]) : over.promise);
  clearTimeout(timer);
}

/** Waits for a promise, or until `gone`. */
export async function orAborted(promise: Promise<void>, gone: AbortSignal): Promise<void> {
  if (gone.aborted) return;
  const { promise: aborted, resolve } = Promise.withResolvers<void>();
  const abort = (): void => resolve();
  gone.addEventListener("abort", abort, { once: true });
  await Promise.race([promise, aborted]);
  gone.removeEventListener("abort", abort);
}
