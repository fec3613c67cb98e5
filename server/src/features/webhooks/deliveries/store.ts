import { auditLogRows, eventPositionRows, eventRows } from "../../../audit-log/shared-rows.ts";
import { all, first, insert, type Row, select, update } from "../../../db/scoped.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { isId, lowestId } from "../../../kernel/ids.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import type { Statements } from "../../../kernel/machines.ts";
import { type CreatedRange, createdWithin } from "../../../kernel/moment.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { taskRows } from "../../tasks/shared-rows.ts";
import { knownEvents, namesOf } from "../endpoints/rules.ts";
import type { StoredWebhook } from "../endpoints/view.ts";
import { concernsAgents, conditionsOf, quoted, readableEvent } from "../events/store.ts";
import type { DeliveryState } from "../schemas.ts";

export type DeliveryRow = Row<"deliveries">;
export type AttemptRow = Row<"delivery_attempts">;

export async function findDelivery(
  ctx: ReadContext | WriteContext,
  webhook: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  if (!isId(id, "dlv")) return undefined;
  const all = select(ctx, "deliveries", "d").selectAll();
  return first(ctx, all.where("d.webhook_id", "=", webhook).where("d.id", "=", id));
}

export interface DeliveryFilter extends CreatedRange {
  readonly state?: readonly DeliveryState[];
  readonly event?: readonly string[];
  readonly event_id?: string;
}

/** A page of the deliveries to an endpoint, newest first, without those of events that the caller may not read. */
export async function listDeliveryRows(
  ctx: ReadContext,
  webhook: string,
  { state, event, event_id, ...range }: DeliveryFilter,
  page: PageRequest,
): Promise<DeliveryRow[]> {
  const { and, values, where } = conditionsOf(ctx, "d");
  and((p) => `d.webhook_id = ${p}`, webhook);
  and((p) => `d.state = any(${p}::text[])`, state);
  and((p) => `d.type = any(${p}::text[])`, event && namesOf(knownEvents(event)));
  and((p) => `d.event_id = ${p}`, event_id);
  createdWithin(and, ["dlv", "d.id"], range);
  and(isOfAgents, ctx.principal.agents ? quoted(ctx.principal.agents) : undefined);
  and((p) => `d.id < ${p}`, page.after?.id);
  where.push(ofReadable(ctx, values));
  values.push(page.take);
  return ctx.db.query<DeliveryRow>(
    `select d.* from deliveries d where ${where.join(" and ")} order by d.id desc limit $${values.length}`,
    values,
  );
}

/** SQL: whether a delivery is a sample, of an event that is no longer kept, or of one about what the caller may read. */
const ofReadable = (ctx: ReadContext, values: unknown[]): string =>
  `(d.sequence is null or not exists (select from ${eventRows} e where e.organization = $1 and e.environment = $2 and e.id = d.event_id and not ${readableEvent(ctx, values)}))`;

/** SQL: whether a delivery is a sample, or of an event that concerns one of the agents of a parameter. */
const isOfAgents = (p: string): string =>
  `(d.sequence is null or exists (select from ${eventRows} e where e.organization = $1 and e.environment = $2 and e.id = d.event_id and ${concernsAgents(p)}))`;

/** The newest attempts of a delivery, oldest first. */
export async function listAttempts(ctx: ReadContext, delivery: string, most: number): Promise<AttemptRow[]> {
  const attempts = select(ctx, "delivery_attempts", "a").selectAll().where("a.delivery_id", "=", delivery);
  return (await all(ctx, attempts.orderBy("a.number", "desc").limit(most))).reverse();
}

/** Queues a sample for an endpoint. */
export async function insertTest(
  ctx: WriteContext,
  id: string,
  webhook: Pick<StoredWebhook, "id">,
  type: string,
  body: string,
): Promise<DeliveryRow> {
  const now = new Date(ctx.now);
  const event = { event_id: ctx.newId("evt"), type, audit_id: ctx.auditRef, body };
  const added = insert(ctx, "deliveries", { ...event, id, webhook_id: webhook.id, next_at: now, created_at: now });
  return (await first(ctx, added.returningAll())) as DeliveryRow;
}

const restarted = (ctx: WriteContext, webhook: string) =>
  update(ctx, "deliveries")
    .set({ state: "pending", step: 0, next_at: new Date(ctx.now), finished_at: null, claimed_by: null })
    .where("webhook_id", "=", webhook);

/** Restarts the attempts of a delivery at once; undefined where one is running. */
export async function restartDelivery(
  ctx: WriteContext,
  webhook: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  const now = new Date(ctx.now);
  const delivery = restarted(ctx, webhook).where("id", "=", id);
  const free = delivery.where((of) => of.or([of("claimed_by", "is", null), of("next_at", "<=", now)]));
  return first(ctx, free.returningAll());
}

/** Restarts all failed deliveries to an endpoint but samples. What the endpoint's filter excludes by now is cancelled when its turn comes. */
export async function restartFailed(ctx: WriteContext, webhook: string): Promise<void> {
  await all(ctx, restarted(ctx, webhook).where("state", "=", "failed").where("sequence", "is not", null));
}

/** One change cancels at most so many deliveries; the others are cancelled when their turn comes. */
const cancelledAtOnce = 10_000;

