import {
  type Checkpoint,
  type Ed25519Signer,
  emptyRoot,
  formatVerifierKey,
  hashLength,
  rootAt,
  tileWidth,
  toBase64,
  verifierKey,
} from "@aos/proof";
import { batchLimit, readHorizon } from "./batch.ts";
import { openHead } from "./heads.ts";
import {
  type CommitPosition,
  emptyHead,
  headFields,
  isAdopted,
  isOwnRow,
  type LogRow,
  type LogState,
  type LogTrust,
  loadLogState,
  readLogRow,
  start,
} from "./log-state.ts";
import type { PinnedHead } from "./pins.ts";
import { isSequencable, readRecords, verifiedRows, waitingRows } from "./record-rows.ts";
import { type LogScope, originOf } from "./scope.ts";
import { LogStopped } from "./stop.ts";
import { clearStop } from "./stops.ts";
import { type Queryable, tileReader } from "./tile-store.ts";

/** A head as it was met: what it says, and whether its signature verifies. */
export interface SeenHead extends Checkpoint {
  readonly checkpoint: string;
  readonly signed: boolean;
}

/** What an adoption did. */
export interface Adoption {
  readonly why: LogStopped;
  /** The head in the database; null where there was none. */
  readonly found: SeenHead | null;
  /** The newest head that this host had saved; null where it had none. */
  readonly pinned: SeenHead | null;
  readonly opened: string;
  /** Ids of waiting rows that did not verify. */
  readonly refused: readonly string[];
  /** To be pinned once the adoption is committed. */
  readonly pin: PinnedHead;
}

/** Why a log cannot be signed; null where it can. */
export async function findKillSwitch(db: Queryable, scope: LogScope, trust: LogTrust): Promise<LogStopped | null> {
  try {
    const state = await loadLogState(db, scope, trust);
    if (await hasTilesBeyond(db, state)) throw new LogStopped("tiles_damaged", "There are hashes beyond its head.");
    const horizon = await readHorizon(db);
    for (;;) {
      const { rows, last, full } = await readRecords(db, state, trust.mac, { horizon, most: batchLimit, leaves: true });
      await verifiedRows(db, scope, rows, trust.mac);
      if (!full || last === undefined) return null;
      state.records = last;
    }
  } catch (error) {
    if (error instanceof LogStopped) return error;
    throw error;
  }
}

/** Hashes after those of a head: the tiles of the records to come could not be written over them. */
async function hasTilesBeyond(db: Queryable, { scope, epoch, tree }: LogState): Promise<boolean> {
  const { rows } = await db.query<{ some: boolean }>(
    `select exists (select from audit_tiles where organization = $1 and environment = $2 and epoch = $3
       and (level > 7 or index * ${tileWidth} + length(data) / ${hashLength} > ($4::bigint >> (8 * level)))) as some`,
    [scope.organization, scope.environment, epoch, tree.size],
  );
  return rows[0]?.some ?? false;
}

/**
 * Closes the origin of a stopped log and opens another, within the transaction that records it. `id`: the record of the adoption, which becomes the first
 * leaf. Nothing of the closed origin is changed. Returns null where the log is not stopped.
 */
