import { refuse } from "../../../kernel/errors.ts";
import { orAborted, within } from "../../../kernel/event-feed.ts";
import { type EventFilter, type FilteredEvent, filteredEvent, passesFilter } from "../../../kernel/event-filter.ts";
import type { Ending } from "../../../kernel/event-stream.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { overloaded } from "../../../kernel/problems.ts";
import type { EventFeedPort } from "../ports.ts";
import type { Event } from "../schemas.ts";
import { eventView } from "../view.ts";
import { type Place, readNext } from "./store.ts";

export interface EventFeedParts {
  readonly db: Statements;
  /** Calls back when events got their sequence, in any process; returns the function that ends that. */
  readonly onChange: (callback: () => void) => () => void;
  readonly report: (error: unknown) => void;
  /** Milliseconds between two polls that nothing announces (default 250). */
  readonly pollMs?: number;
  /** Most followers at a time (default 500). */
  readonly most?: number;
}

/** Events fetched for a follower at once: a slow reader holds no more than these in memory. */
const batch = 200;
/** Between two polls: four times what the last one took, within these bounds (milliseconds). */
const pause = { least: 5, most: 200 };
/** After a failed poll (milliseconds). */
const retryMs = 1_000;

/**
 * Streams stored events, whichever process they happened in. One statement serves all followers; those that have read equally far, as nearly all have, share
 * what it reads. Without followers it does not poll.
 */
export const createEventFeed = (parts: EventFeedParts): EventFeedPort => new EventFeed(parts);

class EventFeed implements EventFeedPort {
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
      throw refuse(overloaded, `${most} callers already follow events in this process; try again in a few seconds.`, {
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
        const found = await this.#poll();
        const took = performance.now() - began;
        await within(found ? Math.min(pause.most, Math.max(pause.least, 4 * took)) : retryMs);
        await within(this.#parts.pollMs ?? 250, this.#raised.promise);
      }
    } finally {
      this.#running = false;
      end();
    }
  }

  /** Polls for all followers that have nothing left to read. Returns false if that failed: the next poll serves them. */
  async #poll(): Promise<boolean> {
    const waiting = Map.groupBy(
      [...this.#followers].filter(({ isWaiting }) => isWaiting),
      ({ place: { scope, after } }) => `${scope.organization} ${scope.environment} ${after}`,
    );
    const groups = [...waiting.values()];
    if (groups.length === 0) return true;
    try {
      const rows = await readNext(
        this.#parts.db,
        groups.map(([first]) => (first as Follower).place),
        batch,
      );
      for (const [index, found] of Map.groupBy(rows, ({ place }) => place)) {
        const events = found.map((row) => ({ view: eventView(row), about: filteredEvent(row) }));
        for (const follower of groups[index] ?? []) follower.add(events);
        if (found.length === batch) this.#raised.resolve(); // there is more than one poll takes
      }
      return true;
    } catch (error) {
      this.#parts.report(error);
      return false;
    }
  }
}

interface ReadEvent {
  readonly view: Event;
  readonly about: FilteredEvent;
}

class Follower {
  place: Place;
  readonly #filter: EventFilter;
  #unread: Event[] = [];
  #added = Promise.withResolvers<void>();

  constructor(place: Place, filter: EventFilter) {
    this.place = place;
    this.#filter = filter;
  }

  get isWaiting(): boolean {
    return this.#unread.length === 0;
  }

  /** Takes the next events of all, and keeps those that pass the filter. */
  add(events: readonly ReadEvent[]): void {
    this.place = { ...this.place, after: (events.at(-1) as ReadEvent).view.sequence };
    this.#unread = events.filter(({ about }) => passesFilter(this.#filter, about)).map(({ view }) => view);
    if (this.#unread.length > 0) this.#added.resolve();
  }

  async *events(gone: AbortSignal, join: () => { leave: () => void; more: () => void }): AsyncGenerator<Event, Ending> {
    const { leave, more } = join();
    try {
      while (!gone.aborted) {
        this.#added = Promise.withResolvers();
        if (this.#unread.length === 0) await orAborted(this.#added.promise, gone);
        // One by one: it polls again only when all of them were read.
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
