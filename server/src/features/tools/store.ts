import { all, select } from "../../db/scoped.ts";
import type { ReadContext } from "../../kernel/context.ts";
import { storedJson } from "../../kernel/stored-json.ts";
import { connectionRows } from "../admin/shared-rows.ts";
import type { Failure } from "../tasks/schemas.ts";
import { stepRows, taskRows } from "../tasks/shared-rows.ts";

/** Newest tasks of an agent that are searched for uses of its tools. */
const mostTasks = 500;

export interface ToolUse {
  readonly used_at: Date;
  readonly failed_at: Date | null;
  readonly failure: Failure | null;
}

const usedJson = storedJson<{ failure: Failure }>();

/** When an agent last called its tools, and when a call last failed and why, by the tools' names. */
export async function findUses(ctx: ReadContext, agent: string): Promise<ReadonlyMap<string, ToolUse>> {
  const { organization, environment } = ctx.scope;
  // By each status in turn, as the index has them: the newest of all are among the newest of each.
  const rows = await ctx.db.query<{ name: string; used_at: Date; failed_at: Date | null; failure: string | null }>(
    `with newest as (
       select t.id from unnest(array['queued', 'awaiting_approval', 'running', 'input_required', 'completed', 'failed', 'rejected', 'expired', 'blocked', 'cancelled']) s(status)
       cross join lateral (
         select id from ${taskRows} tasks where organization = $1 and environment = $2 and agent = $3 and status = s.status order by id desc limit $4) t
       order by t.id desc limit $4)
     select s.name, max(s.started_at) as used_at, max(s.started_at) filter (where s.state = 'failed') as failed_at,
       (array_agg(s.failure order by s.started_at desc) filter (where s.state = 'failed'))[1] as failure
     from newest n join ${stepRows} s on s.organization = $1 and s.environment = $2 and s.task_id = n.id
     where s.kind = 'tool' group by s.name`,
    [organization, environment, agent, mostTasks],
  );
  return new Map(rows.map(({ name, ...row }) => [name, { ...row, failure: usedJson(row, "failure") }]));
}

export async function presentConnections(ctx: ReadContext): Promise<ReadonlySet<string>> {
  const rows = await all(ctx, select(ctx, connectionRows, "c").select("c.name"));
  return new Set(rows.map(({ name }) => name));
}
