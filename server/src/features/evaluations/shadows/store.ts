import { all, first, newestFirst, type Row, select } from "../../../db/scoped.ts";
import type { CallContext, ReadContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { leaseEnd } from "../../../kernel/lease.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { faultPauseSql, faultText, mostFaults } from "../../../kernel/service-faults.ts";
import { deploymentRows } from "../../agents/shared-rows.ts";
import type { Comparison, SideEnd } from "./rules.ts";

/** A task that a shadow repeated. `live`, `shadow` and `comparison` are JSON. */
export type ShadowRunRow = Omit<Row<"shadow_runs">, "organization" | "environment">;

/** Claims before a run is given up. */
const mostTries = 3;
/** In milliseconds. */
export const longestRunMs = 540_000;

/** The task to repeat, and the shadow's deployment. */
interface Shadowed extends Scope {
  readonly task: string;
  readonly deployment: string;
  readonly agent: string;
  readonly version: string;
  readonly skill: string;
  /** By the skill's limit; null without one. */
  readonly limitUsd: number | null;
  readonly liveUsd: number;
}

/** A run that a worker has claimed. */
export interface HeldShadowRun extends Scope {
  readonly id: string;
  /** Counts claims: an earlier claimer has lost it. */
  readonly attempt: number;
}

/** SQL: the attempt still has the run; `$1`–`$4` are `heldBy`. */
const held = "organization = $1 and environment = $2 and id = $3 and attempt = $4 and state = 'running'";
const heldBy = ({ organization, environment, id, attempt }: HeldShadowRun) => [organization, environment, id, attempt];

/**
 * Begins the shadow's run of a task, or takes up one that nobody works on, with what it may cost in `cost_usd`: where its skill has no limit, what its task or
 * the dearest run of the shadow cost. Undefined: there is nothing to do.
 */
export async function claimShadowRun(db: Statements, at: Shadowed, id: string): Promise<HeldShadowRun | undefined> {
  const rows = await db.query<HeldShadowRun>(
    `insert into shadow_runs as r
       (organization, environment, id, deployment_id, agent, task_id, skill, version_id, state, attempt, tries, lease_until, created_at, cost_usd)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 'running', 1, 1, ${leaseEnd}, now(), coalesce($9, greatest($10,
       (select max(cost_usd) from shadow_runs where organization = $1 and environment = $2 and deployment_id = $4 and state = 'compared'))))
     on conflict on constraint shadow_runs_task_key do update
       set attempt = r.attempt + 1, tries = r.tries + 1, lease_until = excluded.lease_until, cost_usd = excluded.cost_usd
       where r.state = 'running' and r.lease_until < now() and r.tries < ${mostTries} and r.faults < ${mostFaults}
     returning organization, environment, id, attempt`,
    [
      at.organization,
      at.environment,
      id,
      at.deployment,
      at.agent,
      at.task,
      at.skill,
      at.version,
      at.limitUsd,
      at.liveUsd,
    ],
  );
  return rows[0];
}

/** False if the attempt has lost the run. */
export async function renewShadowRun(db: Statements, run: HeldShadowRun): Promise<boolean> {
  const renewed = `update shadow_runs set lease_until = ${leaseEnd} where ${held} returning id`;
  return (await db.query(renewed, heldBy(run))).length > 0;
}

/** SQL: no worker has the run. */
const idle = "r.state = 'running' and r.lease_until < now()";
/** SQL: the run's shadow still runs. */
const runsOn = `exists (select from ${deploymentRows} d where d.organization = r.organization and d.environment = r.environment
  and d.id = r.deployment_id and d.state = 'shadow')`;
/** SQL: skips a run and releases its part of the budget. */
const leftOut = "state = 'skipped', lease_until = null, finished_at = now(), cost_usd = 0";

/** Over all scopes: runs whose shadow has ended, and those that lost too many workers. */
export async function leaveOutShadowRuns(db: Statements, most: number): Promise<void> {
  await db.query(
    `with lost as materialized (
       select r.organization, r.environment, r.id, ${runsOn} as runs_on from shadow_runs r
       where ${idle} and (r.tries >= ${mostTries} or not ${runsOn}) order by r.lease_until limit $1 for update of r skip locked)
     update shadow_runs r set ${leftOut}, reason = case when lost.runs_on then 'worker_lost' else 'shadow_ended' end
     from lost where (r.organization, r.environment, r.id) = (lost.organization, lost.environment, lost.id)`,
    [most],
  );
}

/** Skips idle runs of a task that cannot be repeated. */
export async function leaveOutTask(db: Statements, { organization, environment }: Scope, task: string): Promise<void> {
  await db.query(
    `update shadow_runs r set ${leftOut}, reason = 'task_unusable'
     where organization = $1 and environment = $2 and task_id = $3 and ${idle}`,
    [organization, environment, task],
  );
}

/** Over all scopes. */
export const listIdleShadowRuns = (
  db: Statements,
  most: number,
): Promise<(Scope & { task: string; deployment: string })[]> =>
  db.query(
    `select r.organization, r.environment, r.task_id as task, r.deployment_id as deployment from shadow_runs r
     where ${idle} and r.tries < ${mostTries} and ${runsOn} order by r.lease_until limit $1`,
    [most],
  );

/** Less than a millionth of a dollar: sums of prices are not exact. */
const least = 5e-7;

/**
 * Whether the budget suffices for a run that was claimed, with all that hold a part of it. Of runs that were claimed at the same moment each sees the other, so
 * that they may all be refused and never all pass. A run that is alone may begin while anything is left.
 */
export async function holdsBudget(
  db: Statements,
  { organization, environment, deployment }: Shadowed,
  { id }: HeldShadowRun,
  budget: { readonly cost_usd: number; readonly tasks: number },
): Promise<boolean> {
  const [sums] = await db.query<{ tasks: number; usd: number; others: number }>(
    `select count(*) filter (where state <> 'skipped' or cost_usd > 0)::int as tasks, coalesce(sum(cost_usd), 0)::float8 as usd,
       count(*) filter (where state = 'running' and lease_until > now() and id <> $4)::int as others
     from shadow_runs where organization = $1 and environment = $2 and deployment_id = $3`,
    [organization, environment, deployment, id],
  );
  const { tasks, usd, others } = sums as { tasks: number; usd: number; others: number };
  return tasks <= budget.tasks && (others === 0 || usd <= budget.cost_usd + least);
}

/** Returns a run after an error of the service, for another attempt after a pause; after too many in a row it is skipped. */
export async function giveBackShadowRun(db: Statements, run: HeldShadowRun, error: unknown): Promise<void> {
  const last = `faults + 1 >= ${mostFaults}`;
  await db.query(
    `update shadow_runs set tries = tries - 1, faults = faults + 1, fault = $5,
       lease_until = case when ${last} then null else now() + ${faultPauseSql("faults")} end,
       state = case when ${last} then 'skipped' else state end,
       reason = case when ${last} then 'internal_error' else reason end,
       finished_at = case when ${last} then now() end,
       cost_usd = case when ${last} then 0 else cost_usd end
     where ${held}`,
    [...heldBy(run), faultText(error)],
  );
}

interface ShadowEnd {
  readonly live: SideEnd;
  readonly shadow: SideEnd;
  readonly comparison: Comparison;
  readonly liveUsd: number;
  readonly usd: number;
  readonly liveMs: number;
  readonly ms: number;
}

/** Does nothing if the attempt has lost the run. */
export async function endShadowRun(db: Statements, run: HeldShadowRun, end: ShadowEnd): Promise<void> {
  await db.query(
    `update shadow_runs set state = 'compared', lease_until = null, finished_at = now(), live = $5, shadow = $6, comparison = $7, same = $8,
       live_cost_usd = $9, cost_usd = $10, live_ms = $11, ms = $12
     where ${held}`,
    [
      ...heldBy(run),
      ...[end.live, end.shadow, end.comparison].map((value) => JSON.stringify(value)),
      end.comparison.same,
      end.liveUsd,
      end.usd,
      Math.round(end.liveMs),
      Math.round(end.ms),
    ],
  );
}

export async function skipShadowRun(
  db: Statements,
  run: HeldShadowRun,
  { reason, usd = 0 }: { readonly reason: string; readonly usd?: number },
): Promise<void> {
  await db.query(
    `update shadow_runs set state = 'skipped', lease_until = null, finished_at = now(), reason = $5, cost_usd = $6
     where ${held}`,
    [...heldBy(run), reason, usd],
  );
}

/** Runs in progress count as tasks. `but`: the task whose own run does not count while it is in progress. */
export async function usedByShadow(
  db: Statements,
  { organization, environment }: Scope,
  deployment: string,
  but: string | null = null,
): Promise<{ readonly tasks: number; readonly usd: number }> {
  const [used] = await db.query<{ tasks: number; usd: number }>(
    `select count(*)::int as tasks, coalesce(sum(cost_usd) filter (where state <> 'running'), 0)::float8 as usd from shadow_runs
     where organization = $1 and environment = $2 and deployment_id = $3 and (state <> 'skipped' or cost_usd > 0)
       and (state <> 'running' or task_id is distinct from $4)`,
    [organization, environment, deployment, but],
  );
  return used as { tasks: number; usd: number };
}

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

export async function sumShadow(ctx: QueryContext, deployment: string): Promise<ShadowSums> {
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

/** Reasons of skipped runs and places of differences, the most frequent first. */
export async function countShadow(ctx: QueryContext, deployment: string) {
  const at = [ctx.scope.organization, ctx.scope.environment, deployment];
  const of = "from shadow_runs where organization = $1 and environment = $2 and deployment_id = $3";
  const skipped = await ctx.db.query<{ reason: string; runs: number }>(
    `select reason, count(*)::int as runs ${of} and state = 'skipped' group by reason order by runs desc, reason limit 20`,
    at,
  );
  const differences = await ctx.db.query<{ pointer: string; runs: number }>(
    `select d ->> 'pointer' as pointer, count(distinct id)::int as runs
     from (select id, jsonb_array_elements(comparison::jsonb -> 'differences') as d ${of} and state = 'compared' and not same) differing
     group by 1 order by runs desc, pointer limit 20`,
    at,
  );
  return { skipped, differences };
}

/** Newest first. */
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

/** Present or past. */
export function findShadow(ctx: CallContext & Pick<QueryContext, "db">, id: string) {
  const found = select(ctx, deploymentRows, "d")
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
