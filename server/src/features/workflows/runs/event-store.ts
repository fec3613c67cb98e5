import { isRunOver } from "@aos/workflow";
import { all, first, select } from "../../../db/scoped.ts";
import { timestamp } from "../../../kernel/clock.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { refuse } from "../../../kernel/errors.ts";
import type { Ending } from "../../../kernel/event-stream.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { overloaded } from "../../../kernel/problems.ts";
import type { RunEventsPort } from "../ports.ts";
import { type RunRow, runJson, type StepRow, stepJson } from "./rules.ts";
import type { WorkflowRunEvent } from "./schemas.ts";

// The timeline of a run: each change of a step and of the run as a whole, as it stands by now. What changed twice between two looks is sent once. Changes of a
// look at the run are numbered by the revision that it started from (`changed_as`), and that of the run comes after them.

const revisionSpan = 100_000;
const sequenceOfRun = (revision: number): number => revision * revisionSpan - 1;

interface RunNews {
  readonly revision: number;
  readonly isOver: boolean;
  readonly events: readonly WorkflowRunEvent[];
  readonly hasMore: boolean;
}

/** Changes of a run above a sequence, at most `take`. `known`: a revision that was read completely; nothing is queried then. */
export async function readRunNews(
  ctx: QueryContext,
  run: string,
  { after, take, known }: { readonly after: number; readonly take: number; readonly known?: number },
): Promise<RunNews | undefined> {
  const heads = select(ctx, "workflow_runs", "r").select(["r.id", "r.status", "r.revision", "r.updated_at"]);
  const row = await first(
    ctx,
    heads.select(["r.journal", "r.failure", "r.cost_usd", "r.finished_at"]).where("r.id", "=", run),
  );
  if (!row) return undefined;
  const { revision } = row;
  const isOver = isRunOver(row.status);
  if (revision === known) return { revision, isOver, events: [], hasMore: false };
  const changed = select(ctx, "workflow_steps", "s")
    .selectAll("s")
    .where("s.run_id", "=", run)
    .where("s.changed_as", ">", after)
    .where("s.changed_as", "<", revision * revisionSpan);
  const steps = await all(ctx, changed.orderBy("s.changed_as").limit(take + 1));
  const events = steps.map((step) => stepEvent(step, row.updated_at));
  if (after < sequenceOfRun(revision) && steps.length <= take) events.push(runEvent(row));
  return { revision, isOver, events: events.slice(0, take), hasMore: events.length > take };
}

function stepEvent(row: StepRow, now: Date): WorkflowRunEvent {
  const at = row.finished_at ?? row.started_at ?? now;
  const { step, kind, status, attempt, task_id, child_run, trust_score, cost_usd, undo } = row;
  return {
    sequence: Number(row.changed_as),
    type: "step",
    time: timestamp(at.getTime()),
    data: {
      step,
      kind,
      status,
      attempt,
      task_id,
      child_run,
      trust_score,
      cost_usd,
      undo,
      failure: stepJson(row, "failure"),
      started_at: row.started_at && timestamp(row.started_at.getTime()),
      finished_at: row.finished_at && timestamp(row.finished_at.getTime()),
      ...(row.items !== null && {
        items: { total: row.items, completed: row.items_completed, failed: row.items_failed },
      }),
    },
  };
}

type RunHead = Pick<
  RunRow,
  "id" | "status" | "revision" | "updated_at" | "journal" | "failure" | "cost_usd" | "finished_at"
>;

function runEvent(row: RunHead): WorkflowRunEvent {
  const { asked = null } = runJson(row, "journal");
  return {
    sequence: sequenceOfRun(row.revision),
    type: "run",
    time: timestamp(row.updated_at.getTime()),
    data: {
      run_id: row.id,
      status: row.status,
      asked: row.finished_at === null ? asked : null,
      cost_usd: row.cost_usd,
      failure: runJson(row, "failure"),
      finished_at: row.finished_at && timestamp(row.finished_at.getTime()),
    },
  };
}

interface RunFeedParts {
  readonly db: Statements;
  /** Calls back after each commit, in this or another process; returns the function that unsubscribes. */
  readonly onChange: (callback: () => void) => () => void;
  readonly report: (error: unknown) => void;
}

/** Per process. */
const most = 500;
/** Events fetched at once: a slow reader holds no more than these in memory. */
const batch = 200;
/** Milliseconds between two polls of a follower: the shortest, the longest, and after a failure. */
const pause = { least: 150, most: 1_000, failed: 1_000 } as const;

/** Streams the stored events of runs, whichever process wrote them. */
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

/** Waits so long (milliseconds), or less if a promise resolves or the listener leaves. */
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
