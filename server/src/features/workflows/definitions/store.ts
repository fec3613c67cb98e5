import type { WorkflowDefinition } from "@aos/workflow";
import { all, first, insert, readWritten, remove, type Statement, select, sql, update } from "../../../db/scoped.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { defineLoader } from "../../../kernel/db.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import { draftDecidersWith } from "../versions/deciders.ts";
import { workflowNamePattern } from "./schemas.ts";

/** A workflow with its live version and pause in the call's environment. */
export interface WorkflowRow {
  readonly name: string;
  readonly description: string;
  readonly owner: string;
  readonly draft: WorkflowDefinition;
  readonly source: string | null;
  /** Of the draft since the newest version was frozen; not in lists. */
  readonly draft_deciders?: unknown;
  readonly agents: readonly string[];
  readonly hidden: boolean;
  readonly revision: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly archived_at: Date | null;
  readonly archived_by: string | null;
  readonly archived_for: string | null;
  readonly live_version: number | null;
  readonly release_id: string | null;
  readonly latest_version: number | null;
  readonly pause_reason: string | null;
  readonly paused_by: string | null;
  readonly paused_at: Date | null;
  /** Of the newest runs of the last 30 days that have ended, without cancelled ones. */
  readonly ended: number;
  readonly completed: number;
  readonly last_run_id: string | null;
  readonly last_run_status: string | null;
  readonly last_run_at: Date | null;
  /** Microseconds since the epoch: the sort key of lists, which a Date would round. */
  readonly created_us: number;
}

/** Takes organization ($1) and environment ($2). */
const workflowsHere = `
  select w.*, (extract(epoch from w.created_at) * 1000000)::bigint as created_us, r.id as release_id, r.version_number as live_version,
    w.agents || coalesce(v.agents, '{}') as agents_here,
    case when w.archived_at is not null then 'archived' when r.id is not null then 'live' else 'draft' end as status
  from workflows w
  left join workflow_releases r on r.organization = w.organization and r.environment = $2 and r.workflow = w.name and r.ended_at is null
  left join workflow_versions v on v.organization = r.organization and v.workflow = r.workflow and v.number = r.version_number
  where w.organization = $1`;

/** The same with a bounded number of their runs, along one index: `from` must name few workflows. */
const withRuns = (from: string, draft: string) => `
  select h.name, h.description, h.owner, ${draft}, h.agents_here as agents, h.hidden, h.revision, h.created_at, h.updated_at, h.archived_at, h.archived_by,
    h.archived_for, h.created_us, h.live_version, h.release_id, v.number as latest_version,
    p.reason as pause_reason, p.author as paused_by, p.created_at as paused_at,
    c.ended, c.completed, l.id as last_run_id, l.status as last_run_status, l.created_at as last_run_at
  from (${from}) h
  left join workflow_pauses p on p.organization = h.organization and p.environment = $2 and p.workflow = h.name
  left join lateral (select v.number from workflow_versions v where v.organization = h.organization and v.workflow = h.name order by v.number desc limit 1) v on true
  left join lateral (select n.id, n.status, n.created_at from workflow_runs n
    where n.organization = h.organization and n.environment = $2 and n.workflow = h.name order by n.id desc limit 1) l on true
  left join lateral (
    select count(*) filter (where n.status in ('completed', 'failed', 'compensated', 'compensation_failed'))::int as ended,
      count(*) filter (where n.status = 'completed')::int as completed
    from (select n.status, n.created_at from workflow_runs n where n.organization = h.organization and n.environment = $2 and n.workflow = h.name
      order by n.id desc limit 500) n where n.created_at > now() - interval '30 days') c on true`;
const whole = "h.draft, h.source, h.draft_deciders";
const listed = "null::jsonb as draft, null::text as source";

const workflowByName = defineLoader<WorkflowRow>(
  "workflow by name",
  `select f.name as loader_key, f.* from (${withRuns(`${workflowsHere} and w.name = any($3::text[])`, whole)}) f`,
);
const possibleName = new RegExp(workflowNamePattern);

export async function findWorkflow(ctx: ReadContext | WriteContext, name: string): Promise<WorkflowRow | undefined> {
  return possibleName.test(name) ? ctx.db.load(workflowByName, ctx.scope, name) : undefined;
}

/** Undefined for a workflow that the service made for itself, too: nobody changes those. */
export async function findOwnWorkflow(ctx: ReadContext | WriteContext, name: string): Promise<WorkflowRow | undefined> {
  const row = await findWorkflow(ctx, name);
  return row?.hidden ? undefined : row;
}

/** Changes a workflow's row, or its pause, and returns the workflow as it then is; undefined where nothing was changed of its row. */
async function workflowWritten(
  ctx: WriteContext,
  name: string,
  table: "workflows" | "workflow_pauses",
  write: Statement,
): Promise<WorkflowRow | undefined> {
  const { organization, environment } = ctx.scope;
  const view = withRuns(`${workflowsHere} and w.name = $3`, whole);
  const parameters = [organization, environment, name];
  return (await readWritten<WorkflowRow>(ctx, table, write, { sql: view, parameters }))[0];
}

interface WorkflowFilter {
  readonly status?: readonly ("draft" | "live" | "archived")[];
  readonly owner?: string;
  readonly agent?: string;
  readonly search?: string;
}

