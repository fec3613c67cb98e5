import { auditClosedLogRows, auditLogRows } from "../../../audit-log/shared-rows.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { leaseEnd } from "../../../kernel/lease.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { faultPauseSql, faultText } from "../../../kernel/service-faults.ts";
import type { SinkFault } from "../ports.ts";
import type { StoredSink } from "./view.ts";

export interface SinkAddress extends Scope {
  readonly id: string;
}

/** A sink in the hands of one attempt: another one, which took it for lost, has the next number. */
export interface HeldSink extends SinkAddress {
  readonly attempt: number;
}

const named = "organization = $1 and environment = $2 and id = $3";
const keyOf = ({ organization, environment, id }: SinkAddress): readonly string[] => [organization, environment, id];
const heldSql = `${named} and attempt = $4`;
const heldOf = (held: HeldSink): readonly unknown[] => [...keyOf(held), held.attempt];

/** The log that is open: its number among those of the environment. */
export async function openEpoch({ db, scope }: QueryContext): Promise<number> {
  const rows = await db.query<{ epoch: number }>(
    `select epoch from ${auditLogRows} audit_logs where organization = $1 and environment = $2`,
    [scope.organization, scope.environment],
  );
  return rows[0]?.epoch ?? 0;
}

/** Claims a sink that is due. Undefined where it is paused, stopped, waits, is gone, or another worker holds it. */
export async function claimSink(db: Statements, address: SinkAddress): Promise<StoredSink | undefined> {
  const rows = await db.query<StoredSink>(
    `update audit_sinks set attempt = attempt + 1, lease_until = ${leaseEnd}
     where ${named} and state = 'active' and stopped_at is null and next_at <= now() and (lease_until is null or lease_until <= now()) returning *`,
    keyOf(address),
  );
  return rows[0];
}

export async function renewSink(db: Statements, held: HeldSink): Promise<boolean> {
  const renewed = `update audit_sinks set lease_until = ${leaseEnd} where ${heldSql} returning id`;
  return (await db.query(renewed, heldOf(held))).length > 0;
}

/** Ends the lease; the sink is due again after so many seconds. */
export async function releaseSink(db: Statements, held: HeldSink, afterSeconds: number): Promise<void> {
  await db.query(
    `update audit_sinks set lease_until = null, next_at = now() + $5 * interval '1 second' where ${heldSql}`,
    [...heldOf(held), afterSeconds],
  );
}

/** Where a range of this log may still go out or be passed: a pause, a stop or an adoption since it was read is seen. */
const mayGoOnSql = `state = 'active' and stopped_at is null and epoch = $6
  and epoch = coalesce((select g.epoch from ${auditLogRows} g where g.organization = $1 and g.environment = $2), 0)`;

/** A range that was read: the place behind it, and the number of the log that it was read from. */
export interface ReadRange {
  readonly to: number;
  readonly epoch: number;
}

/**
 * Notes the end of the range that is about to be sent: until it is acknowledged, exactly this range is sent again. False, with nothing noted, where the attempt has lost the sink, it was
 * paused or stopped, or its log was closed.
 */
export async function noteRange(db: Statements, held: HeldSink, { to, epoch }: ReadRange): Promise<boolean> {
  const noted = `update audit_sinks set sending_to = $5 where ${heldSql} and (sending_to is null or sending_to = $5) and ${mayGoOnSql} returning id`;
  return (await db.query(noted, [...heldOf(held), to, epoch])).length > 0;
}

export interface Acknowledged {
  readonly to: number;
  readonly records: number;
  readonly checkpoint: string;
}

/** Moves the position behind a range that the receiver acknowledged. Undefined: the attempt has lost the sink. */
export async function acknowledgeRange(
  db: Statements,
  held: HeldSink,
  { to, records, checkpoint }: Acknowledged,
): Promise<StoredSink | undefined> {
  const rows = await db.query<StoredSink>(
    `update audit_sinks set next_leaf = $5, range_from = $5, sending_to = null, sent_records = sent_records + $6, checkpoint = $7, last_sent_at = now(),
       faults = 0, failing_since = null, told_at = null, last_error = null
     where ${heldSql} and sending_to = $5 returning *`,
    [...heldOf(held), to, records, checkpoint],
  );
  return rows[0];
}

/** Moves the position behind records that do not fit the filter. Undefined: as where {@link noteRange} answers false. */
export async function passRange(
  db: Statements,
  held: HeldSink,
  { to, epoch }: ReadRange,
): Promise<StoredSink | undefined> {
  const rows = await db.query<StoredSink>(
    `update audit_sinks set next_leaf = $5, faults = 0, failing_since = null, told_at = null, last_error = null
     where ${heldSql} and sending_to is null and ${mayGoOnSql} returning *`,
    [...heldOf(held), to, epoch],
  );
  return rows[0];
}

