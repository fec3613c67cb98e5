import {
  type Checkpoint,
  createTree,
  type Ed25519Signer,
  emptyRoot,
  MissingTile,
  resumeTree,
  signCheckpoint,
  type TreeBuilder,
  verifierKey,
} from "@aos/proof";
import { readClosedLogs } from "./closed-logs.ts";
import { openHead, openPinned, requireExtends, sameHead } from "./heads.ts";
import { type HeadFields, type LogMac, sameMac } from "./mac.ts";
import type { Pins } from "./pins.ts";
import { type LogScope, originOf } from "./scope.ts";
import { LogStopped } from "./stop.ts";
import { requireNoConflict } from "./stops.ts";
import { type Queryable, tileReader } from "./tile-store.ts";

/** A place in commit order: after everything up to the n-th row of transaction `xid` (64 bits, as decimal text). */
export interface CommitPosition {
  readonly xid: string;
  readonly n: number;
}

/** By what a process tells its own log from another. */
export interface LogTrust {
  /** The installation's name: the first part of every new log's origin. */
  readonly installation: string;
  /** Null: the database has lost the key. */
  readonly signer: Ed25519Signer | null;
  readonly mac: LogMac;
  readonly pins: Pins;
  readonly warn: (message: string) => void;
}

/** What the holder of a log knows of it between batches. Thrown away when a batch fails, and read again. */
export interface LogState {
  readonly scope: LogScope;
  readonly origin: string;
  /** How many origins were closed before this one. */
  readonly epoch: number;
  /** Index in `audit_leaves` of the tree's first leaf. */
  readonly firstLeaf: number;
  readonly closes: string | null;
  /** The record that has to be the first leaf; null for the first origin. */
  readonly opening: string | null;
  readonly tree: TreeBuilder;
  /** The signed checkpoint of the tree; null before the first batch of a log. */
  checkpoint: string | null;
  /** The MAC of the row that the state was read from or written to; null: there is none yet. */
  rowMac: Buffer | null;
  records: CommitPosition;
  events: CommitPosition;
  eventSequence: number;
  /** The last `key_seq` of the keys met so far. */
  readonly counters: Map<string, number>;
}

export const start: CommitPosition = { xid: "0", n: -1 };

/** A row of `audit_logs`. */
export interface LogRow {
  readonly origin: string;
  readonly epoch: number;
  readonly first_leaf: string;
  readonly closes: string | null;
  readonly opening: string | null;
  readonly tree_size: string;
  readonly root: Buffer;
  readonly checkpoint: string;
  readonly mac: Buffer | null;
  readonly last_xid: string;
  readonly last_n: number;
  readonly event_sequence: string;
  readonly event_xid: string;
  readonly event_n: number;
}

export async function readLogRow(db: Queryable, { organization, environment }: LogScope): Promise<LogRow | undefined> {
  const { rows } = await db.query<LogRow>({
    name: "audit_log_state",
    text: `select origin, epoch, first_leaf, closes, opening, tree_size, root, checkpoint, mac, last_xid::text as last_xid, last_n,
        event_sequence, event_xid::text as event_xid, event_n
      from audit_logs where organization = $1 and environment = $2`,
    values: [organization, environment],
  });
  return rows[0];
}

/** Whether this service wrote a row. */
export const isOwnRow = (scope: LogScope, row: LogRow, mac: Pick<LogMac, "head" | "earlyHead">): boolean =>
  sameMac(row.mac, mac.head(headFields(scope, row))) || isEarlyRow(scope, row, mac);

/** Whether this service wrote a row before every record had a MAC. */
export const isEarlyRow = (scope: LogScope, row: LogRow, mac: Pick<LogMac, "earlyHead">): boolean =>
  sameMac(row.mac, mac.earlyHead(headFields(scope, row)));

/**
 * Whether adoptions led from an origin to that of a row: it names the one that it closed, and each adoption before left a row of what it closed. All are under
 * our MAC, so that nobody else can.
 */
export async function isAdopted(
  db: Queryable,
  scope: LogScope,
  row: LogRow,
  earlier: string,
  mac: LogMac,
): Promise<boolean> {
  if (row.origin === earlier || !isOwnRow(scope, row, mac)) return false;
  if (row.closes === earlier) return true;
  return (await readClosedLogs(db, scope, mac)).some(({ origin, epoch }) => origin === earlier && epoch < row.epoch);
}

/** What the MAC of a row covers. */
export function headFields(
  scope: LogScope,
  row: Omit<LogRow, "mac" | "event_sequence" | "event_xid" | "event_n" | "checkpoint">,
): HeadFields {
  const { epoch, origin, closes, opening, last_xid, last_n } = row;
  return {
    organization: scope.organization,
    environment: scope.environment,
    epoch,
    origin,
    closes,
    opening,
    ...{
      firstLeaf: Number(row.first_leaf),
      size: Number(row.tree_size),
      root: row.root.toString("hex"),
      xid: last_xid,
      n: last_n,
    },
  };
}

/**
 * Reads a log's state, or that of an empty log, and makes sure of it: the row is ours, its checkpoint is signed, it contains all that was signed before,
 * and the tiles lead to its root. Throws LogStopped. The origin under which a log began stays its own, whatever the installation is called later.
 */
