import { isRunOver } from "@aos/workflow";
import { all, first, select } from "../../db/scoped.ts";
import { timestamp } from "../../kernel/clock.ts";
import type { Looking } from "./plans.ts";
import type { RunRow, StepRow } from "./run-state.ts";
import type { WorkflowRunEvent } from "./runs-schemas.ts";

// The timeline of a run: each change of a step and of the run as a whole, as it stands by now. What changed twice between two looks is told once. Changes of a
// look at the run are numbered by the revision that it started from (`changed_as`), and that of the run comes after them.

const revisionSpan = 100_000;
const sequenceOfRun = (revision: number): number => revision * revisionSpan - 1;

export interface RunNews {
  readonly revision: number;
  readonly isOver: boolean;
  /** In the order of their sequence. */
  readonly events: readonly WorkflowRunEvent[];
  /** There are more than were asked for. */
  readonly hasMore: boolean;
}

/** What changed of a run above a sequence, `take` events at most. `known`: a revision of which all was read; then nothing is looked for. */
export async function readRunNews(
  ctx: Looking,
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
      ...{ step, kind, status, attempt, task_id, child_run, trust_score, cost_usd, undo },
      failure: row.failure === null ? null : (JSON.parse(row.failure) as unknown),
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
  const { asked = null } = JSON.parse(row.journal) as { asked?: string };
  return {
    sequence: sequenceOfRun(row.revision),
    type: "run",
    time: timestamp(row.updated_at.getTime()),
    data: {
      ...{ run_id: row.id, status: row.status, asked: row.finished_at === null ? asked : null, cost_usd: row.cost_usd },
      failure: row.failure === null ? null : (JSON.parse(row.failure) as unknown),
      finished_at: row.finished_at && timestamp(row.finished_at.getTime()),
    },
  };
}
