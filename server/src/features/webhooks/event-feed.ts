import { refuse } from "../../kernel/errors.ts";
import { type EventFilter, passesFilter } from "../../kernel/event-filter.ts";
import type { Ending } from "../../kernel/event-stream.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import { overloaded } from "../../kernel/problems.ts";
import type { Event } from "./delivery-schemas.ts";
import { type Place, readNext } from "./event-log-store.ts";
import type { EventFeedPort } from "./ports.ts";
import { eventView } from "./view.ts";

export interface EventFeedParts {
  readonly db: Statements;
  /** Calls back whenever events got their sequence, in this or another process; answers the function that ends it. */
  readonly onChange: (callback: () => void) => () => void;
  readonly report: (error: unknown) => void;
  /** How often to look without being told (milliseconds, 250 unless told). */
  readonly pollMs?: number;
  /** Who may follow at the same time (500 unless told). */
  readonly most?: number;
}

/** Events that are fetched for a follower at once: one that reads slowly holds no more than these in memory. */
const batch = 200;
/** Between two looks: four times what the last one took, within these bounds (milliseconds). */
const pause = { least: 5, most: 200 };
/** After a look that failed (milliseconds). */
const retryMs = 1_000;

/**
 * Tells the events of environments from what is stored, in whichever process they happened. One statement looks after everybody who follows; those who have got
 * equally far, as nearly all have, share what it reads. Nothing is looked for while nobody is there.
 */
export function createEventFeed(parts: EventFeedParts): EventFeedPort {
  const feed = new EventFeed(parts);
  return {
    follow: (scope, after, filter, signal) => feed.follow(scope, after, filter, signal),
    stop: () => feed.stop(),
  };
}

class EventFeed {
  readonly #parts: EventFeedParts;
  readonly #followers = new Set<Follower>();
  readonly #stopping = new AbortController();
  #raised = Promise.withResolvers<void>();
  #running = false;

  constructor(parts: EventFeedParts) {
    this.#parts = parts;
  }

  follow(scope: Scope, after: number, filter: EventFilter, signal: AbortSignal): AsyncIterable<Event, Ending> {
    const most = this.#parts.most ?? 500;
    if (this.#followers.size >= most) {
      throw refuse(overloaded, `This process tells ${most} callers of events already; try again in a few seconds.`, {
        headers: { "Retry-After": "5" },
      });
    }
    const follower = new Follower({ scope, after }, filter);
    return follower.events(AbortSignal.any([signal, this.#stopping.signal]), () => this.#join(follower));
  }

  stop(): void {
    this.#stopping.abort();
    this.#raised.resolve();
  }

  #join(follower: Follower): { leave: () => void; more: () => void } {
    this.#followers.add(follower);
    this.#raised.resolve();
    if (!this.#running) void this.#run();
    return { leave: () => void this.#followers.delete(follower), more: () => this.#raised.resolve() };
  }

  async #run(): Promise<void> {
    this.#running = true;
    const end = this.#parts.onChange(() => this.#raised.resolve());
    try {
      while (this.#followers.size > 0 && !this.#stopping.signal.aborted) {
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

  /** One look for all who have nothing left to read. False where it failed: they stay, and the next look tells them. */
  async #look(): Promise<boolean> {
    const asking = Map.groupBy(
      [...this.#followers].filter(({ asks }) => asks),
      ({ place: { scope, after } }) => `${scope.organization} ${scope.environment} ${after}`,
    );
    const groups = [...asking.values()];
    if (groups.length === 0) return true;
    try {
      const rows = await readNext(
        this.#parts.db,
        groups.map(([first]) => (first as Follower).place),
        batch,
      );
      for (const [index, found] of Map.groupBy(rows, ({ place }) => place)) {
        const events = found.map(eventView);
        for (const follower of groups[index] ?? []) follower.hear(events);
        if (events.length === batch) this.#raised.resolve(); // there is more than one look takes
      }
      return true;
    } catch (error) {
      this.#parts.report(error);
      return false;
    }
  }
}

class Follower {
  place: Place;
  readonly #filter: EventFilter;
  #unread: Event[] = [];
  #heard = Promise.withResolvers<void>();

  constructor(place: Place, filter: EventFilter) {
    this.place = place;
    this.#filter = filter;
  }

  get asks(): boolean {
    return this.#unread.length === 0;
  }

  /** What comes next of all events; of these it keeps what passes its filter. */
  hear(events: readonly Event[]): void {
    this.place = { ...this.place, after: (events.at(-1) as Event).sequence };
    this.#unread = events.filter((event) => passesFilter(this.#filter, event));
    if (this.#unread.length > 0) this.#heard.resolve();
  }

  async *events(gone: AbortSignal, join: () => { leave: () => void; more: () => void }): AsyncGenerator<Event, Ending> {
    const { leave, more } = join();
    try {
      while (!gone.aborted) {
        this.#heard = Promise.withResolvers();
        if (this.#unread.length === 0) await orAborted(this.#heard.promise, gone);
        // Taken one by one: it asks for more only when all of them were read.
        for (let event = this.#unread[0]; event !== undefined; event = this.#unread[0]) {
          if (gone.aborted) return undefined;
          yield event;
          this.#unread.shift();
        }
        more();
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
