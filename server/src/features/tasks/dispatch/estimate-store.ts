import type { ReadContext } from "../../../kernel/context.ts";
import { approvalRows } from "../../approvals/shared-rows.ts";

/** An ended task, as estimates count it. Times in seconds; `queue`: null where people were asked first, or it was tried again. */
export interface EndedTask extends Record<string, unknown> {
  readonly id: string;
  readonly version_id: string;
  readonly completed: boolean;
  readonly cost_usd: number;
  readonly tokens: number;
  readonly run: number;
  readonly queue: number | null;
}

/** Of an agent with many skills, so many of its newest tasks are searched for those of one. */
const mostLookedAt = 5_000;

/** The newest tasks of a skill that ran to an end by themselves. Those that people cancelled or rejected say nothing of it. */
export async function listEnded(
  { scope, db }: ReadContext,
  { agent, skill, most }: { readonly agent: string; readonly skill: string; readonly most: number },
): Promise<EndedTask[]> {
  return db.query<EndedTask>(
    `select id, version_id, status = 'completed' as completed, cost_usd, tokens::float8 as tokens,
       extract(epoch from finished_at - started_at)::float8 as run,
       case when approval_id is null and attempts_before = 0 then extract(epoch from started_at - greatest(created_at, not_before))::float8 end as queue
     from (
       select * from (
         (select * from tasks where organization = $1 and environment = $2 and agent = $3 and status = 'completed' order by id desc limit $6)
         union all
         (select * from tasks where organization = $1 and environment = $2 and agent = $3 and status = 'failed' order by id desc limit $6)) newest
       where skill = $4) t
     where started_at is not null and finished_at is not null order by id desc limit $5`,
    [scope.organization, scope.environment, agent, skill, most, mostLookedAt],
  );
}

/** How long people took for the newest approvals of a skill's tasks as a whole, in seconds. */
export async function listDecisionTimes(
  { scope, db }: ReadContext,
  { agent, skill, most }: { readonly agent: string; readonly skill: string; readonly most: number },
): Promise<number[]> {
  const rows = await db.query<{ seconds: number }>(
    `select extract(epoch from decided_at - created_at)::float8 as seconds from ${approvalRows} a
     where organization = $1 and environment = $2 and agent = $3 and skill = $4 and tool is null and decided_at is not null and decided_by is not null
     order by id desc limit $5`,
    [scope.organization, scope.environment, agent, skill, most],
  );
  return rows.map(({ seconds }) => seconds);
}
