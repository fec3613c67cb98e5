import { type Ed25519Signer, signCheckpoint, verifierKey } from "@aos/proof";
import { DatabaseError } from "pg";
import type { Clock } from "../kernel/clock.ts";
import { encodeArray } from "./binary-array.ts";
import { type EventRow, readEvents, writePositions } from "./event-positions.ts";
import { appendLeaves, type LeafBatch, leafColumns, loadCounters } from "./leaf-rows.ts";
import { type CommitPosition, headFields, type LogState, type LogTrust, readLogRow } from "./log-state.ts";
import { type LogMac, sameMac } from "./mac.ts";
import { readRecords, verifiedRows } from "./record-rows.ts";
import { LogStopped } from "./stop.ts";
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
}

/** The head in the database is not where this session left it. It is read again, and must then contain all that was signed. */
export class StaleLogState extends Error {
  constructor(origin: string) {
    super(`the head of ${origin} was changed by another session; it is compared with the pinned one`);
    this.name = "StaleLogState";
  }
}

/**
 * The first transaction id that may still be running: everything below is decided, and all of it that committed is visible. Rows below it can be
 * taken in the order (xid, n) without ever missing one that commits later.
 */
export async function readHorizon(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ horizon: string }>(
    "select pg_snapshot_xmin(pg_current_snapshot())::text as horizon",
  );
  return rows[0]?.horizon ?? "0";
}

/** Whether a log has rows that the horizon still hides. Throws StaleLogState where the head is not the one that this session wrote. */
export async function hasMore(db: Queryable, state: LogState, mac: LogMac): Promise<boolean> {
  const { scope, origin, rowMac, records, events } = state;
  const { rows } = await db.query<{ more: boolean }>({
    name: "audit_more",
    text: `select exists (select 1 from audit_records where organization = $1 and environment = $2 and (xid, n) > ($3::xid8, $4::int))
      or exists (select 1 from events where organization = $1 and environment = $2 and (xid, n) > ($5::xid8, $6::int)) as more`,
    values: [scope.organization, scope.environment, records.xid, records.n, events.xid, events.n],
  });
  const row = await readLogRow(db, scope);
  const isOurs =
    row && row.checkpoint !== ""
      ? rowMac?.equals(mac.head(headFields(scope, row))) && sameMac(row.mac, rowMac)
      : rowMac === null;
  if (!isOurs) throw new StaleLogState(origin);
  return rows[0]?.more ?? false;
}

/**
 * Sequences the next batch of a log up to the horizon: leaves, tiles, counters, event positions and the signed checkpoint, in one transaction. On any error
 * nothing is written and `state` is unusable. Throws LogStopped for a row that this service did not write. The caller holds the log's lock on this connection.
 */
export async function sequenceBatch(
  db: Queryable,
  state: LogState,
  horizon: string,
  trust: LogTrust & { readonly signer: Ed25519Signer },
  clock: Clock,
): Promise<BatchResult> {
  const { rows, last, full } = await readRecords(db, state, trust.mac, { horizon, most: batchLimit });
  // Events of a transaction whose records are not all taken wait: no event is published before its record is in the log.
  const events = await readEvents(db, state, full ? (last?.xid ?? "0") : horizon, batchLimit);
  const records = await verifiedRows(db, state.scope, rows, trust.mac);
  const oldest = rows.reduce<string | null>((least, { id }) => (least === null || id < least ? id : least), null);
  const result = { records: records.length, events: events.length, full: full || events.length >= batchLimit, oldest };
  if (rows.length === 0 && last === undefined && events.length === 0) return result;
  await loadCounters(db, state, records);
  const before: Before = {
    size: state.tree.size,
    sequence: state.eventSequence,
    mac: state.rowMac,
    records: state.records,
  };
  const leaves = appendLeaves(state, records);
  const { origin, tree } = state;
  const signs = records.length > 0 || before.mac === null;
  if (signs) state.checkpoint = await signCheckpoint({ origin, size: tree.size, root: tree.root() }, trust.signer);
  state.records = last ?? state.records;
  state.events = positionOf(events.at(-1)) ?? state.events;
  state.eventSequence += events.length;
  state.rowMac = trust.mac.head(headFields(state.scope, rowOf(state)));
  await commitBatch(db, state, before, leaves, events, clock, signs ? trust : null);
  return result;
}

function positionOf(row: CommitPosition | undefined): CommitPosition | undefined {
  return row && { xid: row.xid, n: row.n };
}

