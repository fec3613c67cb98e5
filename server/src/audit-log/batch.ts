import { type Ed25519Signer, signCheckpoint } from "@aos/proof";
import type { Clock } from "../kernel/clock.ts";
import { encodeArray } from "./binary-array.ts";
import { appendLeaves, type LeafBatch, leafColumns, loadCounters, parseRows, type RecordRow } from "./leaf-rows.ts";
import type { CommitPosition, LogState } from "./log-state.ts";
import { type Queryable, writeTiles } from "./tile-store.ts";

/** Records (or events) that one transaction of the sequencer takes. */
export const batchLimit = 5_000;

/** What a batch did. */
export interface BatchResult {
  readonly records: number;
  readonly events: number;
  /** Whether more is likely waiting. */
  readonly full: boolean;
  /** The id of the oldest record of the batch: its time says how far behind the log was. */
  readonly oldest: string | null;
  /** Ids of rows whose text is no record. */
  readonly damaged: readonly string[];
}

interface EventRow {
  readonly id: string;
  readonly xid: string;
  readonly n: number;
  readonly type: string;
  readonly task_id: string | null;
  readonly audit_id: string | null;
}

/** Says that somebody else moved the log on: the state in memory is stale and must be read again. */
export class StaleLogState extends Error {
  constructor(origin: string) {
    super(`the log ${origin} was moved on by another session; its state is read again`);
    this.name = "StaleLogState";
  }
}

/**
 * The first transaction id that may still be running: everything below is decided, and all of it that committed is visible. Rows below it can be
 * taken in the order (xid, n) without ever missing one that commits later.
 */
export async function readHorizon(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ horizon: string }>("select pg_snapshot_xmin(pg_current_snapshot())::text as horizon");
  return rows[0]?.horizon ?? "0";
}

/** Whether a log has rows that the horizon still hides. */
export async function hasMore(db: Queryable, { scope, records, events }: LogState): Promise<boolean> {
  const { rows } = await db.query<{ more: boolean }>({
    name: "audit_more",
    text: `select exists (select 1 from audit_records where organization = $1 and environment = $2 and (xid, n) > ($3::xid8, $4::int))
      or exists (select 1 from events where organization = $1 and environment = $2 and (xid, n) > ($5::xid8, $6::int)) as more`,
    values: [scope.organization, scope.environment, records.xid, records.n, events.xid, events.n],
  });
  return rows[0]?.more ?? false;
}

/**
 * Sequences the next batch of a log up to the horizon: leaves, tiles, counters, event positions and the signed checkpoint, in one transaction. On any error
 * nothing is written and `state` is unusable. The caller holds the log's lock on this connection.
 */
export async function sequenceBatch(
  db: Queryable,
  state: LogState,
  horizon: string,
  signer: Ed25519Signer,
  clock: Clock,
): Promise<BatchResult> {
  const rows = await readRecords(db, state, horizon);
  const full = rows.length >= batchLimit;
  // Events of a transaction whose records are not all taken wait: no event is published before its record is in the log.
  const events = await readEvents(db, state, full ? (rows.at(-1) as RecordRow).xid : horizon);
  const records = parseRows(rows);
  const damaged = records.filter((r) => !r.record).map((r) => r.row.id);
  const oldest = rows.reduce<string | null>((least, { id }) => (least === null || id < least ? id : least), null);
  const result = { records: rows.length, events: events.length, full: full || events.length >= batchLimit, oldest, damaged };
  if (rows.length === 0 && events.length === 0) return result;
  await loadCounters(db, state, records);
  const before = { size: state.tree.size, sequence: state.eventSequence, isNew: state.checkpoint === null };
  const leaves = appendLeaves(state, records);
  const { origin, tree } = state;
  if (rows.length > 0 || before.isNew) state.checkpoint = await signCheckpoint({ origin, size: tree.size, root: tree.root() }, signer);
  state.records = positionOf(rows.at(-1)) ?? state.records;
  state.events = positionOf(events.at(-1)) ?? state.events;
  state.eventSequence += events.length;
  await commitBatch(db, state, before, leaves, events, clock);
  return result;
}

function positionOf(row: CommitPosition | undefined): CommitPosition | undefined {
  return row && { xid: row.xid, n: row.n };
}

/** `with ties`: rows of equal (xid, n), should a writer number carelessly, are never cut apart, so none is passed over. */
async function readRecords(db: Queryable, { scope, records }: LogState, horizon: string): Promise<RecordRow[]> {
  const { rows } = await db.query<RecordRow>({
    name: "audit_records_next",
    text: `select id, xid::text as xid, n, body from audit_records
      where organization = $1 and environment = $2 and (audit_records.xid, n) > ($3::xid8, $4::int) and audit_records.xid < $5::xid8
      order by audit_records.xid, n fetch first (${batchLimit}) rows with ties`,
    values: [scope.organization, scope.environment, records.xid, records.n, horizon],
  });
  return rows;
}

