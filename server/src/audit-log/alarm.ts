import type { Pool } from "pg";
import type { WrittenRecord } from "./mac.ts";
import type { OnSequenced, SequencerLog } from "./progress.ts";
import { type LogScope, scopeKey } from "./scope.ts";
import { readStops } from "./stops.ts";

export interface AlarmOptions {
  readonly pool: Pick<Pool, "query">;
  readonly onSequenced: OnSequenced;
  readonly log: Pick<SequencerLog, "error">;
  /** Counts the records that are missing, by environment. */
  readonly count: (environment: string, records: number) => void;
  /** After so long an acknowledged record must be in the log (milliseconds, 10,000 unless told). */
  readonly afterMs?: number;
}

/** Acknowledged records that did not come into a log. */
export interface MissingRecords {
  readonly scope: LogScope;
  readonly records: number;
  /** The first of them. */
  readonly first: string;
}

/** Watches over what this process has acknowledged: a record that was deleted before it had its place in the log is missed by nobody else. */
export interface WriterAlarm {
  acknowledged(record: WrittenRecord): void;
  /** Looks now; by itself it does a few times in `afterMs`. */
  look(): Promise<void>;
  missing(): readonly MissingRecords[];
  stop(): void;
}

interface Watched extends LogScope {
  readonly id: string;
  /** When it was acknowledged, by the clock of performance.now. */
  readonly at: number;
}

/** Records that one statement looks up. */
const lookLimit = 10_000;

export function createWriterAlarm({ pool, onSequenced, log, count, afterMs = 10_000 }: AlarmOptions): WriterAlarm {
  let watched: Watched[] = [];
  const missing = new Map<string, MissingRecords>();
  const moved = new Map<string, number>();
  const end = onSequenced(({ scope, checkpoint }) => {
    if (checkpoint !== null) moved.set(scopeKey(scope), performance.now());
  });

  const raise = (scope: LogScope, ids: readonly string[]): void => {
    const earlier = missing.get(scopeKey(scope));
    const first = earlier?.first ?? (ids[0] as string);
    missing.set(scopeKey(scope), { scope, records: (earlier?.records ?? 0) + ids.length, first });
    count(scope.environment, ids.length);
    const many = ids.length === 1 ? "The audit record" : `${ids.length} audit records, among them`;
    log.error(
      `${many} ${ids[0]} of ${scope.organization}/${scope.environment}, acknowledged ${afterMs / 1000} s ago, ${ids.length === 1 ? "is" : "are"} not in the log: deleted or changed in the database, or the log does not move.`,
    );
  };

  const look = async (): Promise<void> => {
    const now = performance.now();
    let due = 0;
    while (due < Math.min(watched.length, lookLimit) && now - (watched[due] as Watched).at >= afterMs) due++;
    if (due === 0) return;
    const looked = watched.slice(0, due);
    const found = await absent(pool, looked);
    watched = watched.slice(due);
    if (found.length === 0) return;
    const stopped = new Set((await readStops(pool)).map(({ scope }) => scopeKey(scope)));
    for (const [key, rows] of Map.groupBy(found, ({ record }) => scopeKey(record))) {
      if (stopped.has(key)) continue; // known, and told by what stopped it
      const scope = rows[0]?.record as LogScope;
      const isLate = ({ waits }: Absent): boolean => waits && now - (moved.get(key) ?? Number.NEGATIVE_INFINITY) < afterMs;
      watched.push(...rows.filter(isLate).map(({ record }) => ({ ...record, at: now }))); // the log moves, and will come to it
      const lost = rows.filter((row) => !isLate(row)).map(({ record }) => record.id);
      if (lost.length > 0) raise({ organization: scope.organization, environment: scope.environment }, lost);
    }
  };
  const timer = setInterval(() => void look().catch((error: Error) => log.error(`Acknowledged audit records could not be looked for: ${error.message}`)), afterMs / 4); // biome-ignore format: one call
  timer.unref();

  return {
    acknowledged: ({ organization, environment, id }) => void watched.push({ organization, environment, id, at: performance.now() }),
    look,
    missing: () => [...missing.values()],
    stop: () => {
      clearInterval(timer);
      end();
    },
  };
}

interface Absent {
  readonly record: Watched;
  /** Its row is there, and the log has yet to come to it. */
  readonly waits: boolean;
}

async function absent(pool: Pick<Pool, "query">, records: readonly Watched[]): Promise<Absent[]> {
  const { rows } = await pool.query<{ place: string; waits: boolean }>({
    name: "audit_alarm",
    text: `select w.place, exists (select from audit_records r left join audit_logs l on l.organization = r.organization and l.environment = r.environment
        where r.organization = w.organization and r.environment = w.environment and r.id = w.id
          and (l.epoch is null or l.epoch > 0 or (r.xid, r.n) > (l.last_xid, l.last_n))) as waits
      from unnest($1::text[], $2::text[], $3::text[]) with ordinality as w(organization, environment, id, place)
      where not exists (select from audit_leaves l where l.organization = w.organization and l.environment = w.environment and l.record_id = w.id)`,
    values: [records.map((r) => r.organization), records.map((r) => r.environment), records.map((r) => r.id)],
  });
  return rows.map(({ place, waits }) => ({ record: records[Number(place) - 1] as Watched, waits }));
}
