import { Type } from "typebox";
import { all, newestFirst, select, sql } from "../../../db/scoped.ts";
import type { ReadContext } from "../../../kernel/context.ts";
import { lowestId } from "../../../kernel/ids.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import { type CreatedRange, momentOf } from "../../../kernel/moment.ts";
import { commaList, createdRange } from "../../../kernel/schema-words.ts";
import type { RunRow } from "./rules.ts";
import { type WorkflowRun, WorkflowRunStatus, WorkflowRunTrigger } from "./schemas.ts";
import { readRunViews } from "./view.ts";

export const runFilters = {
  status: commaList(WorkflowRunStatus, "States"),
  trigger: commaList(WorkflowRunTrigger, "What started them"),
  key: Type.Optional(Type.String({ description: "The business key." })),
  label: Type.Optional(Type.String({ description: "A label that the runs carry." })),
  parent: Type.Optional(Type.String({ description: "Runs that a step of this run started, `wfr_…`." })),
  mission: Type.Optional(Type.String({ description: "The mission that they work for, `msn_…`." })),
  ...createdRange,
};

export interface RunFilter extends CreatedRange {
  readonly workflow?: readonly string[];
  readonly status?: readonly RunRow["status"][];
  readonly trigger?: readonly RunRow["trigger"][];
  readonly key?: string;
  readonly label?: string;
  readonly parent?: string;
  readonly mission?: string;
}

interface ListedRun {
  readonly id: string;
  readonly view: WorkflowRun;
}

/** A page of runs, newest first: ids sort by time. */
export async function listRuns(ctx: ReadContext, filter: RunFilter, page: PageRequest): Promise<ListedRun[]> {
  const { workflow, status, trigger, key, label, parent, mission, created_after, created_before } = filter;
  let query = select(ctx, "workflow_runs", "r").selectAll("r");
  if (workflow) query = query.where("r.workflow", "in", workflow);
  if (status) query = query.where("r.status", "in", status);
  if (trigger) query = query.where("r.trigger", "in", trigger);
  if (key !== undefined) query = query.where("r.business_key", "=", key);
  if (label !== undefined) query = query.where(sql<boolean>`${label} = any(r.labels)`);
  if (parent !== undefined) query = query.where("r.parent_run", "=", parent);
  if (mission !== undefined) query = query.where("r.mission", "=", mission);
  if (created_after !== undefined) query = query.where("r.id", ">=", lowestId("wfr", momentOf(created_after)));
  if (created_before !== undefined) query = query.where("r.id", "<", lowestId("wfr", momentOf(created_before)));
  const rows = await all(ctx, newestFirst(query, "r.id", page));
  const views = await readRunViews(ctx, rows);
  return views.map((view) => ({ id: view.run_id, view }));
}
