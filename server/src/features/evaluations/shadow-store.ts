import { all, first, newestFirst, type Row, select } from "../../db/scoped.ts";
import type { CallContext, ReadContext } from "../../kernel/context.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import type { Here } from "./dataset-store.ts";
import type { Comparison, SideEnd } from "./shadow-model.ts";

/** A task that a shadow carried out too. `live`, `shadow` and `comparison` are JSON. */
export type ShadowRunRow = Omit<Row<"shadow_runs">, "organization" | "environment">;

/** A run may be taken up this often before it is given up. */
const mostTries = 3;
/** How long a run may take, in minutes; behind that another worker takes it up. */
export const leaseMinutes = 10;

/** What a task's shadow needs to know of it, and of the deployment that shadows its agent. */
export interface Shadowed extends Scope {
  readonly task: string;
  readonly deployment: string;
  readonly agent: string;
  readonly version: string;
  readonly skill: string;
  /** US dollars that the run may cost by its skill's limit; null: it has none. */
  readonly limitUsd: number | null;
  readonly liveUsd: number;
}

/**
 * Begins the shadow's run of a task, or takes up one that nobody works on, with what it may cost in `cost_usd`: where its skill has no limit, what its task or
 * the dearest run of the shadow cost. Undefined: there is nothing to do.
 */
export async function claimShadowRun(db: Statements, at: Shadowed, id: string): Promise<string | undefined> {
  const rows = await db.query<{ id: string }>(
    `insert into shadow_runs as r
       (organization, environment, id, deployment_id, agent, task_id, skill, version_id, state, tries, lease_until, created_at, cost_usd)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 'running', 1, now() + make_interval(mins => $9), now(), coalesce($10, greatest($11,
       (select max(cost_usd) from shadow_runs where organization = $1 and environment = $2 and deployment_id = $4 and state = 'compared'))))
     on conflict on constraint shadow_runs_task_key do update
       set tries = r.tries + 1, lease_until = excluded.lease_until, cost_usd = excluded.cost_usd
       where r.state = 'running' and r.lease_until < now() and r.tries < ${mostTries}
     returning id`,
    [
      ...[at.organization, at.environment, id, at.deployment, at.agent, at.task, at.skill, at.version, leaseMinutes],
      ...[at.limitUsd, at.liveUsd],
    ],
  );
  return rows[0]?.id;
}

/** Less than a millionth of a dollar: sums of prices are not exact. */
const least = 5e-7;

/**
 * Whether the budget suffices for a run that was claimed, with all that hold a part of it. Of runs that were claimed at the same moment each sees the other, so
 * that they may all be refused and never all pass. A run that is alone may begin while anything is left.
 */
export async function holdsBudget(
  db: Statements,
  { organization, environment, deployment }: Shadowed,
  run: string,
  budget: { readonly cost_usd: number; readonly tasks: number },
): Promise<boolean> {
  const [held] = await db.query<{ tasks: number; usd: number; others: number }>(
    `select count(*) filter (where state <> 'skipped' or cost_usd > 0)::int as tasks, coalesce(sum(cost_usd), 0)::float8 as usd,
       count(*) filter (where state = 'running' and lease_until > now() and id <> $4)::int as others
     from shadow_runs where organization = $1 and environment = $2 and deployment_id = $3`,
    [organization, environment, deployment, run],
  );
  const { tasks, usd, others } = held as { tasks: number; usd: number; others: number };
  return tasks <= budget.tasks && (others === 0 || usd <= budget.cost_usd + least);
}

/** Lets a run that broke off be taken up again; one that broke off as often as it may is left out. */
export async function giveUpTry(db: Statements, { organization, environment }: Scope, id: string): Promise<void> {
  await db.query(
    `update shadow_runs set lease_until = case when tries < ${mostTries} then now() end,
       state = case when tries < ${mostTries} then state else 'skipped' end,
       reason = case when tries < ${mostTries} then reason else 'internal_error' end,
       finished_at = case when tries < ${mostTries} then null else now() end,
       cost_usd = case when tries < ${mostTries} then cost_usd else 0 end
     where organization = $1 and environment = $2 and id = $3 and state = 'running'`,
    [organization, environment, id],
  );
}

/** How the shadow's run of a task ended. */
export interface ShadowEnd {
  readonly live: SideEnd;
  readonly shadow: SideEnd;
  readonly comparison: Comparison;
  readonly liveUsd: number;
  readonly usd: number;
  readonly liveMs: number;
  readonly ms: number;
}