/** A pattern of events as one of `like`. */
const asLike = (pattern: string): string => pattern.replaceAll(/[\\%_]/g, "\\$&").replace(/^\*$|(?<=\.)\*$/, "%");

/** Cancels pending deliveries that no longer pass the filter of their endpoint, except those that are being attempted. */
export async function cancelFiltered(
  ctx: WriteContext,
  webhook: string,
  { events, agents, risks, withheld }: StoredWebhook,
): Promise<void> {
  await ctx.db.query(
    `with unwanted as (
       select d.id from deliveries d
         left join ${eventRows} e on e.organization = d.organization and e.environment = d.environment and e.id = d.event_id
         left join ${taskRows} t on t.organization = d.organization and t.environment = d.environment and t.id = e.task_id
       where d.organization = $1 and d.environment = $2 and d.webhook_id = $3 and d.state = 'pending' and d.claimed_by is null and d.sequence is not null
         and (d.type like any($4::text[]) or not d.type like any($5::text[]) or ($6::text[] is not null and not coalesce(${concernsAgents("$6")}, false))
           or ($7::text[] is not null and not coalesce(to_json(t.risk_level)::text, (e.body::json -> 'risk')::text, '') = any($7::text[])))
       order by d.next_at limit $8 for update of d skip locked)
     update deliveries d set state = 'cancelled', last_error = 'filtered', finished_at = $9 from unwanted u
     where d.organization = $1 and d.environment = $2 and d.webhook_id = $3 and d.id = u.id`,
    [
      ctx.scope.organization,
      ctx.scope.environment,
      webhook,
      withheld.map((start) => `${asLike(start)}%`),
      events.map(asLike),
      agents && quoted(agents),
      risks && quoted(risks),
      cancelledAtOnce,
      new Date(ctx.now),
    ],
  );
}

/** Events are looked for from so long before a pause (milliseconds): they may have happened before it and been committed after it. */
const marginMs = 60_000;

/** Sequences that a recovery looks through. */
export interface RecoveryRange {
  readonly recover_after: number;
  readonly recover_to: number;
}

/**
 * Starts to look for what an endpoint missed: since a time that the caller names, or since it was paused or disabled. A recovery that is running goes on
 * with both ranges. Events are committed in another order than they happen, so the first of many by time bounds them by sequence.
 */
export async function beginRecovery(
  ctx: WriteContext,
  webhook: string,
  since: Date,
  named: boolean,
): Promise<RecoveryRange> {
  const { organization, environment } = ctx.scope;
  const from = named ? since.getTime() : since.getTime() - marginMs;
  const rows = await ctx.db.query<RecoveryRange>(
    `with range as (
       select coalesce((select event_sequence from ${auditLogRows} audit_logs where organization = $1 and environment = $2), 0) as newest,
         (select min(sequence) - 1 from (
           select sequence from ${eventPositionRows} event_positions where organization = $1 and environment = $2 and event_id >= $4 order by event_id limit 10000) first) as before)
     update webhooks set recover_to = range.newest, missed_since = null,
       recover_after = least(recover_after, greatest(coalesce(range.before, range.newest), case when $5 then 0 else starts_after end))
     from range where organization = $1 and environment = $2 and id = $3 returning recover_after, recover_to`,
    [organization, environment, webhook, lowestId("evt", Math.max(0, from)), named],
  );
  return rows[0] as RecoveryRange;
}

/** Deliveries that one look deletes. */
const mostDeleted = 10_000;

/** Before when nobody knows which events an endpoint took, since deliveries were deleted. Null: none were. */
export async function forgottenBefore(ctx: WriteContext, webhook: string): Promise<Date | null> {
  const row = await first(ctx, select(ctx, "webhooks", "w").select("w.forgotten_before").where("w.id", "=", webhook));
  return row?.forgotten_before ?? null;
}

/**
 * Deletes deliveries that were made and ended before a time, with their attempts, and marks their endpoints, in one statement. Their ids begin with the time at which
 * they were made. Endpoints are locked before their deliveries, as recoveries do.
 */
export async function deleteOldDeliveries(db: Statements, scope: Scope, before: Date): Promise<void> {
  await db.query(
    `with old as (
       select d.* from webhooks w
       cross join lateral (
         select d.organization, d.environment, d.webhook_id, d.id from deliveries d
         where d.organization = w.organization and d.environment = w.environment and d.webhook_id = w.id
           and d.id < $4 and d.state <> 'pending' and d.finished_at < $3
         order by d.id limit ${mostDeleted}) d
       where w.organization = $1 and w.environment = $2 limit ${mostDeleted}),
     marked as (
       update webhooks w set forgotten_before = greatest(w.forgotten_before, $3)
       where w.organization = $1 and w.environment = $2 and w.id in (select webhook_id from old) returning w.id),
     gone as (
       delete from deliveries d using old, marked
       where d.organization = old.organization and d.environment = old.environment and d.webhook_id = old.webhook_id and d.id = old.id
         and marked.id = old.webhook_id and d.state <> 'pending' returning d.organization, d.environment, d.id)
     delete from delivery_attempts a using gone
     where a.organization = gone.organization and a.environment = gone.environment and a.delivery_id = gone.id`,
    [scope.organization, scope.environment, before, lowestId("dlv", before.getTime())],
  );
}