export async function adoptLog(
  db: Queryable,
  scope: LogScope,
  trust: LogTrust,
  given: { readonly signer: Ed25519Signer; readonly id: string; readonly now: Date },
): Promise<Adoption | null> {
  const why = await findKillSwitch(db, scope, trust);
  if (!why) return null;
  const { signer, id } = given;
  const row = await readLogRow(db, scope);
  const found = row && row.checkpoint !== "" ? await seen(row.checkpoint, signer.publicKey) : null;
  const saved = (await trust.pins.read(scope))?.saved;
  const pinned = saved ? await seen(saved.checkpoint, saved.key.publicKey) : null;
  const isOwn = row !== undefined && found !== null && isOwnRow(scope, row, trust.mac);
  const newest = await newestEpoch(db, scope);
  const epoch = row && found ? row.epoch : newest;
  const own = originOf(trust.installation, scope);
  // The database's origin, where this host's own is that one or was closed before it; else the one that this host knows.
  const goesOn =
    isOwn && (!pinned || pinned.origin === row.origin || (await isAdopted(db, scope, row, pinned.origin, trust.mac)));
  const closedOrigin = goesOn ? row.origin : (pinned?.origin ?? (found?.signed ? found.origin : own));
  const origin = nextOrigin(closedOrigin, scope, newest);
  const closed = await provable(
    db,
    scope,
    epoch,
    [pinned, found].filter((head) => !goesOn || head?.origin === closedOrigin),
  );
  if (closed)
    await close(db, scope, trust, {
      ...given,
      closed,
      epoch,
      firstLeaf: row?.first_leaf ?? "0",
      publicKey: (closed === pinned && saved ? saved.key : signer).publicKey,
    });
  const position = isOwn ? { xid: row.last_xid, n: row.last_n } : start;
  const refused = await setAside(db, scope, trust, id, position);
  const pin = await emptyHead(origin, signer);
  await open(db, scope, trust, {
    ...given,
    origin,
    epoch: newest + 1,
    closes: closedOrigin,
    position,
    checkpoint: pin.checkpoint,
  });
  await clearStop(db, scope);
  return { why, found, pinned, opened: origin, refused, pin };
}

/** No origin takes the place of an earlier one, whatever the head says. */
async function newestEpoch(db: Queryable, { organization, environment }: LogScope): Promise<number> {
  const { rows } = await db.query<{ epoch: number }>(
    `select greatest((select max(epoch) from audit_tiles where organization = $1 and environment = $2),
       (select max(epoch) from audit_closed_logs where organization = $1 and environment = $2),
       (select epoch from audit_logs where organization = $1 and environment = $2), 0) as epoch`,
    [organization, environment],
  );
  return rows[0]?.epoch ?? 0;
}

/** `<installation>/2/<organization>/<environment>` after `<installation>/<organization>/<environment>`: verifiers know a log's records by the end of its name. */
function nextOrigin(closed: string, scope: LogScope, epoch: number): string {
  const end = `/${scope.organization}/${scope.environment}`;
  const begin = closed.slice(0, -end.length);
  return `${epoch === 0 ? begin : begin.replace(/\/\d+$/, "")}/${epoch + 2}${end}`;
}

async function seen(checkpoint: string, publicKey: Uint8Array): Promise<SeenHead | null> {
  const origin = checkpoint.slice(0, checkpoint.indexOf("\n"));
  try {
    return { ...(await openHead(checkpoint, verifierKey(origin, publicKey))), checkpoint, signed: true };
  } catch {
    return { origin: origin === "" ? "unreadable" : origin, size: 0, root: emptyRoot, checkpoint, signed: false };
  }
}

/** The head under which the records of the closed origin are proved: the larger of those whose signature verifies and to which the tiles lead. */
async function provable(
  db: Queryable,
  scope: LogScope,
  epoch: number,
  heads: readonly (SeenHead | null)[],
): Promise<SeenHead | null> {
  const signed = heads.filter((head) => head?.signed === true).toSorted((a, b) => (b?.size ?? 0) - (a?.size ?? 0));
  for (const head of signed) {
    const root = await rootAt(tileReader(db, scope, epoch), head?.size ?? 0).catch(() => null);
    if (head && root && Buffer.compare(root, head.root) === 0) return head;
  }
  return signed[0] ?? null;
}

