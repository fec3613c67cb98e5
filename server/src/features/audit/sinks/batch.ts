import {
  type AuditRecord,
  completeSubtrees,
  createRemovals,
  createTreeFold,
  type ExportRow,
  readCheckpointUnverified,
  recordFilter,
  recordOfLeaf,
  type TreeFold,
  toBase64,
} from "@aos/proof";
import type { Statements } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { writerOf } from "../exports/format.ts";
import { readChecked } from "../exports/jobs/export-job.ts";
import { laterRemovals } from "../exports/range.ts";
import type { CheckedLeaf } from "../exports/tree.ts";
import { storedRecord } from "../log/stored-record.ts";
import { membersOf } from "../log/view.ts";
import { type AuditPort, type ExportPort, LogAltered } from "../ports.ts";
import type { StoredSink } from "./view.ts";

/** A record as receivers get it. */
export interface SentRecord {
  readonly index: number;
  readonly record: AuditRecord;
  /** JSON, on one line and without its end. */
  readonly line: string;
}

/**
 * What a batch covers, for whoever checks that nothing is missing: the ranges of a sink adjoin, and `root` is the head of the log with its records up to `last_leaf`. From it
 * `consistency` (RFC 6962, section 2.1.2) leads to the signed `checkpoint`.
 */
export interface BatchHead {
  readonly sink_id: string;
  readonly environment: string;
  /** The log, by its origin. */
  readonly log: string;
  readonly first_leaf: number;
  readonly last_leaf: number;
  /** Records of the range that fit the filter. */
  readonly records: number;
  readonly root: string;
  readonly checkpoint: string;
  readonly consistency: readonly string[];
}

export interface SinkBatch {
  /** The same for the same range of the same sink, whenever it is sent. */
  readonly key: string;
  readonly head: BatchHead;
  readonly records: readonly SentRecord[];
}

/** What sending takes besides the batch. */
export interface Sending {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The number of the log among those of the environment. */
  readonly epoch: number;
  readonly signal: AbortSignal;
}

/** How much one batch holds at most; a single record may be larger. */
export interface BatchLimits {
  readonly records: number;
  readonly characters: number;
}

/** What comes next of the log: `to` is the place behind it. `batch` is null where nothing of it fits the filter. */
export interface NextRange {
  readonly to: number;
  /** Whether the log has more. */
  readonly more: boolean;
  readonly batch: SinkBatch | null;
}

export interface BatchParts {
  readonly db: Statements;
  readonly audit: AuditPort;
  readonly exports: ExportPort;
}

const leavesOfPage = 512;
/** Places that one look reads at most, whatever the filter finds in them. */
const mostLooked = 8_192;

/**
 * Reads what a sink has to send next. Each record is held to its hash in the log, and the hashes to the signed head; a record without its text, whether it fits the filter or not, needs
 * a record of its removal. A range that was sent before is read as it was. Null: the log has nothing new. Throws LogAltered.
 */
export async function nextRange(
  parts: BatchParts,
  scope: Scope,
  sink: StoredSink,
  limits: BatchLimits,
): Promise<NextRange | null> {
  const { audit, exports } = parts;
  const size = readCheckpointUnverified((await signedHead(audit, scope)).checkpoint).size;
  if (size <= sink.next_leaf) return null;
  const taking = createTaking(sink, limits);
  const tree = treeAfter(sink.next_leaf, await exports.subtrees(scope, sink.next_leaf));
  const end = sink.sending_to ?? Math.min(size, sink.next_leaf + mostLooked);
  const missing: number[] = [];
  for (let start = sink.next_leaf; start < end && !taking.isFull; start += leavesOfPage) {
    for (const leaf of await readChecked(parts.db, exports, scope, start, Math.min(end, start + leavesOfPage))) {
      if (!taking.take(leaf)) break;
      tree.append(leaf.hash);
      if (leaf.content === null) missing.push(leaf.index);
    }
  }
  const to = tree.end;
  const { root, origin } = await exports.head(scope, to);
  if (toBase64(tree.root()) !== root)
    throw new LogAltered(
      `The hashes of the log do not lead to its signed head of ${to} records: its tiles were changed.`,
    );
  if (missing.length > 0) await explain(parts, scope, missing);
  const records = taking.records(origin);
  const more = to < size;
  if (records.length === 0 && sink.sending_to === null) return { to, more, batch: null };
  const { checkpoint, consistency } = await signedHead(audit, scope, to);
  const head = {
    sink_id: sink.id,
    environment: scope.environment,
    log: origin,
    first_leaf: sink.range_from,
    last_leaf: to - 1,
    records: records.length,
    root,
    checkpoint,
    consistency,
  };
  return { to, more, batch: { key: `${sink.id}-${sink.epoch}-${sink.range_from}-${to - 1}`, head, records } };
}