/** Stores what came of a run. */
export async function endShadowRun(db: Statements, scope: Scope, id: string, end: ShadowEnd): Promise<void> {
  await db.query(
    `update shadow_runs set state = 'compared', lease_until = null, finished_at = now(), live = $4, shadow = $5, comparison = $6, same = $7,
       live_cost_usd = $8, cost_usd = $9, live_ms = $10, ms = $11
     where organization = $1 and environment = $2 and id = $3 and state = 'running'`,
    [
      ...[scope.organization, scope.environment, id],
      ...[end.live, end.shadow, end.comparison].map((value) => JSON.stringify(value)),
      ...[end.comparison.same, end.liveUsd, end.usd, Math.round(end.liveMs), Math.round(end.ms)],
    ],
  );
}

/** Leaves a run out, with the reason; what it used until then counts. */
export async function skipShadowRun(
  db: Statements,
  { organization, environment }: Scope,
  id: string,
  { reason, usd = 0 }: { readonly reason: string; readonly usd?: number },
): Promise<void> {
  await db.query(
    `update shadow_runs set state = 'skipped', lease_until = null, finished_at = now(), reason = $4, cost_usd = $5
     where organization = $1 and environment = $2 and id = $3 and state = 'running'`,
    [organization, environment, id, reason, usd],
  );
}

/** What a shadow has used of its budget; runs that go on count as tasks. */
export async function usedByShadow(
  db: Statements,
  { organization, environment }: Scope,
  deployment: string,
): Promise<{ readonly tasks: number; readonly usd: number }> {
  const [used] = await db.query<{ tasks: number; usd: number }>(
    `select count(*)::int as tasks, coalesce(sum(cost_usd) filter (where state <> 'running'), 0)::float8 as usd from shadow_runs
     where organization = $1 and environment = $2 and deployment_id = $3 and (state <> 'skipped' or cost_usd > 0)`,
    [organization, environment, deployment],
  );
  return used as { tasks: number; usd: number };
}

/** Sums over what a shadow did. */
export interface ShadowSums {
  readonly compared: number;
  readonly same: number;
  readonly writes: number;
  readonly failed: number;
  readonly live_failed: number;
  readonly live_usd: number;
  readonly usd: number;
  readonly live_ms: number;
  readonly ms: number;
}

export async function sumShadow(ctx: Here, deployment: string): Promise<ShadowSums> {
  const { organization, environment } = ctx.scope;
  const [sums] = await ctx.db.query<ShadowSums>(
    `select count(*)::int as compared, count(*) filter (where same)::int as same,
       count(*) filter (where comparison::jsonb ->> 'up_to' = 'write')::int as writes,
       count(*) filter (where shadow::jsonb ->> 'status' = 'failed')::int as failed,
       count(*) filter (where live::jsonb ->> 'status' = 'failed')::int as live_failed,
       coalesce(sum(live_cost_usd), 0)::float8 as live_usd, coalesce(sum(cost_usd), 0)::float8 as usd,
       coalesce(avg(live_ms), 0)::float8 as live_ms, coalesce(avg(ms), 0)::float8 as ms
     from shadow_runs where organization = $1 and environment = $2 and deployment_id = $3 and state = 'compared'`,
    [organization, environment, deployment],
  );
  return sums as ShadowSums;
}

/** Why runs were skipped, and where sides differ: the most frequent first. */
export async function countShadow(ctx: Here, deployment: string) {
  const at = [ctx.scope.organization, ctx.scope.environment, deployment];
  const of = "from shadow_runs where organization = $1 and environment = $2 and deployment_id = $3";
  const skipped = await ctx.db.query<{ reason: string; runs: number }>(
    `select reason, count(*)::int as runs ${of} and state = 'skipped' group by reason order by runs desc, reason limit 20`,
    at,
  );
  const differences = await ctx.db.query<{ pointer: string; runs: number }>(
    `select d ->> 'pointer' as pointer, count(distinct id)::int as runs
     from (select id, jsonb_array_elements(comparison::jsonb -> 'differences') as d ${of} and state = 'compared' and not same) told
     group by 1 order by runs desc, pointer limit 20`,
    at,
  );
  return { skipped, differences };
}

/** A page of a shadow's runs, newest first. */
export function listShadowRuns(
  ctx: ReadContext,
  deployment: string,
  { same }: { readonly same?: boolean },
  page: PageRequest,
): Promise<ShadowRunRow[]> {
  const runs = select(ctx, "shadow_runs", "s")
    .selectAll("s")
    .where("s.deployment_id", "=", deployment)
    .$if(same !== undefined, (q) => q.where("s.same", "=", same ?? false));
  return all(ctx, newestFirst(runs, "s.id", page).$castTo<ShadowRunRow>());
}

/** A shadow deployment of the call's environment, present or past. */
export function findShadow(ctx: CallContext & Pick<Here, "db">, id: string) {
  const found = select(ctx, "deployments", "d")
    .where("d.id", "=", id)
    .where("d.mode", "=", "shadow")
    .select([
      "d.id",
      "d.agent",
      "d.version_number",
      "d.state",
      "d.share",
      "d.rule",
      "d.reason",
      "d.created_at",
      "d.ended_at",
    ]);
  return first(ctx, found);
}
