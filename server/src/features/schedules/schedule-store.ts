import {
  all,
  first,
  insert,
  type NewRow,
  newestFirst,
  type Row,
  remove,
  select,
  sql,
  update,
} from "../../db/scoped.ts";
import { type Actor, storable } from "../../kernel/actor.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { isId } from "../../kernel/ids.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import type { AgentScheduleDefinition } from "./schemas.ts";

/** Schedules that an agent has in an environment at most. */
export const mostSchedules = 50;

type Looking = { readonly scope: Scope; readonly db: Statements };
type Stored = Omit<Row<"agent_schedules">, "definition"> & { readonly definition: AgentScheduleDefinition };
export type ScheduleRow = Stored & { readonly spent_month_usd: number };

/** States in which a task is not over. */
const open = sql.raw("('queued', 'awaiting_approval', 'running', 'input_required')");
const monthBegan = sql`date_trunc('month', now(), 'UTC')`;
/** What the tasks of this month have cost so far. */
const spentMonth = sql<number>`(select coalesce(sum(coalesce(r.cost_usd, t.cost_usd, 0)), 0)::float8
  from agent_schedule_runs r
  left join tasks t on r.cost_usd is null and t.organization = r.organization and t.environment = r.environment and t.id = r.task
  where r.organization = s.organization and r.environment = s.environment and r.schedule = s.id and r.at >= ${monthBegan})`;

const schedules = (ctx: Looking) =>
  select(ctx, "agent_schedules", "s").selectAll("s").select(spentMonth.as("spent_month_usd"));

export async function listSchedules(ctx: Looking, agent: string, page: PageRequest): Promise<ScheduleRow[]> {
  return (await all(ctx, newestFirst(schedules(ctx).where("s.agent", "=", agent), "s.id", page))) as ScheduleRow[];
}

export async function findSchedule(ctx: Looking, id: string): Promise<ScheduleRow | undefined> {
  if (!isId(id, "sch")) return undefined;
  return (await first(ctx, schedules(ctx).where("s.id", "=", id))) as ScheduleRow | undefined;
}

/** A schedule of an agent that a path names. */
export async function findOwnSchedule(ctx: Looking, agent: string, id: string): Promise<ScheduleRow | undefined> {
  const row = await findSchedule(ctx, id);
  return row?.agent === agent ? row : undefined;
}

export async function lockSchedule(ctx: WriteContext, id: string): Promise<Stored | undefined> {
  const own = select(ctx, "agent_schedules", "s").selectAll("s").where("s.id", "=", id);
  return (await first(ctx, own.forUpdate())) as Stored | undefined;
}

/** How many schedules an agent has here; nobody adds one to it until the transaction ends. */
export async function countSchedules(ctx: WriteContext, agent: string): Promise<number> {
  const { organization, environment } = ctx.scope;
  const name = `schedules ${organization} ${environment} ${agent}`;
  await ctx.db.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [name]);
  const count = select(ctx, "agent_schedules", "s").select(sql<number>`count(*)::int`.as("count"));
  return (await first(ctx, count.where("s.agent", "=", agent)))?.count ?? 0;
}

type NewSchedule = Pick<Stored, "id" | "agent" | "definition" | "next_at">;

export async function insertSchedule(ctx: WriteContext, actor: Actor, schedule: NewSchedule): Promise<void> {
  const now = new Date(ctx.now);
  const acts = { principal: actor.owner, actor: storable(actor), author: ctx.principal.id };
  const row = { ...schedule, ...acts, created_at: now, updated_at: now };
  await all(ctx, insert(ctx, "agent_schedules", row as unknown as NewRow<"agent_schedules">));
}

export type ScheduleChange = Partial<
  Pick<Stored, "definition" | "paused_at" | "paused_by" | "pause_reason" | "next_at" | "due_at" | "try_at">
>;

const started = { stopped_reason: null, stopped_at: null, last_error: null, last_error_at: null };

/** Changes what people set of a schedule. Another actor starts one that stopped. */
export async function changeSchedule(
  ctx: WriteContext,
  id: string,
  { definition, ...rest }: ScheduleChange,
  actor?: Actor,
): Promise<void> {
  const acts = actor && { principal: actor.owner, actor: storable(actor), ...started };
  const columns = { ...rest, ...acts, ...(definition && { definition: JSON.stringify(definition) }) };
  const counted = { revision: sql<number>`revision + 1`, updated_at: new Date(ctx.now) };
  await all(
    ctx,
    update(ctx, "agent_schedules")
      .set({ ...columns, ...counted })
      .where("id", "=", id),
  );
}

type Standing = Partial<
  Pick<
    Stored,
    | ("next_at" | "due_at" | "try_at" | "last_at" | "last_task")
    | ("skipped_at" | "skip_reason" | "last_error" | "last_error_at" | "stopped_reason" | "stopped_at")
  >
>;

/** Notes where a schedule stands; its revision stays. */
export async function noteStanding(ctx: WriteContext, id: string, standing: Standing): Promise<void> {
  await all(ctx, update(ctx, "agent_schedules").set(standing).where("id", "=", id));
}

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
export const lockDue = async (ctx: WriteContext, most: number): Promise<Stored[]> =>
  (await all(
    ctx,
    select(ctx, "agent_schedules", "s")
      .selectAll("s")
      .where("s.next_at", "<=", new Date(ctx.now))
      .orderBy("s.next_at")
      .limit(most)
      .forUpdate()
      .skipLocked(),
  )) as unknown as Stored[];

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
         select from tasks t where t.organization = s.organization and t.environment = s.environment and t.id = s.last_task
           and t.status in ('queued', 'awaiting_approval', 'running', 'input_required')))
     order by s.try_at, s.id limit $2`,
    [now, most],
  );

/** Whether a task is not over. */
export async function isOpenTask(ctx: Looking, task: string | null): Promise<boolean> {
  if (task === null) return false;
  const row = select(ctx, "tasks", "t").select("t.id").where("t.id", "=", task);
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
    `update agent_schedule_runs r set cost_usd = t.cost_usd from tasks t
     where r.organization = $1 and r.environment = $2 and r.schedule = $3 and r.cost_usd is null
       and t.organization = r.organization and t.environment = r.environment and t.id = r.task
       and t.status not in ('queued', 'awaiting_approval', 'running', 'input_required')`,
    values,
  );
  const [row] = await db.query<{ used: number; open: number }>(
    `select coalesce(sum(r.cost_usd), 0)::float8 as used,
       coalesce(sum(greatest(t.cost_usd, coalesce((t.run_limits::json ->> 'cost_usd')::float8, $4))) filter (where t.id is not null), 0)::float8 as open
     from agent_schedule_runs r
     left join tasks t on r.cost_usd is null and t.organization = r.organization and t.environment = r.environment and t.id = r.task
     where r.organization = $1 and r.environment = $2 and r.schedule = $3 and r.at >= date_trunc('month', now(), 'UTC')`,
    [...values, most],
  );
  return row ?? { used: 0, open: 0 };
}
