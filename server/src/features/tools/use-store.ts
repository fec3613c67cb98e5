import type { ReadContext } from "../../kernel/context.ts";
import type { Failure } from "../tasks/schemas.ts";

/** Tasks of an agent in which uses of its tools are looked for. */
const mostTasks = 500;

export interface ToolUse {
  readonly used_at: Date;
  readonly failed_at: Date | null;
  readonly failure: Failure | null;
}

/** When an agent last called its tools, and when a call last failed and why, by the tools' names. */
export async function findUses(ctx: ReadContext, agent: string): Promise<ReadonlyMap<string, ToolUse>> {
  const { organization, environment } = ctx.scope;
  // By each status in turn, as the index has them: the newest of all are among the newest of each.
  const rows = await ctx.db.query<{ name: string; used_at: Date; failed_at: Date | null; failure: string | null }>(
    `with newest as (
       select t.id from unnest(array['queued', 'awaiting_approval', 'running', 'input_required', 'completed', 'failed', 'rejected', 'expired', 'blocked', 'cancelled']) s(status)
       cross join lateral (
         select id from tasks where organization = $1 and environment = $2 and agent = $3 and status = s.status order by id desc limit $4) t
       order by t.id desc limit $4)
     select s.name, max(s.started_at) as used_at, max(s.started_at) filter (where s.state = 'failed') as failed_at,
       (array_agg(s.failure order by s.started_at desc) filter (where s.state = 'failed'))[1] as failure
     from newest n join steps s on s.organization = $1 and s.environment = $2 and s.task_id = n.id
     where s.kind = 'tool' group by s.name`,
    [organization, environment, agent, mostTasks],
  );
  return new Map(
    rows.map(({ name, failure, ...at }) => [name, { ...at, failure: failure === null ? null : JSON.parse(failure) }]),
  );
}
