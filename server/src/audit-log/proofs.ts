import { consistencyProof, formatTlogProof, inclusionProof, toBase64 } from "@aos/proof";
import type { Pool } from "pg";
import { leafDataOf } from "./leaf-rows.ts";
import type { OnSequenced } from "./progress.ts";
import { type LogScope, scopeKey } from "./scope.ts";
import { tileReader } from "./tile-store.ts";

/** The record exists but is not in the log yet, after the time the caller was ready to wait: 503 with `Retry-After`. */
export class NotYetSequenced extends Error {
  readonly recordId: string;
  constructor(recordId: string) {
    super(`the record ${recordId} is not in the log yet`);
    this.name = "NotYetSequenced";
    this.recordId = recordId;
  }
}

/** There is no such record in this log, or its text is no longer kept. */
export class RecordNotFound extends Error {
  readonly recordId: string;
  constructor(recordId: string) {
    super(`there is no record ${recordId} in this log`);
    this.name = "RecordNotFound";
    this.recordId = recordId;
  }
}

/** Nothing has been logged in this environment yet, so there is no checkpoint. */
export class EmptyLog extends Error {
  constructor() {
    super("the log is empty");
    this.name = "EmptyLog";
  }
}

/** A consistency proof was asked for from a size that this log has not reached. */
export class SizeNotReached extends Error {
  readonly treeSize: number;
  constructor(from: number, treeSize: number) {
    super(`the log has ${treeSize} records, so no head of ${from} records`);
    this.name = "SizeNotReached";
    this.treeSize = treeSize;
  }
}

/** A record with all that is needed to verify it offline, besides the log's key. */
export interface RecordProof {
  /** C2SP tlog-proof, `text/plain`. */
  readonly proofText: string;
  /** The leaf: the record's canonical JSON with its `key_seq`. */
  readonly leafData: string;
  readonly leafIndex: number;
  readonly checkpoint: string;
  /** Whether the proof is under an origin that an adoption closed. */
  readonly closed: boolean;
}

export interface ReadProofOptions {
  /** How long to wait for the sequencer (milliseconds, 2,000 by default). */
  readonly waitMs?: number;
  /** The sequencer's hook, where one runs in this process; without it the wait looks every 25 ms. */
  readonly onSequenced?: OnSequenced;
}

const lookMs = 25;

/** The proof of one record. Throws RecordNotFound, or NotYetSequenced after waiting. */
export async function readProof(
  pool: Pool,
  scope: LogScope,
  recordId: string,
  options: ReadProofOptions = {},
): Promise<RecordProof> {
  const end = performance.now() + (options.waitMs ?? 2_000);
  for (;;) {
    const leaf = await readLeaf(pool, scope, recordId);
    if (leaf) {
      const { checkpoint, treeSize, leafIndex, leafData, epoch, closed } = leaf;
      const hashes = await inclusionProof(tileReader(pool, scope, epoch), leafIndex, treeSize);
      return {
        proofText: formatTlogProof({ index: leafIndex, hashes, checkpoint }),
        leafData,
        leafIndex,
        checkpoint,
        closed,
      };
    }
    const left = end - performance.now();
    if (left <= 0) throw new NotYetSequenced(recordId);
    await nextBatch(scope, Math.min(left, lookMs), options.onSequenced);
  }
}

interface Leaf {
  /** In the tree of its origin. */
  readonly leafIndex: number;
  readonly leafData: string;
  readonly treeSize: number;
  readonly checkpoint: string;
  readonly epoch: number;
  readonly closed: boolean;
}

async function readLeaf(pool: Pool, { organization, environment }: LogScope, recordId: string): Promise<Leaf | null> {
  const { rows } = await pool.query<{
    body: string;
    leaf_index: string | null;
    key_seq: string | null;
    first_leaf: string;
    tree_size: string;
    checkpoint: string;
    epoch: number;
    closed: boolean;
  }>({
    name: "audit_leaf_read",
    text: `select r.body, l.leaf_index, l.key_seq, g.first_leaf, g.tree_size, cosigned_checkpoint($1, $2, g.checkpoint) as checkpoint, g.epoch, g.closed
      from audit_records r
      left join audit_leaves l on l.organization = $1 and l.environment = $2 and l.record_id = $3
      left join lateral (
        select first_leaf, tree_size, checkpoint, epoch, false as closed from audit_logs where organization = $1 and environment = $2
          and l.leaf_index >= first_leaf
        union all
        select first_leaf, tree_size, checkpoint, epoch, true from audit_closed_logs where organization = $1 and environment = $2
          and l.leaf_index >= first_leaf and l.leaf_index < first_leaf + tree_size
        limit 1) g on true
      where r.organization = $1 and r.environment = $2 and r.id = $3`,
    values: [organization, environment, recordId],
  });
  const row = rows[0];
  if (!row) throw new RecordNotFound(recordId);
  if (row.leaf_index === null || row.first_leaf === null) return null;
  return {
    leafIndex: Number(row.leaf_index) - Number(row.first_leaf),
    leafData: leafDataOf(row.body, row.key_seq === null ? null : Number(row.key_seq)),
    treeSize: Number(row.tree_size),
    checkpoint: row.checkpoint,
    epoch: row.epoch,
    closed: row.closed,
  };
}