/** Throws LogAltered unless the log itself says by which calls the texts at these places were removed. */
async function explain({ db, exports }: BatchParts, scope: Scope, missing: readonly number[]): Promise<void> {
  const removals = createRemovals();
  for (const index of missing) removals.missing({ start: index, end: index + 1 });
  const removing = await laterRemovals(db, exports, scope, (missing[0] as number) + 1);
  for (const { record, index } of removing) removals.look(record, index);
  const [first] = removals.explain().unexplained;
  if (first)
    throw new LogAltered(
      `The record at place ${first.start} of the log has no text, and no record of a removal explains it.`,
    );
}

/** Throws LogAltered where the log is not signed at present. */
async function signedHead(audit: AuditPort, scope: Scope, from?: number) {
  const found = await audit.checkpoint(scope, from === undefined ? {} : { from });
  if (found.state === "signed") return { checkpoint: found.checkpoint, consistency: found.consistency ?? [] };
  if (found.state === "stopped") throw new LogAltered(`The log is not signed at present: ${found.detail}`);
  throw new LogAltered(`The log has ${found.size} records, and had ${from} when they were read.`);
}

function treeAfter(from: number, before: readonly Uint8Array[]): TreeFold {
  const tree = createTreeFold();
  for (const [i, { height }] of completeSubtrees({ start: 0, end: from }).entries())
    tree.append(before[i] as Uint8Array, height);
  return tree;
}

/** Chooses records by the sink's filter until the batch is full; a range that was sent before is taken whole. */
function createTaking({ filter, format, sending_to }: StoredSink, limits: BatchLimits) {
  const fits = recordFilter(filter);
  const takesAll = Object.keys(filter).length === 0;
  const chosen: CheckedLeaf[] = [];
  let characters = 0;
  let isFull = false;
  return {
    get isFull() {
      return isFull;
    },
    /** Whether it was taken; false: the batch is full without it. */
    take(leaf: CheckedLeaf): boolean {
      const isChosen = leaf.content === null ? takesAll : fits(leaf.content.record, leaf.index);
      if (!isChosen) return true;
      const length = leaf.content?.leafData.length ?? 0;
      isFull =
        sending_to === null &&
        chosen.length > 0 &&
        (chosen.length >= limits.records || characters + length > limits.characters);
      if (isFull) return false;
      chosen.push(leaf);
      characters += length;
      return true;
    },
    records: (origin: string): SentRecord[] => chosen.map((leaf) => sentRecord(leaf, format, origin)),
  };
}

function sentRecord({ index, hash, content }: CheckedLeaf, format: StoredSink["format"], origin: string): SentRecord {
  if (content === null) {
    // Its text is no longer kept; the hash lets the receiver compute the root all the same.
    const line = JSON.stringify({ leaf_index: index, leaf_hash: toBase64(hash), leaf_data: null });
    return { index, record: recordOfLeaf(""), line };
  }
  const { leafData, record } = content;
  const row: ExportRow = { leafIndex: index, leafData, skipped: "" };
  const line = format === "ocsf" ? writerOf("ocsf", origin).row(row, record).trimEnd() : jsonLine(row);
  return { index, record, line };
}

const jsonLine = ({ leafIndex, leafData }: ExportRow): string =>
  JSON.stringify({ leaf_index: leafIndex, ...membersOf(storedRecord({ body: leafData })), leaf_data: leafData });
