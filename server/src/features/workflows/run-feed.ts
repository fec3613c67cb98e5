import { refuse } from "../../kernel/errors.ts";
import type { Ending } from "../../kernel/event-stream.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import { overloaded } from "../../kernel/problems.ts";
import type { RunEventsPort } from "./ports.ts";
import { readRunNews } from "./run-event-store.ts";
import type { WorkflowRunEvent } from "./runs-schemas.ts";

export interface RunFeedParts {
  readonly db: Statements;
  /** Calls back whenever something was committed, in this or another process; answers the function that ends it. */
  readonly onChange: (callback: () => void) => () => void;
  readonly report: (error: unknown) => void;
}

/** Followers of one process at the same time. */
const most = 500;
/** Events that are fetched at once: who reads slowly holds no more than these in memory. */
const batch = 200;
/** Milliseconds: the shortest pause between two looks of a follower, the longest, and that after one that failed. */
const pause = { least: 150, most: 1_000, failed: 1_000 } as const;

/** Tells what happens to runs from what is stored, in whichever process it happened. */
export function createRunFeed({ db, onChange, report }: RunFeedParts): RunEventsPort {
  const stopping = new AbortController();
  let followers = 0;

  async function* events(scope: Scope, run: string, from: number, gone: AbortSignal) {
    followers += 1;
    let raised = Promise.withResolvers<void>();
    const end = onChange(() => raised.resolve());
    try {
      let after = from;
      let known: number | undefined;
      while (!gone.aborted) {
        raised = Promise.withResolvers();
        const asked = { after, take: batch, ...(known !== undefined && { known }) };
        const news = await readRunNews({ scope, db }, run, asked).catch(report);
        for (const event of news?.events ?? []) {
          if (gone.aborted) return undefined;
          yield event;
          after = event.sequence;
        }
        if (news?.hasMore) continue;
        known = news?.revision ?? known;
        if (news?.isOver) return "over" as const;
        await within(news ? pause.least : pause.failed, gone);
        await within(pause.most, gone, raised.promise);
      }
      return undefined;
    } finally {
      followers -= 1;
      end();
    }
  }

  return {
    follow(scope, run, after, signal): AsyncGenerator<WorkflowRunEvent, Ending> {
      if (followers >= most)
        throw refuse(overloaded, `This process tells ${most} callers of runs already; try again in a few seconds.`, {
          headers: { "Retry-After": "5" },
        });
      return events(scope, run, after, AbortSignal.any([signal, stopping.signal]));
    },
    stop: () => stopping.abort(),
  };
}

/** Waits so long (milliseconds), or less where a promise resolves or nobody listens any more. */
async function within(ms: number, gone: AbortSignal, promise?: Promise<void>): Promise<void> {
  if (gone.aborted) return;
  const over = Promise.withResolvers<void>();
  const resolve = (): void => over.resolve();
  const timer = setTimeout(resolve, ms);
  gone.addEventListener("abort", resolve, { once: true });
  await (promise ? Promise.race([promise, over.promise]) : over.promise);
  clearTimeout(timer);
  gone.removeEventListener("abort", resolve);
}
