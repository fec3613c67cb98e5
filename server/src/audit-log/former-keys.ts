import { keptFor } from "../kernel/idempotency.ts";
import { lowestId } from "../kernel/ids.ts";
import type { Statements } from "../kernel/machines.ts";

/** The first migration of a release that binds Idempotency-Keys to the credential instead of its member. */
const boundToCredential = "0023_answers_without_secrets.sql";

/**
 * Until when a call's Idempotency-Key may have been answered by a release that hashed it with the member's id: as long as answers are kept after the upgrade.
 * Milliseconds since the epoch; 0 if that is over, or no such answer is there.
 */
export async function formerKeysUntil(db: Statements, now: number): Promise<number> {
  const [migration] = await db.query<{ applied_at: Date }>("select applied_at from schema_migrations where name = $1", [
    boundToCredential,
  ]);
  const applied = migration?.applied_at.getTime() ?? 0;
  if (now >= applied + keptFor) return 0;
  const [found] = await db.query<{ any: boolean }>(
    `select exists (select from idempotency_keys where id < $1)
       or exists (select from tasks where idempotency_hash is not null and id < $2) as any`,
    [lowestId("aud", applied), lowestId("tsk", applied)],
  );
  return found?.any === true ? applied + keptFor : 0;
}
