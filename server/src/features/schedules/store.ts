import { all, first, insert, remove, select, sql } from "../../db/scoped.ts";
import { type Actor, storable } from "../../kernel/actor.ts";
import type { WriteContext } from "../../kernel/context.ts";
import type { QueryContext } from "../../kernel/db.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import { taskRows } from "../tasks/shared-rows.ts";
import { schedules } from "./resource.ts";
import type { ScheduleRow, StoredSchedule } from "./view.ts";

/** States in which a task is not over. */
const open = sql.raw("('queued', 'awaiting_approval', 'running', 'input_required')");

export const insertSchedule = (
  ctx: WriteContext,
  actor: Actor,
  schedule: Pick<StoredSchedule, "id" | "agent" | "definition" | "next_at">,
): Promise<ScheduleRow> => {
  const now = new Date(ctx.now);
  return schedules.rows.insert(ctx, {
    ...schedule,
    principal: actor.owner,
    actor: storable(actor),
    author: ctx.principal.id,
    created_at: now,
    updated_at: now,
  });
};

export type ScheduleChange = Partial<
  Pick<StoredSchedule, "definition" | "paused_at" | "paused_by" | "pause_reason" | "next_at" | "due_at" | "try_at">
>;

const started = { stopped_reason: null, stopped_at: null, last_error: null, last_error_at: null };

/** Changes what people set of a schedule. Another actor starts one that stopped. */
export const changeSchedule = (
  ctx: WriteContext,
  id: string,
  change: ScheduleChange,
  actor?: Actor,
): Promise<ScheduleRow | undefined> =>
  schedules.rows.revise(ctx, id, {
    ...change,
    ...(actor && { principal: actor.owner, actor: storable(actor), ...started }),
  });

export async function removeSchedule(ctx: WriteContext, id: string): Promise<void> {
  await all(ctx, remove(ctx, "agent_schedule_runs").where("schedule", "=", id));
  await all(ctx, remove(ctx, "agent_schedules").where("id", "=", id));
}

/** Scopes in which the time of a schedule has come. */
export const listDueScopes = (db: Statements, now: Date): Promise<Scope[]> =>
  db.query(
    `select distinct organization, environment from agent_schedules
     where (next_at is not null or try_at is not null) and least(next_at, try_at) <= $1 and next_at <= $1`,
    [now],
  );

/** Schedules whose time has come, locked; those that another process plans are left out. */
export const lockDue = async (ctx: WriteContext, most: number): Promise<StoredSchedule[]> =>
  (await all(
    ctx,
    select(ctx, "agent_schedules", "s")
      .selectAll("s")
      .where("s.next_at", "<=", new Date(ctx.now))
      .orderBy("s.next_at")
      .limit(most)
      .forUpdate()
      .skipLocked(),
  )) as unknown as StoredSchedule[];

export interface DueSchedule {
  readonly schedule: string;
  /** The time for which a task is due. */
  readonly at: Date;
}

/** Schedules that can dispatch now, the oldest first. One that queues waits for the task before it. */
export const listReady = (db: Statements, now: Date, most: number): Promise<(Scope & DueSchedule)[]> =>
  db.query(
    `select s.organization, s.environment, s.id as schedule, s.due_at as at from agent_schedules s
     where (s.next_at is not null or s.try_at is not null) and least(s.next_at, s.try_at) <= $1 and s.try_at <= $1
       and not (s.definition ->> 'overlap' is not distinct from 'queue' and exists (
         select from ${taskRows} t where t.organization = s.organization and t.environment = s.environment and t.id = s.last_task
           and t.status in ('queued', 'awaiting_approval', 'running', 'input_required')))
     order by s.try_at, s.id limit $2`,
    [now, most],
  );

/** Whether a task is not over. */
export async function isOpenTask(ctx: QueryContext, task: string | null): Promise<boolean> {
  if (task === null) return false;
  const row = select(ctx, taskRows, "t").select("t.id").where("t.id", "=", task);
  return (await first(ctx, row.where(sql<boolean>`t.status in ${open}`))) !== undefined;
}

/** Notes for which time a task was dispatched; what is older than two months is forgotten. */
export async function insertRun(ctx: WriteContext, { schedule, at }: DueSchedule, task: string): Promise<void> {
  await all(ctx, insert(ctx, "agent_schedule_runs", { schedule, at, task }));
  const old = remove(ctx, "agent_schedule_runs").where("schedule", "=", schedule);
  await all(ctx, old.where("at", "<", new Date(ctx.now - 62 * 86_400_000)));
}

/** What the tasks of this month have cost, and what those that are not over may still cost: each what bounds it, else `most`. */
export async function spentBy(
  { scope, db }: WriteContext,
  schedule: string,
  most: number,
): Promise<{ readonly used: number; readonly open: number }> {
  const values = [scope.organization, scope.environment, schedule];
  await db.query(
    `update agent_schedule_runs r set cost_usd = t.cost_usd from ${taskRows} t
     where r.organization = $1 and r.environment = $2 and r.schedule = $3 and r.cost_usd is null
       and t.organization = r.organization and t.environment = r.environment and t.id = r.task
       and t.status not in ('queued', 'awaiting_approval', 'running', 'input_required')`,
    values,
  );
  const [row] = await db.query<{ used: number; open: number }>(
    `select coalesce(sum(r.cost_usd), 0)::float8 as used,
       coalesce(sum(greatest(t.cost_usd, coalesce((t.run_limits::json ->> 'cost_usd')::float8, $4))) filter (where t.id is not null), 0)::float8 as open
     from agent_schedule_runs r
     left join ${taskRows} t on r.cost_usd is null and t.organization = r.organization and t.environment = r.environment and t.id = r.task
     where r.organization = $1 and r.environment = $2 and r.schedule = $3 and r.at >= date_trunc('month', now(), 'UTC')`,
    [...values, most],
  );
  return row ?? { used: 0, open: 0 };
}
