import { deleteOldAnswers, ensurePartitions } from "../audit-log/index.ts";
import type { OpenDatabase } from "../db/open.ts";
import { KeyUse, SessionUse } from "../features/admin/index.ts";
import type { Clock } from "../kernel/clock.ts";

interface HousekeepingParts {
  readonly database: OpenDatabase;
  readonly clock: Clock;
  readonly report: (error: unknown) => void;
}

/** What happens by the clock: next month's partitions, the end of answers that no call can repeat any longer, and the use of keys and sessions, written behind the calls. */
export function createHousekeeping({ database, clock, report }: HousekeepingParts) {
  const keys = new KeyUse();
  const sessions = new SessionUse(() => void sessions.flush(database.machinePool).catch(report));
  const every = (ms: number, work: () => Promise<unknown>): NodeJS.Timeout =>
    setInterval(() => void work().catch(report), ms).unref();
  const timers = [
    ...[keys, sessions].map((use) => every(60_000, () => use.flush(database.machinePool))),
    every(6 * 3_600_000, () => ensurePartitions(database.pool, clock)),
    every(10 * 60_000, () => deleteOldAnswers(database.machinePool, clock.now())),
  ];
  return {
    keyUsed: (...use: Parameters<KeyUse["record"]>) => keys.record(...use),
    sessionUsed: (...use: Parameters<SessionUse["record"]>) => sessions.record(...use),
    stop: () => timers.forEach(clearInterval),
    /** Writes what waits, after the last call. */
    async flush() {
      for (const use of [keys, sessions]) await use.flush(database.machinePool);
    },
  };
}
