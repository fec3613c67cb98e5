import { sameBytes } from "./bytes.ts";
import { type Checkpoint, openCheckpoint } from "./checkpoint.ts";
import { type ExportHeader, type ExportLine, linesOf, parseExportHeader, parseExportLine } from "./export-format.ts";
import { recordOfLeaf } from "./export-row.ts";
import { createFindings, type Finding, type Findings } from "./findings.ts";
import { compareKept, openKept } from "./kept-checkpoint.ts";
import { leafHash, type TreeHead } from "./merkle.ts";
import { FormatError, parseVerifierKey, type VerifierKey } from "./note.ts";
import { createRecordChecks, type RecordChecks } from "./record-checks.ts";
import { createRemovals, mayRemove, type Removals, type Removed, unexplainedFinding } from "./removal.ts";
import { checkGroup, type GroupLeaf } from "./tile-group.ts";
import { createTree, type TreeBuilder, tileWidth, widthOfTile } from "./tiles.ts";

/** How to verify an export. */
export interface VerifyExportOptions {
  /** The log's key, known from elsewhere. Without it the key in the file itself is used: that shows the file fits itself, not who wrote it. */
  readonly publicKey?: VerifierKey | string;
  /** A signed checkpoint that was kept earlier: the export must contain what it covers, or the newest records were cut off. */
  readonly keptCheckpoint?: string;
  /** Called every thousand leaves and at the end. `total` is the signed number of leaves. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** What came of verifying an export. */
export interface ExportReport {
  readonly verified: boolean;
  readonly origin: string | null;
  readonly publicKey: string | null;
  /** Whether the key was given by the caller, or taken from the file itself. */
  readonly keyFrom: "caller" | "file";
  /** Leaves by the signed checkpoint; null if its signature does not hold. */
  readonly signedSize: number | null;
  /** Leaves in the file, of which `withoutRecord` carry only a hash. */
  readonly leaves: number;
  readonly withoutRecord: number;
  /** Why those have no record, as removals in the log itself say. What none explains is a finding. */
  readonly removed: readonly Removed[];
  /** True where the file's hash list leads to the signed root, so that findings name the exact leaf. */
  readonly pinpointed: boolean;
  /** The first 1,000 findings, and how many there are in all. */
  readonly findings: readonly Finding[];
  readonly findingsTotal: number;
}

interface Walk {
  readonly findings: Findings;
  readonly records: RecordChecks;
  readonly removals: Removals;
  /** Built from the records as they stand in the file. */
  readonly tree: TreeBuilder;
  /** Built from the hash list. */
  readonly listed: TreeBuilder;
  readonly kept: TreeHead | null;
  group: { index: number; hashes: Uint8Array; leaves: GroupLeaf[] } | null;
  tiles: number;
  /** By how much the leaves' own indices are off, as far as reported or explained. */
  readonly numbering: { shift: number };
  /** The index that the leaf before gave itself, −1 at the start. */
  lastIndex: number;
  withoutRecord: number;
}

/**
 * Verifies a whole export (format `aos-audit-log v1`) offline, as a stream: the signature of its checkpoint, the root over all leaves,
 * each record's canonical form, the order of leaves, and that every key's `key_seq` runs without gaps. Memory is bounded by the
 * number of keys, not of records. Anything that is wrong with the file is a finding; only failing to read it throws.
 */
export async function verifyExport(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: VerifyExportOptions = {},
): Promise<ExportReport> {
  const findings = createFindings();
  const keyFrom = options.publicKey === undefined ? "file" : "caller";
  let opened: Opened = { header: null, checkpoint: null, kept: null };
  let walk: Walk | null = null;
  let lineNumber = 0;
  try {
    for await (const lines of linesOf(chunks)) {
      for (const line of lines) {
        lineNumber++;
        if (walk) walkLine(walk, line, lineNumber, opened.checkpoint?.size ?? 0, options.onProgress);
        else {
          opened = await openHeader(line, options, findings);
          walk = startWalk(opened, findings);
        }
      }
    }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    findings.add({
      kind: "format",
      leafIndex: null,
      line: Math.max(1, lineNumber),
      recordId: null,
      message: error.message,
    });
  }
  if (!walk && findings.total === 0)
    findings.add({ kind: "format", leafIndex: null, line: 1, recordId: null, message: "the file is empty" });
  const pinpointed = walk !== null && finish(walk, opened.checkpoint);
  const removed = walk ? explainMissing(walk) : [];
  const leaves = walk?.tree.size ?? 0;
  options.onProgress?.(leaves, opened.checkpoint?.size ?? leaves);
  return {
    verified: findings.total === 0,
    origin: opened.header?.origin ?? null,
    publicKey: opened.header?.public_key ?? null,
    keyFrom,
    signedSize: opened.checkpoint?.size ?? null,
    leaves,
    withoutRecord: walk?.withoutRecord ?? 0,
    removed,
    pinpointed,
    findings: findings.list,
    findingsTotal: findings.total,
  };
}

interface Opened {
  readonly header: ExportHeader | null;
  readonly checkpoint: Checkpoint | null;
  readonly kept: TreeHead | null;
}

async function openHeader(
  line: string,
  { publicKey, keptCheckpoint }: VerifyExportOptions,
  findings: Findings,
): Promise<Opened> {
  const header = parseExportHeader(line);
  const trusted = publicKey ?? header.public_key;
  const at = { leafIndex: null, line: 1, recordId: null };
  let checkpoint: Checkpoint | null = null;
  let kept: TreeHead | null = null;
  try {
    const key = typeof trusted === "string" ? parseVerifierKey(trusted) : trusted;
    checkpoint = await openCheckpoint(header.checkpoint, key);
    if (checkpoint.origin !== header.origin)
      throw new FormatError(`the file says it is of ${header.origin}, its checkpoint of ${checkpoint.origin}`);
    if (keptCheckpoint !== undefined) kept = await openKept(keptCheckpoint, key, checkpoint.size, findings);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    findings.add({ kind: "signature", ...at, message: error.message });
  }
  return { header, checkpoint, kept };
}

function startWalk({ header, kept }: Opened, findings: Findings): Walk {
  const records = createRecordChecks(header?.origin ?? "", findings);
  const trees = { tree: createTree(), listed: createTree() };
  return {
    findings,
    records,
    removals: createRemovals(),
    kept,
    ...trees,
    group: null,
    tiles: 0,
    numbering: { shift: 0 },
    lastIndex: -1,
    withoutRecord: 0,
  };
}

function walkLine(
  walk: Walk,
  text: string,
  lineNumber: number,
  total: number,
  onProgress: VerifyExportOptions["onProgress"],
): void {
  let line: ExportLine;
  try {
    line = parseExportLine(text);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    walk.findings.add({ kind: "format", leafIndex: null, line: lineNumber, recordId: null, message: error.message });
    return;
  }
  if (line.kind === "tile") {
    closeGroup(walk);
    openGroup(walk, line.index, line.hashes, lineNumber);
    return;
  }
  walkLeaf(walk, line, lineNumber);
  if (walk.tree.size % 1000 === 0) onProgress?.(walk.tree.size, total);
}

function walkLeaf(walk: Walk, line: Exclude<ExportLine, { kind: "tile" }>, lineNumber: number): void {
  const hash = line.kind === "leaf" ? leafHash(line.record) : line.hash;
  let recordId: string | null = null;
  const place = walk.tree.size;
  if (line.kind === "leaf") {
    recordId = walk.records.check(line.record, line.index, lineNumber);
    if (mayRemove(line.record)) walk.removals.look(recordOfLeaf(line.record), place);
  } else {
    walk.withoutRecord++;
    walk.removals.missing({ start: place, end: place + 1 });
    walk.records.skip();
  }
  if (walk.group) walk.group.leaves.push({ declared: line.index, hash, line: lineNumber, recordId });
  else misplaced(walk, line.index, lineNumber, recordId);
  walk.lastIndex = line.index;
  walk.tree.append(hash);
  compareKept(walk.kept, walk.tree, walk.findings);
}

/** Without a hash list, the declared index is all there is to tell by; one finding per break, not one per line after it. */
function misplaced(walk: Walk, declared: number, line: number, recordId: string | null): void {
  const last = walk.lastIndex;
  if (declared === last + 1) return;
  const kind = declared > last + 1 ? "deleted" : declared === last ? "inserted" : "reordered";
  const message =
    kind === "deleted"
      ? `leaves ${last + 1} to ${declared - 1} are missing`
      : `leaf ${declared} comes after leaf ${last}${kind === "inserted" ? ": one of the two was inserted" : ""}`;
  walk.findings.add({ kind, leafIndex: kind === "deleted" ? last + 1 : declared, line, recordId, message });
}

function openGroup(walk: Walk, index: number, hashes: Uint8Array, line: number): void {
  if (index !== walk.tiles || walk.listed.size % tileWidth !== 0) {
    const message = `tile ${index} stands where tile ${walk.tiles} belongs: the hash list was changed`;
    walk.findings.add({ kind: "hash_list", leafIndex: null, line, recordId: null, message });
  }
  walk.tiles = index + 1;
  for (let at = 0; at < hashes.length; at += 32) walk.listed.append(hashes.slice(at, at + 32));
  walk.group = { index, hashes, leaves: [] };
}

function closeGroup(walk: Walk): void {
  if (walk.group)
    checkGroup(walk.group.index * tileWidth, walk.group.hashes, walk.group.leaves, walk.findings, walk.numbering);
  walk.group = null;
}

/** What removed the text of leaves, with a finding for those that nothing explains. */
function explainMissing({ removals, findings }: Walk): readonly Removed[] {
  const { removed, unexplained } = removals.explain();
  for (const gap of unexplained) findings.add(unexplainedFinding(gap));
  return removed;
}

/** The checks that need all leaves. Answers whether the hash list is the signed one. */
function finish(walk: Walk, checkpoint: Checkpoint | null): boolean {
  closeGroup(walk);
  const { tree, listed, findings } = walk;
  if (!checkpoint) return false;
  const hasList = listed.size > 0 || (walk.tiles === 0 && checkpoint.size === 0);
  const listHolds = hasList && listed.size === checkpoint.size && sameBytes(listed.root(), checkpoint.root);
  const at = { leafIndex: null, line: null, recordId: null };
  if (listed.size > 0 && !listHolds) {
    findings.add({
      kind: "hash_list",
      ...at,
      message: "the hash list in the file is not the signed one; it cannot tell which leaf was changed",
    });
  }
  if (tree.size !== checkpoint.size) {
    findings.add({
      kind: "root",
      ...at,
      message: `the checkpoint covers ${checkpoint.size} records, the file holds ${tree.size}`,
    });
  } else if (!sameBytes(tree.root(), checkpoint.root)) {
    const where = listHolds ? "" : "; without the signed hash list it cannot be said which";
    findings.add({
      kind: "root",
      ...at,
      message: `the records do not lead to the signed root: at least one was changed, moved or exchanged${where}`,
    });
  }
  return listHolds && widthOfTile({ level: 0, index: walk.tiles }, checkpoint.size) === 0;
}
