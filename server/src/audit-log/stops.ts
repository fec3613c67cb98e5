import type { LogScope } from "./scope.ts";
import { LogStopped, type StopReason, stopReasons } from "./stop.ts";
import type { Queryable } from "./tile-store.ts";

/** A log whose signing is stopped, as other processes see it. */
export interface Stop {
  readonly scope: LogScope;
  readonly reason: StopReason;
  readonly detail: string;
  readonly since: Date;
}

/** Tells the other processes. Returns whether this is news. */
export async function writeStop(
  db: Queryable,
  scope: LogScope,
  { reason, detail }: LogStopped,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: "audit_stop_write",
    text: `insert into audit_stops as s (organization, environment, reason, detail, since) values ($1, $2, $3, $4, $5)
      on conflict (organization, environment) do update set reason = excluded.reason, detail = excluded.detail, since = excluded.since
      where s.reason <> excluded.reason`,
    values: [scope.organization, scope.environment, reason, detail, now],
  });
  return rowCount === 1;
}

/** Signing goes on. Returns whether it was stopped. */
export async function clearStop(db: Queryable, scope: LogScope): Promise<boolean> {
  const text = "delete from audit_stops where organization = $1 and environment = $2";
  const { rowCount } = await db.query({
    name: "audit_stop_clear",
    text,
    values: [scope.organization, scope.environment],
  });
  return rowCount === 1;
}

/** Every log that is stopped, or whose newest head a witness refuses. */
export async function readStops(db: Queryable): Promise<Stop[]> {
  const { rows } = await db.query<{
    organization: string;
    environment: string;
    reason: string;
    detail: string;
    since: Date;
  }>({
    name: "audit_stops_read",
    text: `select organization, environment, reason, detail, since from audit_stops
      union all select w.organization, w.environment, 'witness_conflict', w.witness || ': ' || coalesce(w.conflict_detail, w.conflict), w.conflict_at
      from audit_witnesses w join audit_logs l using (organization, environment, origin) where w.conflict is not null
      order by organization, environment`,
  });
  return rows
    .filter((row) => row.reason in stopReasons)
    .map(({ organization, environment, reason, ...rest }) => ({
      scope: { organization, environment },
      reason: reason as StopReason,
      ...rest,
    }));
}

/** Throws LogStopped where a witness refuses the newest head of a log. */
export async function requireNoConflict(
  db: Queryable,
  { organization, environment }: LogScope,
  origin: string,
): Promise<void> {
  const { rows } = await db.query<{ detail: string }>({
    name: "audit_witness_conflict_read",
    text: `select witness || ': ' || coalesce(conflict_detail, conflict) as detail from audit_witnesses
      where organization = $1 and environment = $2 and origin = $3 and conflict is not null order by witness limit 1`,
    values: [organization, environment, origin],
  });
  if (rows[0]) throw new LogStopped("witness_conflict", `${rows[0].detail}.`);
}

/** Throws LogStopped where a log is not signed at present. */
export async function requireSigned(db: Queryable, { organization, environment }: LogScope): Promise<void> {
  const found = (await readStops(db)).find(
    ({ scope }) => scope.organization === organization && scope.environment === environment,
  );
  if (found) throw new LogStopped(found.reason);
}