async function close(
  db: Queryable,
  { organization, environment }: LogScope,
  { mac }: LogTrust,
  given: { closed: SeenHead; epoch: number; firstLeaf: string; publicKey: Uint8Array; id: string; now: Date },
): Promise<void> {
  const { closed, epoch, publicKey, id, now } = given;
  const { origin, size, checkpoint } = closed;
  const key = formatVerifierKey(verifierKey(origin, publicKey));
  const firstLeaf = Number(given.firstLeaf);
  const sealed = mac.closed({
    organization,
    environment,
    epoch,
    origin,
    firstLeaf,
    size,
    checkpoint,
    verifierKey: key,
    adoption: id,
  });
  await db.query(
    `insert into audit_closed_logs (organization, environment, epoch, origin, first_leaf, tree_size, checkpoint, verifier_key, adoption, closed_at, mac)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict do nothing`,
    [organization, environment, epoch, origin, firstLeaf, size, checkpoint, key, id, now, sealed],
  );
}

/** Waiting rows that this service did not write, or of which a row of `audit_leaves` falsely says that they are leaves, so that the new origin does not stop at them again. */
async function setAside(
  db: Queryable,
  scope: LogScope,
  { mac }: LogTrust,
  id: string,
  after: CommitPosition,
): Promise<string[]> {
  const { organization, environment } = scope;
  const rows = await waitingRows(db, scope, after, mac);
  const refused = rows.filter((row) => !isSequencable(scope, row, mac)).map((row) => row.id);
  for (const one of refused) {
    await db.query("insert into audit_refused_records values ($1, $2, $3, $4, $5) on conflict do nothing", [
      organization,
      environment,
      one,
      id,
      mac.refused(scope, one),
    ]);
  }
  return refused;
}

async function open(
  db: Queryable,
  scope: LogScope,
  { mac }: LogTrust,
  given: {
    origin: string;
    epoch: number;
    closes: string;
    position: { xid: string; n: number };
    checkpoint: string;
    id: string;
    now: Date;
  },
): Promise<void> {
  const { organization, environment } = scope;
  const { origin, epoch, closes, position, checkpoint, id, now } = given;
  const { rows } = await db.query<{ next: string }>(
    `select greatest((select max(leaf_index) + 1 from audit_leaves where organization = $1 and environment = $2),
       (select max(first_leaf + tree_size) from audit_closed_logs where organization = $1 and environment = $2), 0)::text as next`,
    [organization, environment],
  );
  const head = {
    origin,
    epoch,
    closes,
    opening: id,
    first_leaf: rows[0]?.next ?? "0",
    tree_size: "0",
    root: Buffer.from(emptyRoot),
  };
  const row: Omit<LogRow, "mac" | "event_sequence" | "event_xid" | "event_n" | "checkpoint"> = {
    ...head,
    last_xid: position.xid,
    last_n: position.n,
  };
  await db.query(
    `insert into audit_logs (organization, environment, origin, epoch, first_leaf, closes, opening, tree_size, root, checkpoint, last_xid, last_n,
       event_sequence, event_xid, event_n, updated_at, mac)
     values ($1, $2, $3, $4, $5, $6, $7, 0, $8, $9, $10, $11, 0, '0', -1, $12, $13)
     on conflict (organization, environment) do update set origin = excluded.origin, epoch = excluded.epoch, first_leaf = excluded.first_leaf,
       closes = excluded.closes, opening = excluded.opening, tree_size = 0, root = excluded.root, checkpoint = excluded.checkpoint,
       last_xid = excluded.last_xid, last_n = excluded.last_n, updated_at = excluded.updated_at, mac = excluded.mac`,
    [
      organization,
      environment,
      origin,
      epoch,
      row.first_leaf,
      closes,
      id,
      row.root,
      checkpoint,
      position.xid,
      position.n,
      now,
      mac.head(headFields(scope, row)),
    ],
  );
}

/** A head in the words of a record: `<origin> 12 <root>`. */
export function headWords(head: SeenHead | null): string {
  if (!head) return "none";
  return head.signed ? `${head.origin} ${head.size} ${toBase64(head.root)}` : `${head.origin}, not signed`;
}
