import { type StoredEvent, storedEventColumns, storedEventJoins } from "../../db/stored-events.ts";
import type { ReadContext, WriteContext } from "../../kernel/context.ts";
import { withheldFrom } from "../../kernel/event-filter.ts";
import type { PayloadFormat } from "../../kernel/event-format.ts";
import { isId, lowestId } from "../../kernel/ids.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import { createdWithin } from "../../kernel/moment.ts";
import type { DeliveryState } from "./delivery-schemas.ts";
import { concernsAgents, quoted } from "./event-agents.ts";
import type { WebhookRow, WebhookSettings } from "./store.ts";

/** A delivery as it is stored. */
export interface DeliveryRow {
  readonly id: string;
  readonly webhook_id: string;
  readonly event_id: string;
  readonly sequence: number | null;
  readonly type: string;
  readonly audit_id: string | null;
  /** Of a test; null: that of the event. */
  readonly body: string | null;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly next_at: Date;
  readonly claimed_by: string | null;
  readonly last_status: number | null;
  readonly last_error: string | null;
  readonly finished_at: Date | null;
}

const columns =
  "d.id, d.webhook_id, d.event_id, d.sequence, d.type, d.audit_id, d.body, d.state, d.attempts, d.next_at, d.claimed_by, d.last_status, d.last_error, d.finished_at";

/** One delivery to an endpoint. */
export async function findDelivery(
  ctx: ReadContext | WriteContext,
  webhook: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  if (!isId(id, "dlv")) return undefined;
  const rows = await ctx.db.query<DeliveryRow>(
    `select ${columns} from deliveries d where d.organization = $1 and d.environment = $2 and d.webhook_id = $3 and d.id = $4`,
    [ctx.scope.organization, ctx.scope.environment, webhook, id],
  );
  return rows[0];
}

export interface DeliveryFilter {
  readonly state?: readonly DeliveryState[];
  /** Names of events. */
  readonly types?: readonly string[];
  readonly event_id?: string;
  readonly created_after?: string;
  readonly created_before?: string;
}

/** A page of the deliveries to an endpoint, newest first; those of events that the caller may not read are left out. */
export async function listDeliveryRows(
  ctx: ReadContext,
  webhook: string,
  filter: DeliveryFilter,
  page: PageRequest,
): Promise<DeliveryRow[]> {
  const values: unknown[] = [ctx.scope.organization, ctx.scope.environment, webhook];
  const where = ["d.organization = $1", "d.environment = $2", "d.webhook_id = $3"];
  const and = (condition: (parameter: string) => string, value: unknown): void => {
    if (value === undefined) return;
    values.push(value);
    where.push(condition(`$${values.length}`));
  };
  and((p) => `d.state = any(${p}::text[])`, filter.state);
  and((p) => `d.type = any(${p}::text[])`, filter.types);
  and((p) => `d.event_id = ${p}`, filter.event_id);
  createdWithin(and, ["dlv", "d.id"], filter);
  and((p) => `not d.type like any(${p}::text[])`, likePatterns(withheldFrom(ctx.principal)));
  and(ofAgents, ctx.principal.agents ? quoted(ctx.principal.agents) : undefined);
  and((p) => `d.id < ${p}`, page.after?.id);
  values.push(page.take);
  return ctx.db.query<DeliveryRow>(
    `select ${columns} from deliveries d where ${where.join(" and ")} order by d.id desc limit $${values.length}`,
    values,
  );
}

/** A delivery of an event that concerns one of the agents of a parameter, or of a sample, which tells of nothing that happened. */
const ofAgents = (p: string): string =>
  `(d.sequence is null or exists (select from events e where e.organization = $1 and e.environment = $2 and e.id = d.event_id and ${concernsAgents(p)}))`;

/** Beginnings as patterns of `like`; undefined for none. */
export function likePatterns(starts: readonly string[]): string[] | undefined {
  return starts.length === 0 ? undefined : starts.map((start) => `${start}%`);
}

/** An attempt as it is stored. */
export interface AttemptRow {
  readonly number: number;
  readonly started_at: Date;
  readonly latency_ms: number | null;
  readonly url: string;
  readonly format: PayloadFormat;
  readonly signature: string;
  readonly status: number | null;
  readonly error: string | null;
  readonly detail: string | null;
  readonly excerpt: string | null;
}

/** The newest attempts of a delivery, oldest first. */
export async function listAttempts(ctx: ReadContext, delivery: string, most: number): Promise<AttemptRow[]> {
  const rows = await ctx.db.query<AttemptRow>(
    `select number, started_at, latency_ms, url, format, signature, status, error, detail, excerpt from delivery_attempts
     where organization = $1 and environment = $2 and delivery_id = $3 order by number desc limit $4`,
    [ctx.scope.organization, ctx.scope.environment, delivery, most],
  );
  return rows.reverse();
}

