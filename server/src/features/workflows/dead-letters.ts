import { all, rowsOf, select, sql } from "../../db/scoped.ts";
import { timestamp } from "../../kernel/clock.ts";
import type { ReadContext } from "../../kernel/context.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import type { RunRow } from "./run-state.ts";
import type { WorkflowDeadLetter } from "./runs-schemas.ts";

export interface LetterFilter {
  readonly workflow?: readonly string[];
  readonly settled?: boolean;
}

export interface LetterRow extends Pick<RunRow, "status" | "failure" | "version_number"> {
  readonly run_id: string;
  readonly workflow: string;
  readonly reason: string;
  readonly at: Date;
  readonly settled_at: Date | null;
  readonly settled_by: string | null;
}

/** A page of runs that gave up, the latest first. */
export async function listDeadLetters(
  ctx: ReadContext,
  { workflow, settled = false }: LetterFilter,
  { after, take }: PageRequest,
): Promise<LetterRow[]> {
  let query = select(ctx, "workflow_dead_letters", "l")
    .innerJoin(rowsOf(ctx, "workflow_runs", "r"), "r.id", "l.run_id")
    .select(["l.run_id", "l.workflow", "l.reason", "l.at", "l.settled_at", "l.settled_by"])
    .select(["r.status", "r.failure", "r.version_number"])
    .where("l.settled_at", settled ? "is not" : "is", null);
  if (workflow) query = query.where("l.workflow", "in", workflow);
  if (after) query = query.where(sql<boolean>`(l.at, l.run_id) < (${after.keys[0]}::timestamptz, ${after.id})`);
  return all(ctx, query.orderBy("l.at", "desc").orderBy("l.run_id", "desc").limit(take));
}

export const letterView = (row: LetterRow): WorkflowDeadLetter => ({
  ...{ run_id: row.run_id, workflow: row.workflow, version: row.version_number, status: row.status },
  reason: row.reason,
  failure: row.failure === null ? null : (JSON.parse(row.failure) as WorkflowDeadLetter["failure"]),
  at: timestamp(row.at.getTime()),
  settled_at: row.settled_at && timestamp(row.settled_at.getTime()),
  settled_by: row.settled_by,
});
