import { all, first, insert, type NewRow, type Row, remove, select, sql, update } from "../../../db/scoped.ts";
import { type Decider, storableDeciders } from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { openStatuses } from "../runs/concurrency.ts";
import { type TriggerRow, triggers } from "./resource.ts";

export type FiringRow = Row<"workflow_firings">;

/** Pending firings of one trigger, at most, such as behind a long run. */
export const mostWaiting = 100;

/** The time of a schedule, or the sequence of an event: both sort as texts. */
export const occasionOf = (at: Date | number): string =>
  typeof at === "number" ? String(at).padStart(16, "0") : at.toISOString();

export type NewFiring = Pick<FiringRow, "trigger_id" | "workflow" | "occasion" | "at" | "event"> & {
  /** The deciders of the event. */
  readonly deciders?: readonly Decider[];
};

/** Stores pending firings. Existing ones stay as they are. */
export async function insertFirings(ctx: WriteContext, firings: readonly NewFiring[]): Promise<void> {
  if (firings.length === 0) return;
  const rows = firings.map(({ deciders = [], ...firing }) => ({
    ...firing,
    not_before: firing.at,
    deciders: storableDeciders(deciders),
  }));
  await all(
    ctx,
    insert(ctx, "workflow_firings", rows as NewRow<"workflow_firings">[]).onConflict((on) => on.doNothing()),
  );
}

export async function countWaiting(ctx: QueryContext, trigger: string): Promise<number> {
  const count = sql<number>`count(*)::int`.as("count");
  const row = await first(ctx, select(ctx, "workflow_firings", "f").select(count).where("f.trigger_id", "=", trigger));
  return row?.count ?? 0;
}

export interface FiringAddress {
  readonly trigger: string;
  readonly occasion: string;
}

export const findFiring = (ctx: QueryContext, { trigger, occasion }: FiringAddress): Promise<FiringRow | undefined> =>
  first(
    ctx,
    select(ctx, "workflow_firings", "f")
      .selectAll("f")
      .where("f.trigger_id", "=", trigger)
      .where("f.occasion", "=", occasion),
  );

/** Takes a firing; false if another process was faster. */
export async function takeFiring(ctx: WriteContext, { trigger, occasion }: FiringAddress): Promise<boolean> {
  const taken = remove(ctx, "workflow_firings").where("trigger_id", "=", trigger).where("occasion", "=", occasion);
  return (await first(ctx, taken.returning("trigger_id"))) !== undefined;
}

/** Postpones a firing. */
export async function postponeFiring(
  ctx: WriteContext,
  { trigger, occasion }: FiringAddress,
  until: Date,
): Promise<void> {
  const firing = update(ctx, "workflow_firings").set({ not_before: until });
  await all(ctx, firing.where("trigger_id", "=", trigger).where("occasion", "=", occasion));
}

/** Whether the trigger has an open run. */
export async function hasOpenRun(ctx: QueryContext, trigger: string): Promise<boolean> {
  const runs = select(ctx, "workflow_runs", "r").select("r.id").where("r.trigger_id", "=", trigger);
  return (await first(ctx, runs.where("r.status", "in", openStatuses).limit(1))) !== undefined;
}

export interface FiringFailure {
  readonly code: string;
  readonly detail: string;
}

export async function noteFailure(ctx: WriteContext, id: string, failure: FiringFailure): Promise<void> {
  await triggers.rows.update(ctx, id, { last_error: JSON.stringify(failure), last_error_at: new Date(ctx.now) });
}

/** Scopes with a due schedule. */
export const listDueScopes = (db: Statements, now: Date): Promise<Scope[]> =>
  db.query("select distinct organization, environment from workflow_triggers where next_at <= $1", [now]);

/** Due schedules, locked; those locked by another process are skipped. */
export const lockDue = (ctx: WriteContext, most: number): Promise<TriggerRow[]> =>
  all(
    ctx,
    select(ctx, "workflow_triggers", "t")
      .selectAll("t")
      .where("t.next_at", "<=", new Date(ctx.now))
      .orderBy("t.next_at")
      .limit(most)
      .forUpdate()
      .skipLocked()
      .$castTo<TriggerRow>(),
  );

/** Firings to try now, the oldest first. A schedule that queues waits for its former run. */
export const listFirings = (
  db: Statements,
  now: Date,
  most: number,
): Promise<(Scope & FiringAddress & { readonly at: Date })[]> =>
  db.query(
    `select f.organization, f.environment, f.trigger_id as trigger, f.occasion, f.at
     from workflow_firings f join workflow_triggers t on t.organization = f.organization and t.environment = f.environment and t.id = f.trigger_id
     where f.not_before <= $1 and not (t.definition ->> 'overlap' is not distinct from 'queue' and (
       exists (select from workflow_runs r where r.organization = f.organization and r.environment = f.environment and r.trigger_id = f.trigger_id
         and r.status not in ('compensated', 'compensation_failed', 'completed', 'failed', 'cancelled'))
       or exists (select from workflow_firings e where e.organization = f.organization and e.environment = f.environment
         and e.trigger_id = f.trigger_id and e.occasion < f.occasion)))
     order by f.at, f.trigger_id, f.occasion limit $2`,
    [now, most],
  );
