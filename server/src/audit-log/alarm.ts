import type { Pool } from "pg";
import type { LogMac, WrittenRecord } from "./mac.ts";
import { placedRecords } from "./placed.ts";
import type { OnSequenced, SequencerLog } from "./progress.ts";
import { type LogScope, scopeKey } from "./scope.ts";
import { readStops } from "./stops.ts";

export interface AlarmOptions {
  readonly pool: Pick<Pool, "query">;
  readonly mac: LogMac;
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
const lookLimit = 1_000;

export function createWriterAlarm({ pool, mac, onSequenced, log, count, afterMs = 10_000 }: AlarmOptions): WriterAlarm {
  const watched: Watched[] = [];
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
    log.error(alarmText(scope, ids, afterMs));
  };

  /** Answers whether more is due. */
  const lookOnce = async (now: number): Promise<boolean> => {
    let due = 0;
    while (due < Math.min(watched.length, lookLimit) && now - (watched[due] as Watched).at >= afterMs) due++;
    const looked = watched.splice(0, due);
    const found = await absent(pool, mac, looked).catch((error: unknown) => {
      watched.unshift(...looked);
      throw error;
    });
    const more = due === lookLimit;
    if (found.length === 0) return more;
    const stopped = new Set((await readStops(pool)).map(({ scope }) => scopeKey(scope)));
    for (const [key, rows] of Map.groupBy(found, ({ record }) => scopeKey(record))) {
      if (stopped.has(key)) continue; // known, and told by what stopped it
      const scope = rows[0]?.record as LogScope;
      const isLate = ({ waits }: Absent): boolean =>
        waits && now - (moved.get(key) ?? Number.NEGATIVE_INFINITY) < afterMs;
      watched.push(...rows.filter(isLate).map(({ record }) => ({ ...record, at: now }))); // the log moves, and will come to it
      const lost = rows.filter((row) => !isLate(row)).map(({ record }) => record.id);
      if (lost.length > 0) raise({ organization: scope.organization, environment: scope.environment }, lost);
    }
    return more;
  };
  const look = async (): Promise<void> => {
    const now = performance.now();
    while (await lookOnce(now));
  };
  const timer = setInterval(
    () =>
      void look().catch((error: Error) =>
        log.error(`Acknowledged audit records could not be looked for: ${error.message}`),
      ),
    afterMs / 4,
  );
  timer.unref();

  return {
    acknowledged: ({ organization, environment, id }) =>
      void watched.push({ organization, environment, id, at: performance.now() }),
    look,
    missing: () => [...missing.values()],
    stop: () => {
      clearInterval(timer);
      end();
    },
  };
}

function alarmText({ organization, environment }: LogScope, ids: readonly string[], afterMs: number): string {
  const [records, are] =
    ids.length === 1 ? ["The audit record", "is"] : [`${ids.length} audit records, among them`, "are"];
  const acknowledged = `${records} ${ids[0]} of ${organization}/${environment}, acknowledged ${afterMs / 1000} s ago`;
  return `${acknowledged}, ${are} not in the log: deleted or changed in the database, or the log does not move.`;
}

interface Absent {
  readonly record: Watched;
  /** Its row is there, and the log has yet to come to it. */
  readonly waits: boolean;
}

/** Those of some records that have no place in the log. A row of `audit_leaves` that says so is not enough; see `placed.ts`. */
async function absent(pool: Pick<Pool, "query">, mac: LogMac, records: readonly Watched[]): Promise<Absent[]> {
  const { rows } = await pool.query<Looked>({
    name: "audit_alarm",
    text: `select r.id is not null and l.record_id is null and (g.epoch is null or g.epoch > 0 or (r.xid, r.n) > (g.last_xid, g.last_n)) as waits,
        l.leaf_index, l.key_seq, case when l.record_id is not null then r.body end as body
      from unnest($1::text[], $2::text[], $3::text[]) with ordinality as w(organization, environment, id, place)
      left join audit_records r on r.organization = w.organization and r.environment = w.environment and r.id = w.id
      left join audit_leaves l on l.organization = w.organization and l.environment = w.environment and l.record_id = w.id
      left join audit_logs g on g.organization = w.organization and g.environment = w.environment
      order by w.place`,
    values: [records.map((r) => r.organization), records.map((r) => r.environment), records.map((r) => r.id)],
  });
  const looked = rows.map((row, i) => ({ ...row, record: records[i] as Watched }));
  const placed = new Set<string>();
  for (const own of Map.groupBy(looked, ({ record }) => scopeKey(record)).values()) {
    const claims = own.flatMap(({ record: { id }, leaf_index: index, key_seq: keySeq, body }) =>
      index === null || body === null
        ? []
        : [{ id, body, leafIndex: Number(index), keySeq: keySeq === null ? null : Number(keySeq) }],
    );
    for (const id of await placedRecords(pool, (own[0] as { record: LogScope }).record, mac, claims)) placed.add(id);
  }
  return looked.filter(({ record }) => !placed.has(record.id));
}

interface Looked {
  readonly waits: boolean;
  readonly leaf_index: string | null;
  readonly key_seq: string | null;
  readonly body: string | null;
}