/** A page of workflows, newest first, then by name. A key that is narrowed to agents sees workflows that name only its agents. */
export async function listWorkflows(
  ctx: ReadContext,
  filter: WorkflowFilter,
  page: PageRequest,
): Promise<WorkflowRow[]> {
  const values: unknown[] = [ctx.scope.organization, ctx.scope.environment];
  const where = ["not h.hidden"];
  const and = (condition: (parameter: string) => string, value: unknown): void => {
    if (value === undefined || value === null) return;
    values.push(value);
    where.push(condition(`$${values.length}`));
  };
  and((p) => `h.status = any(${p}::text[])`, filter.status);
  and((p) => `h.owner = ${p}`, filter.owner);
  and((p) => `${p} = any(h.agents_here)`, filter.agent);
  and(
    (p) => `(position(lower(${p}) in h.name) > 0 or position(lower(${p}) in lower(h.description)) > 0)`,
    filter.search,
  );
  and((p) => `h.agents_here <> '{}' and h.agents_here <@ ${p}::text[]`, ctx.principal.agents);
  if (page.after) {
    values.push(page.after.keys[0], page.after.id);
    where.push(`(h.created_us, h.name) < ($${values.length - 1}::bigint, $${values.length})`);
  }
  values.push(page.take);
  const onPage = `select * from (${workflowsHere}) h where ${where.join(" and ")} order by h.created_us desc, h.name desc limit $${values.length}`;
  return ctx.db.query<WorkflowRow>(`${withRuns(onPage, listed)} order by h.created_us desc, h.name desc`, values);
}

export interface NewDraft {
  readonly definition: WorkflowDefinition;
  readonly source: string | null;
  readonly agents: readonly string[];
}

const stored = ({ definition, source, agents }: NewDraft, ctx: WriteContext, earlier: unknown) => ({
  description: definition.description ?? "",
  draft: JSON.stringify(definition),
  source,
  agents: [...agents],
  draft_deciders: draftDecidersWith(ctx, definition.workflow, earlier),
  updated_at: new Date(ctx.now),
  updated_by: ctx.principal.id,
});

/** Adds a workflow of the caller; undefined if its name is taken. */
export async function insertWorkflow(ctx: WriteContext, draft: NewDraft): Promise<WorkflowRow | undefined> {
  const { workflow: name } = draft.definition;
  const row = { name, owner: ctx.principal.id, ...stored(draft, ctx, null), created_at: new Date(ctx.now) };
  const added = insert(ctx, "workflows", row).onConflict((on) => on.columns(["organization", "name"]).doNothing());
  return workflowWritten(ctx, name, "workflows", added.returningAll().compile());
}

/** Replaces the draft; undefined if it changed meanwhile, or the workflow is archived. */
export async function updateDraft(
  ctx: WriteContext,
  draft: NewDraft,
  { revision, draft_deciders }: Pick<WorkflowRow, "revision" | "draft_deciders">,
): Promise<WorkflowRow | undefined> {
  const changed = update(ctx, "workflows")
    .set({ ...stored(draft, ctx, draft_deciders), revision: sql<number>`revision + 1` })
    .where("name", "=", draft.definition.workflow)
    .where("revision", "=", revision)
    .where("archived_at", "is", null);
  return workflowWritten(ctx, draft.definition.workflow, "workflows", changed.returningAll().compile());
}

export type LockedWorkflow = Pick<
  WorkflowRow,
  "draft" | "source" | "agents" | "revision" | "archived_at" | "draft_deciders"
>;

/** Rows of workflows are never deleted. */
export async function lockWorkflow(ctx: WriteContext, name: string): Promise<LockedWorkflow> {
  const found = select(ctx, "workflows", "w")
    .select(["w.draft", "w.source", "w.agents", "w.revision", "w.archived_at", "w.draft_deciders"])
    .where("w.name", "=", name);
  return (await first(ctx, found.forUpdate())) as unknown as LockedWorkflow;
}

/** Called when the draft is frozen: whoever changes it from now on decides the next version. */
export async function forgetDraftDeciders(ctx: WriteContext, name: string): Promise<void> {
  await all(ctx, update(ctx, "workflows").set({ draft_deciders: null }).where("name", "=", name));
}

/** The caller has locked the workflow. */
export async function setArchived(ctx: WriteContext, name: string, reason: string): Promise<WorkflowRow> {
  const now = new Date(ctx.now);
  const changes = {
    archived_at: now,
    archived_by: ctx.principal.id,
    archived_for: reason,
    updated_at: now,
    updated_by: ctx.principal.id,
  };
  const archived = update(ctx, "workflows")
    .set({ ...changes, revision: sql<number>`revision + 1` })
    .where("name", "=", name);
  return (await workflowWritten(ctx, name, "workflows", archived.returningAll().compile())) as WorkflowRow;
}

/** Pauses a workflow's triggers in the call's environment; a second call changes the reason. */
export async function setPause(ctx: WriteContext, workflow: string, reason: string): Promise<WorkflowRow> {
  const pause = { reason, author: ctx.principal.id, created_at: new Date(ctx.now) };
  const added = insert(ctx, "workflow_pauses", { workflow, ...pause });
  const put = added.onConflict((on) => on.columns(["organization", "environment", "workflow"]).doUpdateSet({ reason }));
  return (await workflowWritten(ctx, workflow, "workflow_pauses", put.returningAll().compile())) as WorkflowRow;
}

export async function endPause(ctx: WriteContext, workflow: string): Promise<WorkflowRow> {
  const ended = remove(ctx, "workflow_pauses").where("workflow", "=", workflow).returningAll().compile();
  const row = (await workflowWritten(ctx, workflow, "workflow_pauses", ended)) as WorkflowRow; // shows the pause that was
  return { ...row, pause_reason: null, paused_by: null, paused_at: null };
}