/** The columns of a head's row that its MAC covers. */
const rowOf = ({ origin, epoch, firstLeaf, closes, opening, tree, records }: LogState) => ({
  ...{
    origin,
    epoch,
    closes,
    opening,
    first_leaf: String(firstLeaf),
    tree_size: String(tree.size),
    root: Buffer.from(tree.root()),
  },
  last_xid: records.xid,
  last_n: records.n,
});

interface Before {
  readonly size: number;
  readonly sequence: number;
  readonly records: CommitPosition;
  /** Null: there is no row yet. */
  readonly mac: Buffer | null;
}

/** `pinned`: the head is another one; it is pinned as pending before the commit, and as saved after it. */
async function commitBatch(
  db: Queryable,
  state: LogState,
  before: Before,
  leaves: LeafBatch,
  events: readonly EventRow[],
  clock: Clock,
  pinned: (LogTrust & { readonly signer: Ed25519Signer }) | null,
): Promise<void> {
  const { scope, origin, checkpoint } = state;
  await db.query("begin");
  try {
    await writeHead(db, state, before, clock);
    await writeLeaves(db, state, leaves);
    await writeCounters(db, state, leaves.counters);
    await writePositions(db, scope, before.sequence, events);
    const tiles = state.tree.takeTiles();
    if (tiles.length > 0) await writeTiles(db, scope, state.epoch, tiles);
    if (pinned)
      await pinned.pins.savePending(scope, {
        key: verifierKey(origin, pinned.signer.publicKey),
        checkpoint: checkpoint as string,
      });
    await db.query("commit");
  } catch (error) {
    await db.query("rollback").catch(() => undefined);
    throw stopOf(error) ?? error;
  }
  await pinned?.pins.confirmPending(scope);
}

/** What a constraint or guard of the log's tables refuses would be refused again at every attempt. */
function stopOf(error: unknown): LogStopped | null {
  if (!(error instanceof DatabaseError)) return null;
  if (error.code === "23505" && error.table?.startsWith("audit_leaves"))
    return new LogStopped("record_replayed", `${error.detail ?? ""}`);
  if (error.code === "23001" && error.message.includes("audit_tiles"))
    return new LogStopped("tiles_damaged", "There are hashes beyond its head.");
  return null;
}

/** First of the batch: if the head is not where this session left it, nothing else is written. */
async function writeHead(db: Queryable, state: LogState, before: Before, clock: Clock): Promise<void> {
  const { scope, origin, tree, checkpoint, records, events, eventSequence, rowMac, epoch, firstLeaf } = state;
  const values: unknown[] = [
    scope.organization,
    scope.environment,
    origin,
    tree.size,
    Buffer.from(tree.root()),
    checkpoint,
  ];
  values.push(records.xid, records.n, eventSequence, events.xid, events.n, new Date(clock.now()), rowMac);
  const insert = `insert into audit_logs (organization, environment, origin, tree_size, root, checkpoint, last_xid, last_n,
      event_sequence, event_xid, event_n, updated_at, mac, epoch, first_leaf)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
    on conflict (organization, environment) do update set origin = excluded.origin, tree_size = excluded.tree_size, root = excluded.root,
      checkpoint = excluded.checkpoint, last_xid = excluded.last_xid, last_n = excluded.last_n, event_sequence = excluded.event_sequence,
      event_xid = excluded.event_xid, event_n = excluded.event_n, updated_at = excluded.updated_at, mac = excluded.mac
    where audit_logs.checkpoint = ''`;
  const update = `update audit_logs set tree_size = $4, root = $5, checkpoint = $6, last_xid = $7, last_n = $8,
      event_sequence = $9, event_xid = $10, event_n = $11, updated_at = $12, mac = $13
    where organization = $1 and environment = $2 and origin = $3 and tree_size = $14 and event_sequence = $15 and mac = $16
      and last_xid = $17 and last_n = $18 and epoch = $19 and first_leaf = $20`;
  const { rowCount } =
    before.mac === null
      ? await db.query({ name: "audit_head_insert", text: insert, values: [...values, epoch, firstLeaf] })
      : await db.query({
          name: "audit_head_update",
          text: update,
          values: [
            ...values,
            before.size,
            before.sequence,
            before.mac,
            before.records.xid,
            before.records.n,
            epoch,
            firstLeaf,
          ],
        });
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
    values: [
      scope.organization,
      scope.environment,
      ...leafColumns.map(([, type], i) => encodeArray(type, columns[i] as unknown[])),
    ],
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
