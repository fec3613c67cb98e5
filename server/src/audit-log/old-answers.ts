import type { Pool } from "pg";
import { keptFor } from "../kernel/idempotency.ts";
import { lowestId } from "../kernel/ids.ts";
import { environments } from "../kernel/principal.ts";

/** Rows that one statement deletes. */
const most = 10_000;

/**
 * Deletes the answers that are kept for repetition under an Idempotency-Key and are too old to be repeated, in portions. Several processes may: rows that another one
 * deletes are left to it. Returns how many. Answers of dispatches stand in their tasks, where a sweep of their own clears them.
 */
export async function deleteOldAnswers(pool: Pick<Pool, "query">, now: number): Promise<number> {
  const before = lowestId("aud", now - keptFor);
  for (let deleted = 0; ; ) {
    const { rowCount } = await pool.query(
      `with old as (
         select k.organization, k.environment, k.id from organizations o cross join unnest($1::text[]) as e(environment)
         cross join lateral (
           select k.organization, k.environment, k.id from idempotency_keys k
           where k.organization = o.organization and k.environment = e.environment and k.id < $2
           order by k.id limit $3 for update skip locked) k
         limit $3)
       delete from idempotency_keys k using old
       where k.organization = old.organization and k.environment = old.environment and k.id = old.id and k.id < $2`,
      [environments, before, most],
    );
    deleted += rowCount ?? 0;
    if ((rowCount ?? 0) < most) return deleted;
  }
}
