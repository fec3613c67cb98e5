import type { LogScope } from "./scope.ts";
import type { Queryable } from "./tile-store.ts";

/** First half of our advisory lock keys: the bytes of "aosa". The second half is a hash of the log's name. */
const lockClass = 0x616f7361;

/**
 * Every log: those begun, and those for which only records exist. A walk from pair to pair along the primary key, so its cost is by logs, not by
 * records.
 */
export async function findLogs(db: Queryable): Promise<LogScope[]> {
  const { rows } = await db.query<LogScope>({
    name: "audit_logs_find",
    text: `with recursive pairs as (
        (select organization, environment from audit_records order by organization, environment limit 1)
        union all
        select next.organization, next.environment from pairs cross join lateral (
          select organization, environment from audit_records r
          where (r.organization, r.environment) > (pairs.organization, pairs.environment)
          order by organization, environment limit 1) next
      )
      select organization, environment from pairs union select organization, environment from audit_logs`,
  });
  return rows;
}

/**
 * Tries to become the one that sequences a log, for as long as this connection lives. Two logs whose names hash alike share a lock, and so its
 * holder: harmless, because every process tries for every log.
 */
export async function tryLock(db: Queryable, { organization, environment }: LogScope): Promise<boolean> {
  const { rows } = await db.query<{ held: boolean }>({
    name: "audit_log_lock",
    text: "select pg_try_advisory_lock($1::int, hashtext($2)) as held",
    values: [lockClass, `${organization}/${environment}`],
  });
  return rows[0]?.held ?? false;
}

/** Gives a log back. */
export async function unlock(db: Queryable, { organization, environment }: LogScope): Promise<void> {
  await db.query({
    name: "audit_log_unlock",
    text: "select pg_advisory_unlock($1::int, hashtext($2))",
    values: [lockClass, `${organization}/${environment}`],
  });
}
