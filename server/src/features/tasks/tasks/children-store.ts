import { isoTime } from "../../../kernel/clock.ts";
import type { ReadContext } from "../../../kernel/context.ts";
import { summedUsd } from "../../../kernel/ledger.ts";
import { workflowRunRows } from "../../workflows/shared-rows.ts";
import type { ChildNode, TaskChildren } from "../schemas.ts";

/** Nodes of a tree at most. */
export const mostNodes = 500;
/** Levels of a tree at most. */
export const mostDepth = 12;

interface NodeRow extends Record<string, unknown> {
  readonly kind: "run" | "task";
  readonly id: string;
  readonly parent: string;
  readonly came_by: ChildNode["came_by"];
  readonly status: string;
  readonly agent: string | null;
  readonly skill: string | null;
  readonly title: string | null;
  readonly workflow: string;
  readonly step: string | null;
  readonly trust_score: number | null;
  readonly cost_usd: number;
  readonly tokens: number;
  readonly created_at: Date;
  readonly finished_at: Date | null;
}

/** What came of these tasks and runs at once, the oldest first. */
async function listNextLevel(
  { scope, db, principal }: ReadContext,
  parents: readonly string[],
  most: number,
): Promise<NodeRow[]> {
  const run = (parent: string, came_by: string) =>
    `select 'run' as kind, r.id, r.${parent} as parent, '${came_by}' as came_by, r.status, null as agent, null as skill, null as title, r.workflow, null as step,
       null::float8 as trust_score, r.cost_usd, r.tokens::float8 as tokens, r.created_at, r.finished_at
     from ${workflowRunRows} r where r.organization = $1 and r.environment = $2 and r.${parent} = any($3::text[])`;
  return db.query<NodeRow>(
    `select * from (
       ${run("cause_task", "event")}
       union all ${run("parent_run", "sub_workflow")}
       union all
       select 'task', t.id, t.run_id, 'step', t.status, t.agent, t.skill, t.title, t.run_workflow, t.run_step,
         t.trust_score, t.cost_usd, t.tokens::float8, t.created_at, t.finished_at
       from tasks t where t.organization = $1 and t.environment = $2 and t.run_id = any($3::text[]) and ($4::text[] is null or t.agent = any($4))) n
     order by created_at, id limit $5`,
    [scope.organization, scope.environment, parents, principal.agents, most],
  );
}

/** What came of a task, as a tree: level by level, so that what is cut is what is furthest away. */
export async function childrenOf(ctx: ReadContext, task: string): Promise<TaskChildren> {
  const below = new Map<string, NodeRow[]>();
  let cut: TaskChildren["cut"] = null;
  let level = [task];
  let found = 0;
  for (let depth = 1; level.length > 0 && cut === null; depth += 1) {
    const room = depth > mostDepth ? 0 : mostNodes - found;
    const rows = await listNextLevel(ctx, level, room + 1);
    if (rows.length > room) cut = depth > mostDepth ? "depth" : "size";
    const shown = rows.slice(0, room);
    for (const row of shown) below.set(row.parent, [...(below.get(row.parent) ?? []), row]);
    found += shown.length;
    level = shown.map(({ id }) => id);
  }
  const nodes = nodesBelow(ctx, below, task, 1);
  return { task_id: task, caused_by: await findCause(ctx, task), nodes, totals: totalsOf(nodes), cut };
}

function nodesBelow(
  ctx: ReadContext,
  below: ReadonlyMap<string, readonly NodeRow[]>,
  parent: string,
  depth: number,
): ChildNode[] {
  return (below.get(parent) ?? []).flatMap((row) => [
    nodeView(row, depth, ctx.principal.agents !== null),
    ...nodesBelow(ctx, below, row.id, depth + 1),
  ]);
}

/** `narrowed`: what a run cost in all would tell of other agents. */
function nodeView(
  { parent, skill, created_at, finished_at, cost_usd, tokens, ...row }: NodeRow,
  depth: number,
  narrowed: boolean,
): ChildNode {
  const isHidden = narrowed && row.kind === "run";
  return {
    kind: row.kind,
    id: row.id,
    parent_id: parent,
    depth,
    came_by: row.came_by,
    status: row.status,
    agent: row.agent,
    task: skill,
    title: row.title,
    workflow: row.workflow,
    step: row.step,
    trust_score: row.trust_score,
    cost_usd: isHidden ? null : summedUsd(cost_usd),
    tokens: isHidden ? null : tokens,
    created_at: created_at.toISOString(),
    finished_at: isoTime(finished_at),
  };
}

function totalsOf(nodes: readonly ChildNode[]): TaskChildren["totals"] {
  const tasks = nodes.filter(({ kind }) => kind === "task");
  return {
    tasks: tasks.length,
    runs: nodes.length - tasks.length,
    open: nodes.filter(({ finished_at }) => finished_at === null).length,
    cost_usd: summedUsd(tasks.reduce((sum, { cost_usd }) => sum + (cost_usd ?? 0), 0)),
  };
}

/** The task whose event started the run, or the run above it, in which a task is a step. */
async function findCause({ scope, db }: ReadContext, task: string): Promise<TaskChildren["caused_by"]> {
  const rows = await db.query<{ task_id: string; run_id: string }>(
    `with recursive above as (
       select r.id, r.cause_task, r.parent_run, 1 as depth from tasks t join ${workflowRunRows} r on r.organization = $1 and r.environment = $2 and r.id = t.run_id
       where t.organization = $1 and t.environment = $2 and t.id = $3
       union all
       select r.id, r.cause_task, r.parent_run, a.depth + 1 from above a join ${workflowRunRows} r on r.organization = $1 and r.environment = $2 and r.id = a.parent_run
       where a.cause_task is null and a.depth < $4)
     select cause_task as task_id, id as run_id from above where cause_task is not null`,
    [scope.organization, scope.environment, task, mostDepth],
  );
  return rows[0] ?? null;
}
