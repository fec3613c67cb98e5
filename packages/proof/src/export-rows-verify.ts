import { fromBase64, sameBytes } from "./bytes.ts";
import { csvHead, csvRow, isOpenCsv, readCsvRow } from "./csv-row.ts";
import { type ExportFilter, recordFilter } from "./export-filter.ts";
import { linesOf } from "./export-format.ts";
import { type ExportRow, jsonlRow, readJsonlRow, recordOfLeaf } from "./export-row.ts";
import type { Finding, Findings } from "./findings.ts";
import { type ExportFileFormat, type ExportManifest, isByPlace, isWholeLog } from "./manifest.ts";
import { completeSubtrees, hashLength, leafHash, type TreeHead } from "./merkle.ts";
import { FormatError } from "./note.ts";
import { ocsfRow, readOcsfRow } from "./ocsf-row.ts";
import type { AuditRecord } from "./record.ts";
import { createRecordChecks, type RecordChecks } from "./record-checks.ts";
import { createRemovals, type Removals, type Removed, unexplainedFinding } from "./removal.ts";
import { createTreeFold, type TreeFold } from "./tree-fold.ts";

type Chunks = AsyncIterable<Uint8Array>;

/** A row as a line holds it, and the line as it must read by the leaf data in it. */
interface ReadRow {
  readonly row: ExportRow;
  readonly record: AuditRecord;
  readonly expected: string;
}

const readers: Readonly<Record<ExportFileFormat, (line: string, origin: string) => ReadRow | undefined>> = {
  jsonl: (line) => withRecord(readJsonlRow(line), (row) => jsonlRow(row)),
  csv: (line) => withRecord(readCsvRow(line), csvRow),
  ocsf(line, origin) {
    const read = readOcsfRow(line);
    return read && withRecord(read.row, (row, record) => ocsfRow(row, origin, read.activity, record));
  },
};

function withRecord(
  row: ExportRow | undefined,
  write: (row: ExportRow, record: AuditRecord) => string,
): ReadRow | undefined {
  if (!row) return undefined;
  const record = recordOfLeaf(row.leafData);
  return { row, record, expected: write(row, record) };
}

interface Walk {
  readonly manifest: ExportManifest;
  readonly findings: Findings;
  readonly checks: RecordChecks;
  readonly removals: Removals;
  readonly fits: (record: AuditRecord, leafIndex: number) => boolean;
  readonly fold: TreeFold;
  readonly kept: TreeHead | null;
  /** Whether each row so far has its place in the tree. */
  placed: boolean;
  keptCompared: boolean;
}

/**
 * Checks the rows of an export whose manifest is of version 2, and returns how many there are. Each row says what its leaf data says and fits the filter, and all rows together
 * with the hashes of what is between them lead to the signed root. Where only a place in the log narrows the export, each leaf without a row must be one whose text was
 * removed by a call that has a row itself. Throws FormatError for a file that is not UTF-8, or a filter that is not known.
 */
export async function checkRows(
  chunks: Chunks,
  manifest: ExportManifest,
  kept: TreeHead | null,
  findings: Findings,
): Promise<number> {
  const walk = startWalk(manifest, kept, findings);
  let line = 0;
  let rows = 0;
  for await (const texts of recordsOf(chunks, manifest.format)) {
    for (const text of texts) {
      line++;
      if (manifest.format !== "csv" || line > 1) {
        rows++;
        checkRow(walk, text, line);
      } else if (text !== csvHead) wrong(walk, "format", line, "the header of the table is not that of this format");
    }
  }
  if (manifest.format === "csv" && line === 0) wrong(walk, "format", 1, "the table has no header");
  finish(walk);
  return rows;
}

function startWalk(manifest: ExportManifest, kept: TreeHead | null, findings: Findings): Walk {
  const checks = createRecordChecks(manifest.origin, findings, { sequences: isWholeLog(manifest) });
  let fits: Walk["fits"];
  try {
    fits = recordFilter(manifest.filter as ExportFilter);
  } catch (error) {
    if (error instanceof RangeError) throw new FormatError(error.message);
    throw error;
  }
  const state = { placed: true, keptCompared: false };
  return { manifest, findings, checks, removals: createRemovals(), fits, fold: createTreeFold(), kept, ...state };
}

/** The records of a file with their line ends, some thousand at a time. */
async function* recordsOf(chunks: Chunks, format: ExportFileFormat): AsyncGenerator<string[]> {
  let open = "";
  for await (const lines of linesOf(chunks)) {
    if (format !== "csv") {
      yield lines.map((line) => `${line}\n`);
      continue;
    }
    const records: string[] = [];
    for (const line of lines) {
      const text = `${open}${line}\n`;
      open = isOpenCsv(text) ? text : "";
      if (open === "") records.push(text);
    }
    yield records;
  }
  if (open !== "") yield [open];
}

