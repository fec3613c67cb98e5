import type { ParsedRow, RecordRow } from "./leaf-rows.ts";
import { parseRecord } from "./leaf-rows.ts";
import type { CommitPosition, LogState } from "./log-state.ts";
import { type LogMac, sameMac } from "./mac.ts";
import { placedRecords } from "./placed.ts";
import type { LogScope } from "./scope.ts";
import { LogStopped } from "./stop.ts";
import type { Queryable } from "./tile-store.ts";

/** The next rows of a log. */
export interface NextRows {
  readonly rows: readonly RecordRow[];
  /** Where the log goes on after them; undefined: where it is. */
  readonly last: CommitPosition | undefined;
  readonly full: boolean;
}

const columns = "id, xid::text as xid, n, body, salt_id, writer, number::text as number, mac";
const withLeaf = `${columns}, (select array[l.leaf_index::text, l.key_seq::text] from audit_leaves l
    where l.organization = $1 and l.environment = $2 and l.record_id = r.id) as leaf`;
const withoutLeaf = `${columns}, null as leaf`;

/**
 * Reads the next rows up to the horizon. The first of an origin that an adoption opened is the record of the adoption, whatever waits before it. After an
 * adoption what waits may stand among what is sequenced already, which is left out. `leaves`: look up who has a row in `audit_leaves`, also before one.
 */
export async function readRecords(
  db: Queryable,
  state: LogState,
  mac: LogMac,
  { horizon, most, leaves = false }: { readonly horizon: string; readonly most: number; readonly leaves?: boolean },
): Promise<NextRows> {
  if (state.opening !== null && state.tree.size === 0)
    return { ...(await readOpening(db, state.scope, state.opening, horizon)), full: true };
  const { scope, records, epoch } = state;
  const looksUp = leaves || epoch > 0;
  // `with ties`: rows of equal (xid, n), should a writer number carelessly, are never cut apart.
  const { rows } = await db.query<RecordRow>({
    name: looksUp ? "audit_records_next_adopted" : "audit_records_next",
    text: `select ${looksUp ? withLeaf : withoutLeaf} from audit_records r
      where organization = $1 and environment = $2 and (r.xid, n) > ($3::xid8, $4::int) and r.xid < $5::xid8
      order by r.xid, n fetch first (${most}) rows with ties`,
    values: [scope.organization, scope.environment, records.xid, records.n, horizon],
  });
  const end = rows.at(-1);
  const waiting = epoch > 0 ? await unplaced(db, scope, rows, mac) : rows;
  return { rows: waiting, last: end && { xid: end.xid, n: end.n }, full: rows.length >= most };
}

async function readOpening(db: Queryable, scope: LogScope, id: string, horizon: string) {
  const { rows } = await db.query<RecordRow>(
    `select ${withLeaf} from audit_records r where organization = $1 and environment = $2 and id = $3 and r.xid < $4::xid8`,
    [scope.organization, scope.environment, id, horizon],
  );
  return { rows, last: undefined };
}

/** Rows without those that have their place in the log. */
export async function unplaced(
  db: Queryable,
  scope: LogScope,
  rows: readonly RecordRow[],
  mac: LogMac,
): Promise<RecordRow[]> {
  const claims = rows.flatMap(({ id, body, leaf }) =>
    leaf ? [{ id, body, leafIndex: Number(leaf[0]), keySeq: leaf[1] === null ? null : Number(leaf[1]) }] : [],
  );
  const placed = await placedRecords(db, scope, mac, claims);
  return rows.filter(({ id }) => !placed.has(id));
}

/** Rows after a position that have no place in the log. */
export async function waitingRows(
  db: Queryable,
  scope: LogScope,
  after: CommitPosition,
  mac: LogMac,
): Promise<RecordRow[]> {
  const { rows } = await db.query<RecordRow>(
    `select ${withLeaf} from audit_records r where organization = $1 and environment = $2 and (r.xid, n) > ($3::xid8, $4::int)`,
    [scope.organization, scope.environment, after.xid, after.n],
  );
  return unplaced(db, scope, rows, mac);
}

/** Whether a row can become a leaf: this service wrote it, and nothing says that it is one. */
export const isSequencable = (scope: LogScope, row: RecordRow, mac: LogMac): boolean =>
  row.leaf === null && isOurs(scope, row, mac);

/** The records in rows, without those that an adoption set aside. Throws LogStopped for any other that this service did not write, or not so. */
export async function verifiedRows(
  db: Queryable,
  scope: LogScope,
  rows: readonly RecordRow[],
  mac: LogMac,
): Promise<ParsedRow[]> {
  const parsed: ParsedRow[] = [];
  for (const row of rows) {
    const record = isSequencable(scope, row, mac) ? parseRecord(row.body) : null;
    if (record) parsed.push({ row, record });
    else if (!(await isSetAside(db, scope, row.id, mac)))
      throw new LogStopped(row.leaf === null ? "record_forged" : "record_replayed", `It is ${row.id}.`);
  }
  return parsed;
}

/** Whether a row is as a writer of this service wrote it. */
export function isOurs(
  { organization, environment }: LogScope,
  row: Pick<RecordRow, "id" | "writer" | "number" | "salt_id" | "body" | "mac">,
  mac: Pick<LogMac, "record">,
): boolean {
  const { id, writer, number, salt_id, body } = row;
  if (writer === null || number === null) return false;
  return sameMac(row.mac, mac.record({ organization, environment, writer, number, id, saltId: salt_id, body }));
}

async function isSetAside(db: Queryable, scope: LogScope, id: string, mac: LogMac): Promise<boolean> {
  const { rows } = await db.query<{ mac: Buffer }>(
    "select mac from audit_refused_records where organization = $1 and environment = $2 and record_id = $3",
    [scope.organization, scope.environment, id],
  );
  return rows[0] !== undefined && sameMac(rows[0].mac, mac.refused(scope, id));
}
