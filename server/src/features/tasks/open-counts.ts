import type { ReadContext } from "../../kernel/context.ts";
import type { TaskState } from "./schemas.ts";

/** Numbers of tasks by state, each counted up to `most`, by index alone. `agents`: only theirs; null: all. */
export async function countTasks<S extends TaskState>(
  ctx: ReadContext,
  states: readonly S[],
  agents: readonly string[] | null,
  most: number,
): Promise<Record<S, number>> {
  const rows = await ctx.db.query<{ status: S; n: number }>(
    `select s.status, (select count(*) from (
       select 1 from tasks t where t.organization = $1 and t.environment = $2 and t.status = s.status
         and ($4::text[] is null or t.agent = any($4)) limit $5) counted)::int as n
     from unnest($3::text[]) s(status)`,
    [ctx.scope.organization, ctx.scope.environment, states, agents, most],
  );
  return Object.fromEntries(rows.map(({ status, n }) => [status, n])) as Record<S, number>;
}

export interface FailedWith {
  readonly code: string;
  readonly tasks: number;
  /** The newest. */
  readonly latest: string;
}

/** What the newest failed tasks of an agent failed with, most frequent first; `before` and `since` are ids. */
export async function countFailures(
  ctx: ReadContext,
  of: { readonly agent: string; readonly skill?: string | undefined; readonly label?: string | undefined },
  ids: { readonly since: string; readonly before: string },
  most: number,
): Promise<FailedWith[]> {
  return ctx.db.query<FailedWith & Record<string, unknown>>(
    `select code, count(*)::int as tasks, max(id) as latest from (
       select id, coalesce(failure::json ->> 'code', 'unknown') as code from tasks
       where organization = $1 and environment = $2 and agent = $3 and status = 'failed' and id >= $4 and id < $5
         and ($6::text is null or skill = $6) and ($7::text is null or $7 = any(labels))
       order by id desc limit $8) newest
     group by code order by tasks desc, code`,
    [
      ctx.scope.organization,
      ctx.scope.environment,
      of.agent,
      ids.since,
      ids.before,
      of.skill ?? null,
      of.label ?? null,
      most,
    ],
  );
}