/** An event by id; undefined: there is none, or it is not in the log yet. */
export async function findEvent(ctx: ReadContext, id: string): Promise<StoredEvent | undefined> {
  if (!isId(id, "evt")) return undefined;
  const rows = await ctx.db.query<StoredEvent>(
    `select ${storedEventColumns} from event_positions p ${storedEventJoins} where p.organization = $1 and p.environment = $2 and p.event_id = $3`,
    [ctx.scope.organization, ctx.scope.environment, id],
  );
  return rows[0];
}

/** Puts a sample on its way to an endpoint, at once. */
export async function insertTest(
  ctx: WriteContext,
  id: string,
  webhook: WebhookRow,
  type: string,
  body: string,
): Promise<void> {
  await ctx.db.query(
    `insert into deliveries (organization, environment, webhook_id, id, event_id, type, audit_id, body, next_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`,
    [
      ctx.scope.organization,
      ctx.scope.environment,
      webhook.id,
      id,
      ctx.newId("evt"),
      type,
      ctx.auditRef,
      body,
      new Date(ctx.now),
    ],
  );
}

/** Begins the attempts of a delivery anew, at once. One whose attempt runs is left as it is. */
export async function restartDelivery(ctx: WriteContext, webhook: string, id: string): Promise<void> {
  await ctx.db.query(
    `update deliveries set state = 'pending', step = 0, next_at = $5, finished_at = null, claimed_by = null
     where organization = $1 and environment = $2 and webhook_id = $3 and id = $4 and (claimed_by is null or next_at <= $5)`,
    [ctx.scope.organization, ctx.scope.environment, webhook, id, new Date(ctx.now)],
  );
}

/** Begins all deliveries to an endpoint anew that were given up, at once; what it does not get any more is ended when its turn comes. Samples are left. */
export async function restartGivenUp(ctx: WriteContext, webhook: string): Promise<void> {
  await ctx.db.query(
    `update deliveries set state = 'pending', step = 0, next_at = $4, finished_at = null, claimed_by = null
     where organization = $1 and environment = $2 and webhook_id = $3 and state = 'failed' and sequence is not null`,
    [ctx.scope.organization, ctx.scope.environment, webhook, new Date(ctx.now)],
  );
}

/** Deliveries that one change ends; those behind them are ended when their turn comes. */
const endedAtOnce = 10_000;

/** What a pattern of events stands for, as `like` has it. */
const asLike = (pattern: string): string => pattern.replaceAll(/[\\%_]/g, "\\$&").replace(/^\*$|(?<=\.)\*$/, "%");

/** Ends what waits for an endpoint and does not pass its filter any more. What is being attempted at this moment is left: it goes, or went, where it was aimed. */
export async function endUnwanted(
  ctx: WriteContext,
  webhook: string,
  { events, agents, risks, withheld }: WebhookSettings,
): Promise<void> {
  await ctx.db.query(
    `with unwanted as (
       select d.id from deliveries d
         left join events e on e.organization = d.organization and e.environment = d.environment and e.id = d.event_id
         left join tasks t on t.organization = d.organization and t.environment = d.environment and t.id = e.task_id
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
      withheld.map((start) => asLike(`${start}*`)),
      events.map(asLike),
      agents && quoted(agents),
      risks && quoted(risks),
      endedAtOnce,
      new Date(ctx.now),
    ],
  );
}

/** How far before the time of a pause events are looked for: they may have happened before it and been committed after it (milliseconds). */
const marginMs = 60_000;

/** What a recovery looks through. */
export interface RecoveryRange {
  readonly recover_after: number;
  readonly recover_to: number;
}

/**
 * Has events looked through for what an endpoint missed, together with what is being looked through already: those since a time that the caller names, or those since
 * it was paused or disabled. Events are committed in another order than they happen, so that the first of many by time bounds them by sequence.
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
       select coalesce((select event_sequence from audit_logs where organization = $1 and environment = $2), 0) as newest,
         (select min(sequence) - 1 from (
           select sequence from event_positions where organization = $1 and environment = $2 and event_id >= $4 order by event_id limit 10000) first) as before)
     update webhooks set recover_to = range.newest, missed_since = null,
       recover_after = least(recover_after, greatest(coalesce(range.before, range.newest), case when $5 then 0 else starts_after end))
     from range where organization = $1 and environment = $2 and id = $3 returning recover_after, recover_to`,
    [organization, environment, webhook, lowestId("evt", Math.max(0, from)), named],
  );
  return rows[0] as RecoveryRange;
}
