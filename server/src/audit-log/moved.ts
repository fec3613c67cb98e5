import type { Pool, PoolClient } from "pg";
import { findLogs } from "./leadership.ts";
import { headFields, isEarlyRow, isOwnRow, readLogRow } from "./log-state.ts";
import type { LogMac } from "./mac.ts";
import type { SequencerLog } from "./progress.ts";
import type { LogScope } from "./scope.ts";

/** Our advisory lock for it: the bytes of "aosmoved". */
const lock = "7021238684736316772";

/**
 * A dump that was restored into another PostgreSQL brings rows with transaction ids which that one has yet to reach. What it writes would stand before
 * what the log holds already, and never be sequenced. Where that is so, rows are stamped again, before anything is written: what has its place in the log with 1, what waits
 * with 2, in the order of its commits, and the heads stand between. A log whose head is not ours is left as it is: the sequencer stops at it. Call at start; several processes may. Answers whether it was so.
 */
export async function adoptMovedLogs(pool: Pick<Pool, "connect">, mac: LogMac, log: SequencerLog): Promise<boolean> {
  const client = await pool.connect();
  try {
    const moved = (await logsAhead(client)).length > 0;
    if (!moved) return false;
    log.warn(
      "The database was restored into another PostgreSQL: the audit log is fitted to it, at some hundred thousand records a second.",
    );
    await client.query("begin");
    await client.query(
      `set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0`,
    );
    await client.query("set local aos.log_maintenance = 'restamp'"); // the log's tables refuse changes that their owner does not name
    await client.query(`select pg_advisory_xact_lock(${lock})`);
    // Another process may have done it meanwhile.
    for (const scope of await logsAhead(client)) await stampAnew(client, scope, mac);
    await client.query("commit");
    return true;
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

/** Logs with transaction ids that this PostgreSQL has not given out yet. */
async function logsAhead(client: PoolClient): Promise<LogScope[]> {
  const ahead: LogScope[] = [];
  for (const scope of await findLogs(client)) {
    const { rows } = await client.query<{ ahead: boolean }>(
      `select exists (select from audit_logs l where l.organization = $1 and l.environment = $2 and greatest(l.last_xid, l.event_xid) >= next)
          or exists (select from audit_records r where r.organization = $1 and r.environment = $2 and r.xid >= next)
          or exists (select from events e where e.organization = $1 and e.environment = $2 and e.xid >= next) as ahead
        from pg_snapshot_xmax(pg_current_snapshot()) as next`,
      [scope.organization, scope.environment],
    );
    if (rows[0]?.ahead) ahead.push(scope);
  }
  return ahead;
}

async function stampAnew(client: PoolClient, at: LogScope, mac: LogMac): Promise<void> {
  const scope = [at.organization, at.environment];
  const row = await readLogRow(client, at);
  const isHead = row !== undefined && row.checkpoint !== "";
  if (isHead && !isOwnRow(at, row, mac)) return;
  await client.query(
    `with placed as (
       select w.id, w.waits, row_number() over (partition by w.waits order by w.xid < w.next, w.xid, w.n) as place
       from (select r.id, r.xid, r.n, next, p.record_id is null and (r.xid < next or (r.xid, r.n) > ($3::xid8, $4::int)) as waits
         from audit_records r left join audit_leaves p on p.organization = r.organization and p.environment = r.environment and p.record_id = r.id,
           pg_snapshot_xmax(pg_current_snapshot()) as next
         where r.organization = $1 and r.environment = $2) w)
     update audit_records r set xid = case when placed.waits then '2' else '1' end::xid8, n = case when placed.waits then placed.place else 0 end
     from placed where r.organization = $1 and r.environment = $2 and r.id = placed.id`,
    [...scope, row?.last_xid ?? "0", row?.last_n ?? -1],
  );
  await client.query(
    `with placed as (
       select e.id, p.event_id is null as waits, row_number() over (partition by p.event_id is null order by e.xid < next, e.xid, e.n) as place
       from events e left join event_positions p on p.organization = e.organization and p.environment = e.environment and p.event_id = e.id,
         pg_snapshot_xmax(pg_current_snapshot()) as next
       where e.organization = $1 and e.environment = $2)
     update events e set xid = case when placed.waits then '2' else '1' end::xid8, n = case when placed.waits then placed.place else 0 end
     from placed where e.organization = $1 and e.environment = $2 and e.id = placed.id`,
    scope,
  );
  if (!row) return;
  const macOf = isEarlyRow(at, row, mac) ? mac.earlyHead : mac.head;
  await client.query(
    "update audit_logs set last_xid = '1', last_n = 0, event_xid = '1', event_n = 0, mac = $3 where organization = $1 and environment = $2",
    [...scope, isHead ? macOf({ ...headFields(at, row), xid: "1", n: 0 }) : null],
  );
}