export async function loadLogState(db: Queryable, scope: LogScope, trust: LogTrust): Promise<LogState> {
  const found = await readLogRow(db, scope);
  const row = found?.checkpoint === "" ? undefined : found; // one that only counts events, made while the head was missing
  const pinned = await trust.pins.read(scope);
  const known = pinned && (await openPinned(pinned));
  const { signer } = trust;
  if (!signer) throw new LogStopped("key_missing");
  const adopted =
    row !== undefined && known !== null && (await isAdopted(db, scope, row, known.saved.origin, trust.mac));
  if (known && !adopted && Buffer.compare(known.saved.key.publicKey, signer.publicKey) !== 0)
    throw new LogStopped("key_changed");
  if (!row) {
    if ((known && known.saved.size > 0) || (await hasLeaves(db, scope))) throw new LogStopped("head_missing");
    const origin = known?.saved.origin ?? originOf(trust.installation, scope);
    if (!known) await trust.pins.save(scope, await emptyHead(origin, signer)); // what was seen empty can only grow
    return emptyState(scope, origin, found);
  }
  if (!known) throw new LogStopped("pins_missing");
  const head = await openRow(scope, row, trust.mac, signer.publicKey);
  await requireNoConflict(db, scope, head.origin);
  if (known.pending && sameHead(head, known.pending)) await trust.pins.confirmPending(scope);
  else {
    if (adopted)
      trust.warn(
        `The log ${known.saved.origin} was closed by an adoption on another host; this process goes on with ${head.origin}.`,
      );
    else await requireExtends(db, scope, known.saved, head, row.epoch);
    if (!sameHead(head, known.saved))
      await trust.pins.save(scope, { key: verifierKey(head.origin, signer.publicKey), checkpoint: row.checkpoint });
  }
  if (isEarlyRow(scope, row, trust.mac))
    throw new LogStopped("head_forged", "It is of an earlier release; restart the service if it was just upgraded.");
  return stateOf(scope, row, await treeOf(db, scope, row.epoch, head));
}

/** A row that this service wrote, with a checkpoint that it signed. */
export async function openRow(scope: LogScope, row: LogRow, mac: LogMac, publicKey: Uint8Array): Promise<Checkpoint> {
  const head = await openHead(row.checkpoint, verifierKey(row.origin, publicKey));
  const agrees = head.size === Number(row.tree_size) && Buffer.compare(head.root, row.root) === 0;
  if (!agrees) throw new LogStopped("head_forged", "Its columns and its checkpoint differ.");
  if (!isOwnRow(scope, row, mac)) throw new LogStopped("head_forged", "Its MAC does not verify.");
  return head;
}

async function treeOf(db: Queryable, scope: LogScope, epoch: number, head: Checkpoint): Promise<TreeBuilder> {
  try {
    const tree = await resumeTree(tileReader(db, scope, epoch), head.size);
    if (Buffer.compare(tree.root(), head.root) === 0) return tree;
  } catch (error) {
    if (!(error instanceof MissingTile)) throw error;
    throw new LogStopped("tiles_damaged", `${error.message}.`);
  }
  throw new LogStopped("tiles_damaged");
}

function stateOf(scope: LogScope, row: LogRow, tree: TreeBuilder): LogState {
  return {
    ...{
      scope,
      origin: row.origin,
      epoch: row.epoch,
      firstLeaf: Number(row.first_leaf),
      closes: row.closes,
      opening: row.opening,
      tree,
    },
    checkpoint: row.checkpoint,
    rowMac: row.mac,
    records: { xid: row.last_xid, n: row.last_n },
    events: { xid: row.event_xid, n: row.event_n },
    eventSequence: Number(row.event_sequence),
    counters: new Map(),
  };
}

function emptyState(scope: LogScope, origin: string, row: LogRow | undefined): LogState {
  return {
    ...{
      scope,
      origin,
      epoch: 0,
      firstLeaf: 0,
      closes: null,
      opening: null,
      tree: createTree({ tiles: true }),
      checkpoint: null,
      rowMac: null,
    },
    records: start,
    events: row ? { xid: row.event_xid, n: row.event_n } : start,
    eventSequence: Number(row?.event_sequence ?? 0),
    counters: new Map(),
  };
}

/** The head of a log without leaves. */
export async function emptyHead(origin: string, signer: Ed25519Signer) {
  const checkpoint = await signCheckpoint({ origin, size: 0, root: emptyRoot }, signer);
  return { key: verifierKey(origin, signer.publicKey), checkpoint };
}

/** Whether something was sequenced in a log, whatever its head says. */
export async function hasLeaves(db: Queryable, { organization, environment }: LogScope): Promise<boolean> {
  const { rows } = await db.query<{ some: boolean }>({
    name: "audit_has_leaves",
    text: `select exists (select from audit_leaves where organization = $1 and environment = $2)
      or exists (select from audit_tiles where organization = $1 and environment = $2) as some`,
    values: [organization, environment],
  });
  return rows[0]?.some ?? false;
}