function wrong(
  walk: Walk,
  kind: Finding["kind"],
  line: number | null,
  message: string,
  at: Partial<Finding> = {},
): void {
  walk.findings.add({ kind, line, message, leafIndex: null, recordId: null, ...at });
}

function checkRow(walk: Walk, text: string, line: number): void {
  const { manifest } = walk;
  const read = readers[manifest.format](text, manifest.origin);
  if (!read) {
    walk.placed = false;
    wrong(walk, "format", line, `not a row of an export in ${manifest.format}`);
    return;
  }
  const { row, record, expected } = read;
  const { leafIndex, leafData } = row;
  const placed = place(walk, row, line); // before the record's own checks: what it skips can explain a gap among its key's numbers
  const at = { leafIndex, recordId: walk.checks.check(leafData, leafIndex, line) };
  if (text !== expected)
    wrong(walk, "changed", line, `what stands in the row of leaf ${leafIndex} is not what its leaf data says`, at);
  if (!walk.fits(record, leafIndex))
    wrong(walk, "inserted", line, `leaf ${leafIndex} does not fit the filter that was asked for`, at);
  walk.removals.look(record, leafIndex);
  if (placed) append(walk, leafHash(leafData));
}

/** Whether a row has the next place in the tree, behind what it skips. */
function place(walk: Walk, { leafIndex, skipped }: ExportRow, line: number): boolean {
  const { manifest, fold } = walk;
  if (!walk.placed) return false;
  if (leafIndex < manifest.tree_size && leafIndex >= fold.end) return skip(walk, leafIndex, skipped, line);
  walk.placed = false;
  if (leafIndex >= manifest.tree_size) {
    const message = `leaf ${leafIndex} is beyond the ${manifest.tree_size} records of the log that the manifest names`;
    wrong(walk, "inserted", line, message, { leafIndex });
  } else wrong(walk, "reordered", line, `leaf ${leafIndex} comes after leaf ${fold.end - 1}`, { leafIndex });
  return false;
}

function append(walk: Walk, hash: Uint8Array, height = 0): void {
  const { kept, fold } = walk;
  fold.append(hash, height);
  if (!kept || kept.size !== fold.end) return;
  walk.keptCompared = true;
  if (sameBytes(kept.root, fold.root())) return;
  wrong(
    walk,
    "root",
    null,
    `the first ${kept.size} records are not those that the kept checkpoint covers: history was rewritten`,
  );
}

/** Passes over leaves that have no row. False, with a finding, where their hashes are not those of what is missing. */
function skip(walk: Walk, end: number, skipped: string, line: number | null): boolean {
  const start = walk.fold.end;
  const hashes = fromBase64(skipped);
  const subtrees = end > start ? completeSubtrees({ start, end }) : [];
  if (hashes?.length !== subtrees.length * hashLength) {
    const missing = end === start ? `before leaf ${end}` : `for the leaves ${start} to ${end - 1}, which have no row`;
    wrong(walk, "deleted", line, `the hashes ${missing} do not fit`, { leafIndex: start });
    walk.placed = false;
    return false;
  }
  for (const [i, { height }] of subtrees.entries())
    append(walk, hashes.slice(i * hashLength, (i + 1) * hashLength), height);
  const from = Math.max(start, fromLeaf(walk.manifest));
  if (end > from) {
    walk.checks.skip(end - from);
    walk.removals.missing({ start: from, end });
  }
  return true;
}

const fromLeaf = ({ filter }: ExportManifest): number => (filter as ExportFilter).from_leaf ?? 0;

/** The checks that need all rows. */
function finish(walk: Walk): void {
  const { manifest, fold, kept } = walk;
  const { tree_size: size, root, skipped = "" } = manifest;
  const led =
    walk.placed &&
    fold.end <= size &&
    skip(walk, size, skipped, null) &&
    sameBytes(fold.root(), fromBase64(root) as Uint8Array);
  if (!led) wrong(walk, "root", null, "the rows do not lead to the signed root: the file is not what the log holds");
  if (kept && led && !walk.keptCompared && kept.size > 0) {
    const message = `the kept checkpoint of ${kept.size} records cannot be compared: the text of the records around that place was removed`;
    wrong(walk, "root", null, message);
  }
  if (led && isByPlace(manifest)) checkMissing(walk);
}

/** Every leaf without a row needs a reason, and the manifest has to name the same ones. */
function checkMissing({ manifest, removals, findings }: Walk): void {
  const { removed, unexplained } = removals.explain();
  for (const gap of unexplained) findings.add(unexplainedFinding(gap));
  const named = (list: readonly Removed[]): string =>
    JSON.stringify(list.map(({ reason, request, leaves }) => [reason, request, leaves]));
  if (unexplained.length > 0 || named(removed) === named(manifest.without_record ?? [])) return;
  const message = "the manifest counts other records as removed than the removals in the file explain";
  findings.add({ kind: "format", leafIndex: null, line: null, recordId: null, message });
}
