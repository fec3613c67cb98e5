import type { Pool } from "pg";
import { type StoredEvent, storedEventColumns, storedEventJoins } from "../db/stored-events.ts";
import { timeOfId } from "../kernel/ids.ts";
import type { Scope } from "../kernel/principal.ts";

/** Environments that have a log, and so may have events. */
export async function findScopes(pool: Pool): Promise<Scope[]> {
  const { rows } = await pool.query<Scope>({
    name: "delivery_scopes",
    text: "select organization, environment from audit_logs where environment in ('development', 'staging', 'production')",
  });
  return rows;
}

/** Where an environment stands: up to where events were fanned out, the newest one, and whether endpoints or the roles of their owners changed. */
export interface Standing {
  /** Null: nothing was ever fanned out. */
  readonly cursor: number | null;
  readonly newest: number;
  readonly epoch: number;
  readonly checkpoint: string | null;
}

/** Read before endpoints are, so that those are never older than the epoch for which they are held. */
export async function readStanding(pool: Pool, { organization, environment }: Scope): Promise<Standing | undefined> {
  const { rows } = await pool.query<Standing>({
    name: "delivery_standing",
    text: `select c.sequence as cursor, l.event_sequence as newest,
        case when not exists (select from audit_stops s where s.organization = l.organization and s.environment = l.environment)
            and not exists (select from audit_witnesses w where w.organization = $1 and w.environment = $2 and w.origin = l.origin and w.conflict is not null)
          then cosigned_checkpoint($1, $2, nullif(l.checkpoint, '')) end as checkpoint,
        coalesce((select sum(epoch)::bigint from fact_epochs where topic in ('webhooks', 'keys')), 0) as epoch
      from audit_logs l left join webhook_cursors c on c.organization = l.organization and c.environment = l.environment
      where l.organization = $1 and l.environment = $2`,
    values: [organization, environment],
  });
  return rows[0];
}

/** Makes the cursor of an environment in which nothing was fanned out yet. */
export async function makeCursor(pool: Pool, { organization, environment }: Scope): Promise<void> {
  await pool.query(
    "insert into webhook_cursors (organization, environment, sequence) values ($1, $2, 0) on conflict do nothing",
    [organization, environment],
  );
}

/** Events above a sequence and up to another, in order. */
export async function readEvents(
  pool: Pool,
  scope: Scope,
  after: number,
  to: number,
  most: number,
): Promise<StoredEvent[]> {
  const { rows } = await pool.query<StoredEvent>({
    name: "delivery_events",
    text: `select ${storedEventColumns()} from event_positions p ${storedEventJoins}
      where p.organization = $1 and p.environment = $2 and p.sequence > $3 and p.sequence <= $4 order by p.sequence limit $5`,
    values: [scope.organization, scope.environment, after, to, most],
  });
  return rows;
}

/** A delivery that is to be made. */
export interface NewDelivery {
  readonly webhook: string;
  readonly id: string;
  readonly event: StoredEvent;
  /** Its first attempt begins as soon as it is stored. */
  readonly claimed: boolean;
}

export interface Claims {
  readonly by: string;
  readonly now: number;
  /** When a claim counts as lost. */
  readonly until: number;
}

/** Due at once, and in the order in which they are given: fewer than 5,000 at a time. */
const inTurn = "$10::timestamptz - interval '5 milliseconds' + n.place * interval '1 microsecond'";
const given = `unnest($3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[], $8::text[], $9::boolean[])
  with ordinality as n(webhook_id, id, event_id, sequence, type, audit_id, claimed, place)`;
const columns =
  "(organization, environment, webhook_id, id, event_id, sequence, type, audit_id, attempts, next_at, claimed_by, created_at)";
const values = `$1, $2, n.webhook_id, n.id, n.event_id, n.sequence, n.type, n.audit_id, case when n.claimed then 1 else 0 end,
  case when n.claimed then $11::timestamptz else ${inTurn} end, case when n.claimed then $12 end, $10::timestamptz`;

const valuesOf = (
  { organization, environment }: Scope,
  all: readonly NewDelivery[],
  { by, now, until }: Claims,
): unknown[] => [
  organization,
  environment,
  all.map(({ webhook }) => webhook),
  all.map(({ id }) => id),
  all.map(({ event }) => event.event_id),
  all.map(({ event }) => event.sequence),
  all.map(({ event }) => event.type),
  all.map(({ event }) => event.audit_id),
  all.map(({ claimed }) => claimed),
  new Date(now),
  new Date(until),
  by,
];

/**
 * Makes deliveries and moves the cursor, in one statement: of two processes that read the same events, one does both, and the other neither. False: another
 * one was faster.
 */
export async function writeFanOut(
  pool: Pool,
  scope: Scope,
  cursor: { readonly from: number; readonly to: number },
  all: readonly NewDelivery[],
  claims: Claims,
): Promise<boolean> {
  const { rows } = await pool.query<{ moved: boolean }>({
    name: "delivery_fan_out",
    text: `with moved as (
        update webhook_cursors set sequence = $14 where organization = $1 and environment = $2 and sequence = $13 returning 1),
      made as (insert into deliveries ${columns} select ${values} from ${given} where exists (select from moved) returning 1)
      select exists (select from moved) as moved, (select count(*) from made) as made`,
    values: [...valuesOf(scope, all, claims), cursor.from, cursor.to],
  });
  return rows[0]?.moved === true;
}

const timeOf = ({ event }: NewDelivery): Date => new Date(timeOfId(event.event_id) ?? 0);

/**
 * Makes deliveries of what an endpoint missed, begins those again that were given up, and notes how far its events were looked through; in one statement, so that one
 * process does it. What it took or still waits for is left as it is, and so is what happened before its deliveries were deleted. False: another one was faster, or the range is another one now.
 */
export async function writeRecovery(
  pool: Pool,
  scope: Scope,
  webhook: string,
  range: { readonly from: number; readonly to: number; readonly done: boolean },
  all: readonly NewDelivery[],
  claims: Claims,
): Promise<boolean> {
  const { rows } = await pool.query<{ moved: boolean }>({
    name: "delivery_recovery",
    text: `with moved as (
        update webhooks set recover_after = case when $16 then null else $15::bigint end, recover_to = case when $16 then null else recover_to end
        where organization = $1 and environment = $2 and id = $13 and recover_after = $14 and state = 'enabled' and removed_at is null
        returning coalesce(forgotten_before, '-infinity') as forgotten_before),
      wanted as (select n.* from ${given} where exists (select from moved)),
      again as (
        update deliveries d set state = 'pending', step = 0, next_at = ${inTurn}, finished_at = null, claimed_by = null
        from wanted n where d.organization = $1 and d.environment = $2 and d.webhook_id = $13 and d.event_id = n.event_id and d.state in ('failed', 'cancelled')
        returning 1),
      made as (
        insert into deliveries ${columns} select ${values} from wanted n
        where ($17::timestamptz[])[n.place::int] >= (select forgotten_before from moved)
          and not exists (select from deliveries d where d.organization = $1 and d.environment = $2 and d.webhook_id = $13 and d.event_id = n.event_id)
        returning 1)
      select exists (select from moved) as moved, (select count(*) from made) as made, (select count(*) from again) as again`,
    values: [...valuesOf(scope, all, claims), webhook, range.from, range.to, range.done, all.map(timeOf)],
  });
  return rows[0]?.moved === true;
}
