import { Type } from "typebox";
import { all, rowsOf, select, sql } from "../../../../db/scoped.ts";
import { timestamp } from "../../../../kernel/clock.ts";
import type { ReadContext } from "../../../../kernel/context.ts";
import { defineList, type PageRequest } from "../../../../kernel/listing.ts";
import { whole } from "../../../../kernel/narrowing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { commaList } from "../../../../kernel/schema-words.ts";
import { WorkflowDeadLetter } from "../../schemas.ts";
import { exampleLetter } from "../example.ts";
import { type RunRow, runJson } from "../rules.ts";

interface LetterFilter {
  readonly workflow?: readonly string[];
  readonly settled?: boolean;
}

interface LetterRow extends Pick<RunRow, "status" | "failure" | "version_number"> {
  readonly run_id: string;
  readonly workflow: string;
  readonly reason: string;
  readonly at: Date;
  readonly settled_at: Date | null;
  readonly settled_by: string | null;
}

async function readPage(
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

const letterView = (row: LetterRow): WorkflowDeadLetter => ({
  run_id: row.run_id,
  workflow: row.workflow,
  version: row.version_number,
  status: row.status,
  reason: row.reason,
  failure: runJson(row, "failure"),
  at: timestamp(row.at.getTime()),
  settled_at: row.settled_at && timestamp(row.settled_at.getTime()),
  settled_by: row.settled_by,
});

export const listDeadLetters = defineList({
  id: "workflows.listDeadLetters",
  path: "/v1/workflows/dead-letters",
  summary: "List runs that gave up",
  description:
    "Runs that failed or could not be undone and that nobody has seen to, the latest first. Retrying, skipping, undoing, replaying or settling one takes it off the list.",
  filters: {
    workflow: commaList(Type.String(), "Workflows by name"),
    settled: Type.Optional(Type.Boolean({ description: "Those that somebody has seen to instead." })),
  },
  item: WorkflowDeadLetter,
  example: { item: exampleLetter },
  permission: "workflows:read",
  narrowing: whole("lists runs of all workflows, whatever agents they use"),
  compliance: governs("workflow.read"),
  audit: "runs",
  sort: "-at",
  read: readPage,
  position: ({ at, run_id }) => ({ keys: [at.toISOString()], id: run_id }),
  view: letterView,
});
