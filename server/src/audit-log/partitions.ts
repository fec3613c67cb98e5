import type { Pool } from "pg";
import type { Clock } from "../kernel/clock.ts";

const dayMs = 86_400_000;

/**
 * Makes the month partitions that are missing between now and `aheadDays` from now, for every table registered in `partitioned_tables`.
 * Call at start and daily; several processes may. Answers how many partitions it made.
 */
export async function ensurePartitions(pool: Pick<Pool, "query">, clock: Clock, aheadDays = 62): Promise<number> {
  const now = clock.now();
  const { rows } = await pool.query<{ made: number }>("select ensure_partitions($1, $2) as made", [
    new Date(now),
    new Date(now + aheadDays * dayMs),
  ]);
  return rows[0]?.made ?? 0;
}
