import type { ReadContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { orAborted, within } from "../../../kernel/event-feed.ts";
import type { Ending } from "../../../kernel/event-stream.ts";
import { overloaded } from "../../../kernel/problems.ts";
import { type EventFilter, listBehind, newestLeaf } from "./store.ts";
import { type ListedRow, withSaltFaults } from "./view.ts";

/** Records that are fetched at once: a slow reader holds no more than these in memory. */
const batch = 100;
/** Places of the log that one look reads at most, whatever the filter finds in them. */
const window = 2_000;
/** Between two looks that found nothing (milliseconds). */
const pollMs = 500;
/** Streams of the log in this process at a time; each looks for itself. */
const mostFollowers = 50;

let followers = 0;

/**
 * The records of the environment's log behind a place, as they come, in the order of the log. Throws `overloaded` where too many follow the log already.
 */
export function followLog(
  ctx: ReadContext,
  filter: EventFilter,
  after: number,
  gone: AbortSignal,
): AsyncIterable<ListedRow, Ending> {
  if (followers >= mostFollowers) {
    throw refuse(
      overloaded,
      `${mostFollowers} callers already follow the audit log in this process; try again in a few seconds.`,
      { headers: { "Retry-After": "5" } },
    );
  }
  return records(ctx, filter, after, gone);
}

async function* records(
  ctx: ReadContext,
  filter: EventFilter,
  from: number,
  gone: AbortSignal,
): AsyncGenerator<ListedRow, Ending> {
  let after = from;
  followers++; // here and not at the call: who leaves before the first record never comes to the end below
  try {
    while (!gone.aborted) {
      const until = Math.min(await newestLeaf(ctx), after + window);
      const found =
        until <= after ? [] : await withSaltFaults(ctx, ctx.scope, await listBehind(ctx, filter, after, batch, until));
      for (const row of found) {
        yield row;
        after = row.leaf_index;
      }
      if (found.length === batch) continue;
      const atEnd = until < after + window;
      after = Math.max(after, until);
      if (atEnd) await orAborted(within(pollMs), gone);
    }
    return undefined;
  } finally {
    followers--;
  }
}
