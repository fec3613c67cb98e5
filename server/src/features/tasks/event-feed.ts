import { refuse } from "../../kernel/errors.ts";
import type { Ending } from "../../kernel/event-stream.ts";
import type { Statements } from "../../kernel/machines.ts";
import { createPlaces, type Places } from "../../kernel/places.ts";
import type { Scope } from "../../kernel/principal.ts";
import { overloaded } from "../../kernel/problems.ts";
import { type Followed, type News, readNews } from "./event-store.ts";
import type { TaskEvent, TaskEventsPort } from "./ports.ts";
import { isFinal } from "./states.ts";

export interface TaskFeedParts {
  readonly db: Statements;
  /** Calls back whenever something may have happened to tasks, in this or another process; answers the function that ends it. */
  readonly onChange: (callback: () => void) => () => void;
  readonly report: (error: unknown) => void;
  /** How often to look without being told (milliseconds, 250 unless told). */
  readonly pollMs?: number;
  /** Who may follow or wait at the same time (1,000 unless told). */
  readonly most?: number;
}

/** Events of one task that are fetched at once: a follower that reads slowly holds no more than these in memory. */
const batch = 100;
/** Between two looks: four times what the last one took, within these bounds (milliseconds). */
const pause = { least: 10, most: 200 };
/** After a look that failed (milliseconds). */
const retryMs = 1_000;
/** Above every sequence (PostgreSQL's largest `int`): who only waits for the end is told no event. */
const noEvents = 2_147_483_647;

/**
 * Tells what happens to tasks from what is stored, in whichever process it happened: one statement looks after everybody who follows or waits, at
 * once when something was committed and every quarter of a second anyway. Nothing is looked for while nobody is there.
 */
export function createTaskFeed(parts: TaskFeedParts): TaskEventsPort {
  const feed = new TaskFeed(parts);
  return {
    follow: (scope, task, after, signal) => feed.follow(scope, task, after, signal),
    whenFinal: (scope, task, seconds, signal, caller) => feed.whenFinal(scope, task, seconds, signal, caller),
    stop: () => feed.stop(),
  };
}

class TaskFeed {
  readonly #parts: TaskFeedParts;
  readonly #most: number;
  readonly #subscribers = new Set<Subscriber>();
  /** Of those who wait. */
  readonly #waits: Places;
  readonly #stopping = new AbortController();
  #raised = Promise.withResolvers<void>();
  #running = false;

  constructor(parts: TaskFeedParts) {
    this.#parts = parts;
    this.#most = parts.most ?? 1_000;
    this.#waits = createPlaces(Math.ceil(this.#most / 4));
  }

  /** Throws `overloaded` where too many are there already. Joins with the first `next`. */
  follow(scope: Scope, task: string, after: number, signal: AbortSignal): AsyncGenerator<TaskEvent, Ending> {
    this.#checkRoom();
    const follower = new Follower({ scope, task, after });
    return follower.events(AbortSignal.any([signal, this.#stopping.signal]), () => this.#join(follower));
  }

  /** A caller that waits for a quarter of all there may be waits no more: to wait is a preference, and it is answered as things stand (RFC 7240). */
  async whenFinal(scope: Scope, task: string, seconds: number, signal: AbortSignal, caller = "nobody"): Promise<void> {
    const giveBack = this.#waits.take(caller);
    if (giveBack === null) return;
    try {
      this.#checkRoom();
      await this.#waitFor(new Waiter({ scope, task, after: noEvents }), seconds, signal);
    } finally {
      giveBack();
    }
  }

  async #waitFor(waiter: Waiter, seconds: number, signal: AbortSignal): Promise<void> {
    const late = new AbortController();
    const limit = setTimeout(() => late.abort(), seconds * 1000);
    const leave = this.#join(waiter);
    try {
      await orAborted(waiter.done, AbortSignal.any([signal, late.signal, this.#stopping.signal]));
    } finally {
      clearTimeout(limit);
      leave();
    }
  }

  stop(): void {
    this.#stopping.abort();
    this.#raised.resolve();
  }

  #checkRoom(): void {
    if (this.#subscribers.size < this.#most) return;
    throw refuse(overloaded, `This process tells ${this.#most} callers of tasks already; try again in a few seconds.`, {
      headers: { "Retry-After": "5" },
    });
  }

  /** Begins to look after somebody; answers the function that ends it. */
  #join(subscriber: Subscriber): () => void {
    this.#subscribers.add(subscriber);
    this.#raised.resolve();
    if (!this.#running) void this.#run();
    return () => void this.#subscribers.delete(subscriber);
  }

  async #run(): Promise<void> {
    this.#running = true;
    const end = this.#parts.onChange(() => this.#raised.resolve());
    try {
      while (this.#subscribers.size > 0 && !this.#stopping.signal.aborted) {
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
      for (const news of await readNews(
        this.#parts.db,
        asking.map(({ followed }) => followed),
        batch,
      )) {
        if (asking[news.place]?.hear(news)) this.#raised.resolve(); // there is more than one look takes
      }
      return true;
    } catch (error) {
      this.#parts.report(error);
      return false;
    }
  }
}

/** Somebody who is told. */
interface Subscriber {
  readonly followed: Followed;
  /** Has nothing left to read. */
  readonly asks: boolean;
  /** Returns whether there may be more to be told at once. */
  hear(news: News): boolean;
}

class Waiter implements Subscriber {
  readonly followed: Followed;
  readonly asks = true;
  readonly #end = Promise.withResolvers<void>();
  readonly done = this.#end.promise;

  constructor(followed: Followed) {
    this.followed = followed;
  }

  hear({ status }: News): boolean {
    if (isFinal(status)) this.#end.resolve();
    return false;
  }
}

class Follower implements Subscriber {
  followed: Followed;
  #unread: TaskEvent[] = [];
  /** All that the task will tell, unless it is tried again, has been told. */
  #over = false;
  #heard = Promise.withResolvers<void>();

  constructor(followed: Followed) {
    this.followed = followed;
  }

  get asks(): boolean {
    return this.#unread.length === 0 && !this.#over;
  }

  hear({ events, status, newest }: News): boolean {
    const last = events.at(-1);
    if (last) this.followed = { ...this.followed, after: last.sequence };
    this.#unread = [...events];
    this.#over = isFinal(status) && this.followed.after >= newest;
    if (last || this.#over) this.#heard.resolve();
    return events.length === batch;
  }

  async *events(gone: AbortSignal, join: () => () => void): AsyncGenerator<TaskEvent, Ending> {
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
async function within(ms: number, promise?: Promise<void>): Promise<void> {
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(over.resolve, ms);
  await (promise ? Promise.race([promise, over.promise]) : over.promise);
  clearTimeout(timer);
}

/** Waits for a promise, or until `gone`. */
async function orAborted(promise: Promise<void>, gone: AbortSignal): Promise<void> {
  if (gone.aborted) return;
  const { promise: aborted, resolve } = Promise.withResolvers<void>();
  const abort = (): void => resolve();
  gone.addEventListener("abort", abort, { once: true });
  await Promise.race([promise, aborted]);
  gone.removeEventListener("abort", abort);
}
