import { all, first, insert, type NewRow, type Row, remove, select, sql, update } from "../../db/scoped.ts";
import { type Decider, storableDeciders } from "../../kernel/actor.ts";
import type { WriteContext } from "../../kernel/context.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import { openStatuses } from "./concurrency.ts";
import type { Looking } from "./plans.ts";
import type { TriggerRow } from "./trigger-store.ts";

export type FiringRow = Row<"workflow_firings">;

/** Firings of one trigger that wait at most, such as behind a run that goes on for long. */
export const mostWaiting = 100;

/** For a schedule its time, for an event its sequence: as texts both sort in their order. */
export const occasionOf = (at: Date | number): string =>
  typeof at === "number" ? String(at).padStart(16, "0") : at.toISOString();

export type NewFiring = Pick<FiringRow, "trigger_id" | "workflow" | "occasion" | "at" | "event"> & {
  /** Who is accountable for what the event says. */
  readonly deciders?: readonly Decider[];
};

/** Notes what triggers have to start runs for. What is noted already stays as it is. */
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

export async function countWaiting(ctx: Looking, trigger: string): Promise<number> {
  const count = sql<number>`count(*)::int`.as("count");
  const row = await first(ctx, select(ctx, "workflow_firings", "f").select(count).where("f.trigger_id", "=", trigger));
  return row?.count ?? 0;
}

export interface FiringAddress {
  readonly trigger: string;
  readonly occasion: string;
}

export const findFiring = (ctx: Looking, { trigger, occasion }: FiringAddress): Promise<FiringRow | undefined> =>
  first(
    ctx,
    select(ctx, "workflow_firings", "f")
      .selectAll("f")
      .where("f.trigger_id", "=", trigger)
      .where("f.occasion", "=", occasion),
  );

/** Takes a firing; false where another process was faster. */
export async function takeFiring(ctx: WriteContext, { trigger, occasion }: FiringAddress): Promise<boolean> {
  const taken = remove(ctx, "workflow_firings").where("trigger_id", "=", trigger).where("occasion", "=", occasion);
  return (await first(ctx, taken.returning("trigger_id"))) !== undefined;
}

/** Lets a firing wait: it is tried again then. */
export async function postponeFiring(
  ctx: WriteContext,
  { trigger, occasion }: FiringAddress,
  until: Date,
): Promise<void> {
  const firing = update(ctx, "workflow_firings").set({ not_before: until });
  await all(ctx, firing.where("trigger_id", "=", trigger).where("occasion", "=", occasion));
}

/** Whether a run that the trigger started is not over. */
export async function hasOpenRun(ctx: Looking, trigger: string): Promise<boolean> {
  const runs = select(ctx, "workflow_runs", "r").select("r.id").where("r.trigger_id", "=", trigger);
  return (await first(ctx, runs.where("r.status", "in", openStatuses).limit(1))) !== undefined;
}

export const lockTrigger = async (ctx: WriteContext, id: string): Promise<TriggerRow | undefined> =>
  (await first(ctx, select(ctx, "workflow_triggers", "t").selectAll("t").where("t.id", "=", id).forUpdate())) as
    | TriggerRow
    | undefined;

export async function noteFired(ctx: WriteContext, id: string, at: Date, run: string): Promise<void> {
  const fired = { last_at: at, last_run: run, last_error: null, last_error_at: null };
  await all(ctx, update(ctx, "workflow_triggers").set(fired).where("id", "=", id));
}

export interface FiringFailure {
  readonly code: string;
  readonly detail: string;
}

export async function noteFailure(ctx: WriteContext, id: string, failure: FiringFailure): Promise<void> {
  const failed = { last_error: JSON.stringify(failure), last_error_at: new Date(ctx.now) };
  await all(ctx, update(ctx, "workflow_triggers").set(failed).where("id", "=", id));
}

/** Scopes in which a schedule is due. */
export const listDueScopes = (db: Statements, now: Date): Promise<Scope[]> =>
  db.query("select distinct organization, environment from workflow_triggers where next_at <= $1", [now]);

/** Schedules that are due, locked; those that another process plans are left out. */
export const lockDue = async (ctx: WriteContext, most: number): Promise<TriggerRow[]> =>
  (await all(
    ctx,
    select(ctx, "workflow_triggers", "t")
      .selectAll("t")
      .where("t.next_at", "<=", new Date(ctx.now))
      .orderBy("t.next_at")
      .limit(most)
      .forUpdate()
      .skipLocked(),
  )) as unknown as TriggerRow[];

export async function setNext(ctx: WriteContext, id: string, next: Date | null): Promise<void> {
  await all(ctx, update(ctx, "workflow_triggers").set({ next_at: next }).where("id", "=", id));
}

/** Firings that can be tried now, the oldest first. One of a schedule that queues waits for the run before it. */
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
