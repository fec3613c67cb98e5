import type { Hold } from "../../kernel/hold.ts";
import { type HoldableTask, type Holding, standingHolds } from "../tasks/public.ts";
import type { TaskState } from "../tasks/schemas.ts";
import type { KnownApproval } from "./requests/store.ts";

/** An approval of a page, with what holds its task besides it. */
export interface ListedApproval {
  readonly row: KnownApproval;
  readonly held: Hold | null;
}

/** Approvals with what holds their tasks besides people, before the vote and after it. */
export async function withHolds(ctx: Holding, rows: readonly KnownApproval[]): Promise<ListedApproval[]> {
  const holds = await standingHolds(ctx, rows.flatMap(holdableOf));
  return rows.map((row) => ({ row, held: holds.get(row.task_id) ?? null }));
}

/** {@link withHolds} of one. */
export const holdOfApproval = async (ctx: Holding, row: KnownApproval): Promise<Hold | null> =>
  (await withHolds(ctx, [row]))[0]?.held ?? null;

function holdableOf(row: KnownApproval): HoldableTask[] {
  if (row.task === null) return [];
  const { status, finished_at, ...task } = row.task;
  const { agent, version_id, version_number, skill, run_workflow } = row;
  return [
    {
      ...task,
      id: row.task_id,
      agent,
      version_id,
      version_number,
      skill,
      run_workflow,
      status: status as TaskState,
      approval_id: row.id,
      question: null,
      finished_at: finished_at === null ? null : new Date(finished_at),
    },
  ];
}