/** Waits for the next batch of a log, at most so long. */
async function nextBatch(scope: LogScope, ms: number, onSequenced: OnSequenced | undefined): Promise<void> {
  let end: (() => void) | undefined;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    end = onSequenced?.((sequenced) => {
      if (scopeKey(sequenced.scope) !== scopeKey(scope)) return;
      clearTimeout(timer);
      resolve();
    });
  });
  end?.();
}

/** A log's newest signed head, with the proof that it contains an older one if asked. */
export interface CheckpointAnswer {
  /** The signed note, verbatim. */
  readonly checkpoint: string;
  readonly origin: string;
  readonly closed: boolean;
  readonly treeSize: number;
  /** Base64 hashes from the head of `from` records to this one (RFC 6962, section 2.1.2). */
  readonly consistency?: { readonly from: number; readonly hashes: readonly string[] };
}

export interface ReadCheckpointOptions {
  /** Prove that the head of so many records is contained. */
  readonly from?: number;
  /** The newest head that a witness cosigned, where there is one. */
  readonly cosigned?: boolean;
}

/** The newest checkpoint of a log, with the cosignatures that it has. Throws EmptyLog, or SizeNotReached. */
export async function readCheckpoint(
  pool: Pool,
  scope: LogScope,
  { from, cosigned = false }: ReadCheckpointOptions = {},
): Promise<CheckpointAnswer> {
  const { rows } = await pool.query<{ origin: string; epoch: number; tree_size: string; checkpoint: string }>({
    name: cosigned ? "audit_cosigned_read" : "audit_head_read",
    text: cosigned ? newestCosigned : newestHead,
    values: [scope.organization, scope.environment],
  });
  const row = rows[0];
  if (!row) throw new EmptyLog();
  const { origin, checkpoint } = row;
  const treeSize = Number(row.tree_size);
  const head = { checkpoint, origin, closed: false, treeSize };
  if (from === undefined) return head;
  if (!Number.isSafeInteger(from) || from < 0 || from > treeSize) throw new SizeNotReached(from, treeSize);
  const hashes = await consistencyProof(tileReader(pool, scope, row.epoch), from, treeSize);
  return { ...head, consistency: { from, hashes: hashes.map(toBase64) } };
}

const newestHead = `select origin, epoch, tree_size, cosigned_checkpoint(organization, environment, checkpoint) as checkpoint
  from audit_logs where organization = $1 and environment = $2 and checkpoint <> ''`;
const newestCosigned = `select l.origin, l.epoch, coalesce(w.tree_size, l.tree_size) as tree_size,
    cosigned_checkpoint(l.organization, l.environment, coalesce(w.checkpoint, l.checkpoint)) as checkpoint
  from audit_logs l left join lateral (
    select tree_size, checkpoint from audit_witnesses w
    where w.organization = l.organization and w.environment = l.environment and w.origin = l.origin and w.tree_size <= l.tree_size
    order by tree_size desc limit 1) w on true
  where l.organization = $1 and l.environment = $2 and l.checkpoint <> ''`;

/** How far a log is behind, read from the database by any process: the age of its oldest record that is not in the log. */
export interface LogLag {
  readonly scope: LogScope;
  readonly treeSize: number;
  /** The oldest record's id; null when none waits. */
  readonly oldestWaiting: string | null;
  /** Records that wait, as far as they are counted. */
  readonly waiting: number;
}

/** Waiting records are counted up to so many. */
const mostWaiting = 100_000;

/** The lag of every log that has begun. */
export async function readLag(pool: Pool): Promise<LogLag[]> {
  const { rows } = await pool.query<{
    organization: string;
    environment: string;
    tree_size: string;
    oldest: string | null;
    waiting: number;
  }>({
    name: "audit_lag_read",
    text: `select l.organization, l.environment, l.tree_size,
        (select r.id from audit_records r
          where r.organization = l.organization and r.environment = l.environment and (r.xid, r.n) > (l.last_xid, l.last_n)
          order by r.xid, r.n limit 1) as oldest,
        (select count(*)::int from (select from audit_records r
          where r.organization = l.organization and r.environment = l.environment and (r.xid, r.n) > (l.last_xid, l.last_n)
          limit ${mostWaiting}) w) as waiting
      from audit_logs l order by l.organization, l.environment`,
  });
  return rows.map((r) => ({
    scope: { organization: r.organization, environment: r.environment },
    treeSize: Number(r.tree_size),
    oldestWaiting: r.oldest,
    waiting: r.waiting,
  }));
}
