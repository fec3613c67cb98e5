import {
  EventFeed,
  type FeedParts,
  type Followed,
  type News,
  orAborted,
  type Subscriber,
} from "../../../kernel/event-feed.ts";
import type { Statements } from "../../../kernel/machines.ts";
import { createPlaces } from "../../../kernel/places.ts";
import type { Scope } from "../../../kernel/principal.ts";
import type { TaskEvent, TaskEventsPort } from "../ports.ts";
import { isFinal } from "../tasks/row.ts";
import { readNews } from "./store.ts";

export interface TaskFeedParts extends Pick<FeedParts<TaskEvent>, "onChange" | "report" | "pollMs"> {
  readonly db: Statements;
  /** Followers and waiters at the same time (default 1,000). */
  readonly most?: number;
}

/** Above every sequence (PostgreSQL's largest `int`): who only waits for the end gets no events. */
const noEvents = 2_147_483_647;

export function createTaskFeed({ db, most = 1_000, ...parts }: TaskFeedParts): TaskEventsPort {
  const look = async (followed: readonly Followed[], take: number): Promise<News<TaskEvent>[]> => {
    const tasks = followed.map(({ scope, id, after }) => ({ scope, task: id, after }));
    return (await readNews(db, tasks, take)).map(({ status, ...news }) => ({ ...news, ended: isFinal(status) }));
  };
  const feed = new EventFeed({ ...parts, look, most, name: "tasks" });
  const waits = createPlaces(Math.ceil(most / 4));
  return {
    follow: (scope, task, after, signal) => feed.follow(scope, task, after, signal),
    /** A caller that already has a quarter of all waiters does not wait: waiting is a preference (RFC 7240). */
    async whenFinal(scope, task, seconds, signal, caller = "nobody") {
      const giveBack = waits.take(caller);
      if (giveBack === null) return;
      try {
        feed.checkRoom();
        await waitFor(feed, new Waiter(scope, task), seconds, signal);
      } finally {
        giveBack();
      }
    },
    stop: () => feed.stop(),
  };
}

async function waitFor(
  feed: EventFeed<TaskEvent>,
  waiter: Waiter,
  seconds: number,
  signal: AbortSignal,
): Promise<void> {
  const late = new AbortController();
  const limit = setTimeout(() => late.abort(), seconds * 1000);
  const leave = feed.join(waiter);
  try {
    await orAborted(waiter.done, AbortSignal.any([signal, late.signal, feed.stopping]));
  } finally {
    clearTimeout(limit);
    leave();
  }
}

class Waiter implements Subscriber<TaskEvent> {
  readonly followed: Followed;
  readonly asks = true;
  readonly #end = Promise.withResolvers<void>();
  readonly done = this.#end.promise;

  constructor(scope: Scope, task: string) {
    this.followed = { scope, id: task, after: noEvents };
  }

  hear({ ended }: News<TaskEvent>): boolean {
    if (ended) this.#end.resolve();
    return false;
  }
}
