import type { Pool } from "pg";
import { isOwnRow, readLogRow } from "./log-state.ts";
import { type LogMac, sameMac, type WrittenRecord } from "./mac.ts";
import { placedRecords } from "./placed.ts";
import { type LogScope, scopeKey } from "./scope.ts";
import type { Queryable } from "./tile-store.ts";

/** What can only have happened to an acknowledged record by loss or by a change of the database. */
export const problems = {
  deleted: "its row is gone",
  changed: "its text or its place does not fit the signed log",
  passed_over: "the log has passed its position without it",
} as const;

export type Problem = keyof typeof problems;

/**
 * How an acknowledged record stands. `waiting`: its row is there, and the log has yet to come to it. `unclear`: what was read decides nothing, such as a head
 * that this service did not write. `set_aside`: an adoption left it out of the log.
 */
export type Finding = "placed" | "waiting" | "unclear" | "set_aside" | Problem;

export const isProblem = (finding: Finding): finding is Problem => finding in problems;

/** What was read of an acknowledged record, all of it in one snapshot where the finding is to be relied on. */
export interface RecordFacts {
  /** Its leaf hash stands in the tree of an origin that this service wrote. */
  readonly isPlaced: boolean;
  /** A standby may not have received the record yet. */
  readonly isStandby: boolean;
  readonly hasRow: boolean;
  readonly hasLeaf: boolean;
  /** The log's head stands at or behind the record's position in commit order. */
  readonly isPassed: boolean;
  /** The head's position is in the future of this PostgreSQL: the database was restored into another one. */
  readonly isHeadAhead: boolean;
  readonly isHeadOwn: boolean;
  readonly isSetAside: boolean;
}

/**
 * What the facts prove. A commit that was acknowledged is visible to every later snapshot of the primary, and leaves commit together with the head. So a missing
 * row, or a head of ours that passed a record without a leaf, is proof, however late, slow or often restarted anything was.
 */
export function findingOf(facts: RecordFacts): Finding {
  if (facts.isPlaced) return "placed";
  if (facts.isStandby) return "unclear";
  if (!facts.hasRow) return "deleted";
  if (!facts.hasLeaf && !facts.isPassed) return "waiting";
  if (!facts.isHeadOwn || facts.isHeadAhead) return "unclear";
  if (facts.isSetAside) return "set_aside";
  return facts.hasLeaf ? "changed" : "passed_over";
}

type Inspect = (records: readonly WrittenRecord[]) => Promise<Finding[]>;

/** Looks records up, cheaply and in several statements: a problem that it finds has to be confirmed. */
export const createInspection = (db: Queryable, mac: LogMac): Inspect => {
  return async (records) => {
    const rows = await readRows(db, records);
    const findings: Finding[] = [];
    for (const own of Map.groupBy(rows, ({ record }) => scopeKey(record)).values()) {
      const facts = await factsOf(db, mac, (own[0] as RowOfRecord).record, own);
      for (const [i, { place }] of own.entries()) findings[place] = findingOf(facts[i] as RecordFacts);
    }
    return findings;
  };
};

/**
 * Looks records up in one snapshot of the database. The tables are locked against changes of their definition before the snapshot is taken: a partition that is
 * made meanwhile takes rows over which an older snapshot would not see in it.
 */
export const createConfirmation = (pool: Pick<Pool, "connect">, mac: LogMac): Inspect => {
  return async (records) => {
    const client = await pool.connect();
    let broken = true;
    try {
      await client.query(
        `begin isolation level repeatable read read only;
         lock table audit_records, audit_leaves, audit_logs, audit_closed_logs, audit_tiles in access share mode`,
      );
      const findings = await createInspection(client, mac)(records);
      await client.query("commit");
      broken = false;
      return findings;
    } finally {
      client.release(broken);
    }
  };
};

interface RowOfRecord {
  readonly record: WrittenRecord;
  /** Its index among those that were asked for. */
  readonly place: number;
  readonly standby: boolean;
  readonly found: boolean;
  readonly passed: boolean;
  readonly ahead: boolean;
  readonly leaf_index: string | null;
  readonly key_seq: string | null;
  readonly body: string | null;
  readonly refused: Buffer | null;
}

async function readRows(db: Queryable, records: readonly WrittenRecord[]): Promise<RowOfRecord[]> {
  const { rows } = await db.query<Omit<RowOfRecord, "record" | "place">>({
    name: "audit_acknowledged",
    text: `select pg_is_in_recovery() as standby, r.id is not null as found, coalesce((r.xid, r.n) <= (g.last_xid, g.last_n), false) as passed,
        coalesce(g.last_xid >= pg_snapshot_xmax(pg_current_snapshot()), false) as ahead, f.mac as refused,
        l.leaf_index, l.key_seq, case when l.record_id is not null then r.body end as body
      from unnest($1::text[], $2::text[], $3::text[]) with ordinality as w(organization, environment, id, place)
      left join audit_records r on r.organization = w.organization and r.environment = w.environment and r.id = w.id
      left join audit_leaves l on l.organization = w.organization and l.environment = w.environment and l.record_id = w.id
      left join audit_logs g on g.organization = w.organization and g.environment = w.environment
      left join audit_refused_records f on f.organization = w.organization and f.environment = w.environment and f.record_id = w.id
      order by w.place`,
    values: [records.map((r) => r.organization), records.map((r) => r.environment), records.map((r) => r.id)],
  });
  return rows.map((row, place) => ({ ...row, record: records[place] as WrittenRecord, place }));
}

/** A row of `audit_leaves` alone proves no place, see `placed.ts`. */
async function factsOf(
  db: Queryable,
  mac: LogMac,
  scope: LogScope,
  rows: readonly RowOfRecord[],
): Promise<RecordFacts[]> {
  const claims = rows.flatMap(({ record: { id }, leaf_index: index, key_seq: keySeq, body }) =>
    index === null || body === null
      ? []
      : [{ id, body, leafIndex: Number(index), keySeq: keySeq === null ? null : Number(keySeq) }],
  );
  const placed = await placedRecords(db, scope, mac, claims);
  const turnsOnHead = rows.some((row) => !placed.has(row.record.id) && (row.passed || row.leaf_index !== null));
  const head = turnsOnHead ? await readLogRow(db, scope) : undefined;
  const isHeadOwn = head !== undefined && isOwnRow(scope, head, mac);
  return rows.map((row) => ({
    isPlaced: placed.has(row.record.id),
    isStandby: row.standby,
    hasRow: row.found,
    hasLeaf: row.leaf_index !== null,
    isPassed: row.passed,
    isHeadAhead: row.ahead,
    isHeadOwn,
    isSetAside: row.refused !== null && sameMac(row.refused, mac.refused(scope, row.record.id)),
  }));
}