async function readEvents(db: Queryable, { scope, events }: LogState, below: string): Promise<EventRow[]> {
  const { rows } = await db.query<EventRow>({
    name: "audit_events_next",
    text: `select id, xid::text as xid, n, type, task_id, audit_id from events
      where organization = $1 and environment = $2 and (events.xid, n) > ($3::xid8, $4::int) and events.xid < $5::xid8
      order by events.xid, n fetch first (${batchLimit}) rows with ties`,
    values: [scope.organization, scope.environment, events.xid, events.n, below],
  });
  return rows;
}

interface Before {
  readonly size: number;
  readonly sequence: number;
  readonly isNew: boolean;
}

async function commitBatch(
  db: Queryable,
  state: LogState,
  before: Before,
  leaves: LeafBatch,
  events: readonly EventRow[],
  clock: Clock,
): Promise<void> {
  await db.query("begin");
  try {
    await writeHead(db, state, before, clock);
    await writeLeaves(db, state, leaves);
    await writeCounters(db, state, leaves.counters);
    await writePositions(db, state, before.sequence, events);
    const tiles = state.tree.takeTiles();
    if (tiles.length > 0) await writeTiles(db, state.scope, tiles);
    await db.query("commit");
  } catch (error) {
    await db.query("rollback").catch(() => undefined);
    throw error;
  }
}

/** First of the batch: if the head is not where this session left it, nothing else is written. */
async function writeHead(db: Queryable, state: LogState, before: Before, clock: Clock): Promise<void> {
  const { scope, origin, tree, checkpoint, records, events, eventSequence } = state;
  const values = [scope.organization, scope.environment, origin, tree.size, Buffer.from(tree.root()), checkpoint];
  values.push(records.xid, records.n, eventSequence, events.xid, events.n, new Date(clock.now()) as never);
  const insert = `insert into audit_logs (organization, environment, origin, tree_size, root, checkpoint, last_xid, last_n,
      event_sequence, event_xid, event_n, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) on conflict do nothing`;
  const update = `update audit_logs set origin = $3, tree_size = $4, root = $5, checkpoint = $6, last_xid = $7, last_n = $8,
      event_sequence = $9, event_xid = $10, event_n = $11, updated_at = $12
    where organization = $1 and environment = $2 and tree_size = $13 and event_sequence = $14`;
  const { rowCount } = before.isNew
    ? await db.query({ name: "audit_head_insert", text: insert, values })
    : await db.query({ name: "audit_head_update", text: update, values: [...values, before.size, before.sequence] });
  if (rowCount !== 1) throw new StaleLogState(origin);
}

const leafNames = leafColumns.map(([name]) => name).join(", ");
/** In a select list: arrays are walked side by side, while in a FROM clause they would first be stored as a relation. */
const leafArrays = leafColumns.map(([name, type], i) => `unnest($${i + 3}::${type}[]) as ${name}`).join(", ");

async function writeLeaves(db: Queryable, { scope }: LogState, { columns }: LeafBatch): Promise<void> {
  if (columns[0]?.length === 0) return;
  await db.query({
    name: "audit_leaves_write",
    text: `insert into audit_leaves (organization, environment, ${leafNames})
      select $1, $2, ${leafNames} from (select ${leafArrays}) leaf`,
    values: [scope.organization, scope.environment, ...leafColumns.map(([, type], i) => encodeArray(type, columns[i] as unknown[]))],
  });
}

async function writeCounters(db: Queryable, { scope }: LogState, counters: LeafBatch["counters"]): Promise<void> {
  if (counters.size === 0) return;
  await db.query({
    name: "audit_counters_write",
    text: `insert into audit_key_counters (organization, environment, key_id, seq)
      select $1, $2, key_id, seq from unnest($3::text[], $4::bigint[]) as counter(key_id, seq)
      on conflict (organization, environment, key_id) do update set seq = excluded.seq`,
    values: [scope.organization, scope.environment, [...counters.keys()], [...counters.values()]],
  });
}

async function writePositions(db: Queryable, { scope }: LogState, last: number, events: readonly EventRow[]): Promise<void> {
  if (events.length === 0) return;
  await db.query({
    name: "event_positions_write",
    text: `insert into event_positions (organization, environment, event_id, sequence, type, task_id, audit_id)
      select $1, $2, event_id, sequence, type, task_id, audit_id
      from (select unnest($3::bigint[]) as sequence, unnest($4::text[]) as event_id, unnest($5::text[]) as type,
        unnest($6::text[]) as task_id, unnest($7::text[]) as audit_id) event`,
    values: [
      scope.organization,
      scope.environment,
      encodeArray(
        "bigint",
        events.map((_, i) => last + 1 + i),
      ),
      ...(["id", "type", "task_id", "audit_id"] as const).map((name) =>
        encodeArray(
          "text",
          events.map((event) => event[name]),
        ),
      ),
    ],
  });
}