/** Ends the lease after a batch was not acknowledged; it is sent again after a pause that doubles. */
export async function noteFailure(db: Statements, held: HeldSink, fault: SinkFault, now: number): Promise<void> {
  const { code, detail, retryAfter } = fault;
  const error = { code, detail: detail.slice(0, 500), at: new Date(now).toISOString() };
  await db.query(
    `update audit_sinks set faults = faults + 1, lease_until = null, failing_since = coalesce(failing_since, now()), last_error = $5,
       next_at = now() + greatest(${faultPauseSql("faults")}, $6 * interval '1 second')
     where ${heldSql}`,
    [...heldOf(held), JSON.stringify(error), retryAfter ?? 0],
  );
}

/** Gives a sink back after an error of the service, which says nothing of its receiver: nothing is sent all the same. */
export async function giveBackSink(db: Statements, held: HeldSink, error: unknown, now: number): Promise<void> {
  const shown = { code: "service_fault", detail: faultText(error), at: new Date(now).toISOString() };
  await db.query(
    `update audit_sinks set faults = faults + 1, lease_until = null, failing_since = coalesce(failing_since, now()), last_error = $5,
       next_at = now() + ${faultPauseSql("faults")}
     where ${heldSql}`,
    [...heldOf(held), JSON.stringify(shown)],
  );
}

/**
 * Goes on with the log that was opened when the sink's own was closed: its places begin at 0 again. What had not been sent of the closed one is noted: nothing vouches for
 * records of a log that was closed. Undefined: the attempt has lost the sink.
 */
export async function moveToLog(db: Statements, held: HeldSink, epoch: number): Promise<StoredSink | undefined> {
  const rows = await db.query<StoredSink>(
    `update audit_sinks s set epoch = $5, since_leaf = 0, next_leaf = 0, range_from = 0, sending_to = null, checkpoint = null,
       not_sent = s.not_sent || coalesce((
         select jsonb_agg(jsonb_build_object('log', c.origin, 'from_leaf', case when c.epoch = s.epoch then s.next_leaf else 0 end, 'to_leaf', c.tree_size - 1,
           'closed_at', to_char(c.closed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by c.epoch)
         from ${auditClosedLogRows} c where c.organization = s.organization and c.environment = s.environment and c.epoch >= s.epoch and c.epoch < $5
           and c.tree_size > case when c.epoch = s.epoch then s.next_leaf else 0 end), '[]')
     where ${heldSql} returning *`,
    [...heldOf(held), epoch],
  );
  return rows[0];
}

/** Sinks that are due and for which the log has records, or whose log was closed. Over all scopes. */
export const listDueSinks = (db: Statements, most: number): Promise<SinkAddress[]> =>
  db.query(
    `select s.organization, s.environment, s.id from audit_sinks s
     join ${auditLogRows} g on g.organization = s.organization and g.environment = s.environment
     where s.state = 'active' and s.stopped_at is null and s.next_at <= now() and (s.lease_until is null or s.lease_until <= now())
       and (g.tree_size > s.next_leaf or g.epoch <> s.epoch)
     order by s.next_at limit $1`,
    [most],
  );

/** How long a sink fails before it is reported. */
const toldAfter = "4 minutes";

/** Sinks that have something to send, have failed to for a while, and were not reported yet. Over all scopes. */
export const listFailingSinks = (db: Statements, most: number): Promise<SinkAddress[]> =>
  db.query(
    `select s.organization, s.environment, s.id from audit_sinks s
     join ${auditLogRows} g on g.organization = s.organization and g.environment = s.environment
     where s.state = 'active' and s.stopped_at is null and s.told_at is null and s.failing_since <= now() - interval '${toldAfter}'
       and (g.tree_size > s.next_leaf or g.epoch <> s.epoch)
     order by s.failing_since limit $1`,
    [most],
  );

/** Records that sinks have still to send, the most of an environment and kind. */
export const listLags = (
  db: Statements,
): Promise<{ readonly environment: string; readonly kind: string; readonly lag: number }[]> =>
  db.query(
    `select s.environment, s.kind, max(greatest(g.tree_size - case when g.epoch = s.epoch then s.next_leaf else 0 end, 0))::float8 as lag
     from audit_sinks s join ${auditLogRows} g on g.organization = s.organization and g.environment = s.environment
     where s.state = 'active' group by s.environment, s.kind`,
  );
