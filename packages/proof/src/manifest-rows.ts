// The rows of exports whose manifest is of version 1, which is no longer written.

import { fromBase64, sameBytes } from "./bytes.ts";
import { linesOf, parseExportLine } from "./export-format.ts";
import type { Findings } from "./findings.ts";
import { compareKept } from "./kept-checkpoint.ts";
import type { ExportManifest } from "./manifest.ts";
import { leafHash, type TreeHead } from "./merkle.ts";
import { FormatError } from "./note.ts";
import { createRecordChecks } from "./record-checks.ts";
import { createTree } from "./tiles.ts";

type Chunks = AsyncIterable<Uint8Array>;

const lineFeed = 0x0a;
const quote = 0x22;

/** How many lines a file has that ends each with a line feed (JSON lines). A last line without one counts. */
export async function countLines(chunks: Chunks): Promise<number> {
  let lines = 0;
  let open = false;
  for await (const chunk of chunks) {
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, at + 1)) lines++;
    if (chunk.length > 0) open = chunk[chunk.length - 1] !== lineFeed;
  }
  return lines + (open ? 1 : 0);
}

/** How many records a CSV file (RFC 4180) has below its header: a line end inside quotation marks ends none. */
export async function countCsvRecords(chunks: Chunks): Promise<number> {
  let records = 0;
  let quoted = false;
  let open = false;
  for await (const chunk of chunks) {
    for (const byte of chunk) {
      if (byte === quote) quoted = !quoted;
      open = byte !== lineFeed || quoted;
      if (!open) records++;
    }
  }
  return Math.max(0, records + (open ? 1 : 0) - 1);
}

/** Whether an export says of itself that it holds every record of the log up to its place in it. */
export function isWhole({ filter, rows, tree_size }: ExportManifest): boolean {
  return Object.keys(filter).length === 0 && rows === tree_size;
}

/**
 * Checks the lines `{"leaf_index":…,"record":…}` of a JSONL export and answers how many there are: each record is canonical JSON and of the manifest's log,
 * places in the log rise and stay below the signed size. Where nothing narrowed the export and it has a row for each place, the records must lead to the
 * signed root and, on the way, to that of a checkpoint which was kept, and the numbers of each key must run without gaps. Throws FormatError for a file that is not UTF-8.
 */
export async function checkRecords(
  chunks: Chunks,
  manifest: ExportManifest,
  kept: TreeHead | null,
  findings: Findings,
): Promise<number> {
  const whole = isWhole(manifest);
  const checks = createRecordChecks(manifest.origin, findings, { sequences: whole });
  const tree = createTree();
  let rows = 0;
  let last = -1;
  for await (const lines of linesOf(chunks)) {
    for (const text of lines) {
      const leaf = readLeaf(text, ++rows, findings);
      if (!leaf) continue;
      const { index, record } = leaf;
      const recordId = checks.check(record, index, rows);
      const at = { leafIndex: index, line: rows, recordId };
      if (index <= last) findings.add({ kind: "reordered", ...at, message: `leaf ${index} comes after leaf ${last}` });
      if (index >= manifest.tree_size) {
        findings.add({
          kind: "inserted",
          ...at,
          message: `leaf ${index} is beyond the ${manifest.tree_size} records of the log that the manifest names`,
        });
      }
      last = Math.max(last, index);
      if (!whole) continue;
      tree.append(leafHash(record));
      compareKept(kept, tree, findings);
    }
  }
  if (whole && !(tree.size === manifest.tree_size && sameBytes(tree.root(), fromBase64(manifest.root) as Uint8Array))) {
    const message = "the records do not lead to the signed root: the file is not what the log holds";
    findings.add({ kind: "root", leafIndex: null, line: null, recordId: null, message });
  }
  return rows;
}

function readLeaf(text: string, line: number, findings: Findings): { index: number; record: string } | null {
  try {
    const read = parseExportLine(text);
    if (read.kind === "leaf") return read;
    throw new FormatError('a line reads {"leaf_index":…,"record":…}');
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    findings.add({ kind: "format", leafIndex: null, line, recordId: null, message: error.message });
    return null;
  }
}
