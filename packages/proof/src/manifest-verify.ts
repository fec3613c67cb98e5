import { sha256Stream } from "#sha256";
import { checkRows } from "./export-rows-verify.ts";
import { createFindings, type Finding, type Findings } from "./findings.ts";
import { openKept } from "./kept-checkpoint.ts";
import { type ExportManifest, isByPlace, isWholeLog, manifestVersion, openManifest } from "./manifest.ts";
import { checkRecords, countCsvRecords, countLines, isWhole } from "./manifest-rows.ts";
import type { TreeHead } from "./merkle.ts";
import { FormatError, parseVerifierKey, type VerifierKey } from "./note.ts";

/** What came of verifying an export by its manifest. */
export interface ManifestReport {
  readonly verified: boolean;
  /** What is signed; null where the signature does not hold, and then nothing of the file was looked at. */
  readonly manifest: ExportManifest | null;
  /** Records, bytes and SHA-256 of the file as it is; null where it could not be read to its end. */
  readonly rows: number | null;
  readonly bytes: number | null;
  readonly sha256: string | null;
  /**
   * How deep the records were looked at. `root`: they are all records of the log up to its signed head, but for those whose removal the log itself explains. `included`: each of them is in that log,
   * at its place, and fits the filter. `checked`: each has the form of a record of this log (version 1). `unchecked`: the file as a whole (version 1).
   */
  readonly records: "unchecked" | "checked" | "included" | "root";
  /** What the format leaves unproved, a sentence each. */
  readonly unproved: readonly string[];
  /** The first 1,000 findings, and how many there are in all. */
  readonly findings: readonly Finding[];
  readonly findingsTotal: number;
}

/** What more an export is to be held to than its manifest. */
export interface VerifyManifestOptions {
  /** A signed checkpoint that was kept earlier: the export, which must be one without a filter, must contain what it covers. */
  readonly keptCheckpoint?: string | undefined;
}

/**
 * Verifies an export's file (formats of `ExportManifest`) offline, as a stream: the manifest's signature by the log's key, the file's SHA-256, its bytes and
 * rows, and each record. Memory does not grow with the file, but for one number of each key where the export holds the whole log. Anything that is wrong is a
 * finding; only failing to read the file throws. `key` must be known from elsewhere: a manifest carries none. Throws FormatError for a key that is none.
 */
export async function verifyManifest(
  note: string,
  key: VerifierKey | string,
  file: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { keptCheckpoint }: VerifyManifestOptions = {},
): Promise<ManifestReport> {
  const findings = createFindings();
  const nowhere = { leafIndex: null, line: null, recordId: null };
  let manifest: ExportManifest | null = null;
  const measured = measure(file);
  let rows: number | null = null;
  const trusted = typeof key === "string" ? parseVerifierKey(key) : key;
  try {
    manifest = await openManifest(note, trusted);
    const kept = keptCheckpoint === undefined ? null : await keptFor(keptCheckpoint, trusted, manifest, findings);
    rows = await rowsOf(measured.chunks, manifest, kept, findings);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    findings.add({ kind: manifest ? "format" : "signature", ...nowhere, message: error.message });
  }
  const found = rows === null ? null : { rows, ...measured.end() };
  if (manifest && found) {
    for (const difference of differences(manifest, found)) findings.add({ ...difference, ...nowhere });
  }
  return {
    verified: findings.total === 0,
    manifest,
    rows: found?.rows ?? null,
    bytes: found?.bytes ?? null,
    sha256: found?.sha256 ?? null,
    records: manifest && found ? depthOf(manifest) : "unchecked",
    unproved: manifest ? unprovedBy(manifest) : [],
    findings: findings.list,
    findingsTotal: findings.total,
  };
}

function depthOf(manifest: ExportManifest): ManifestReport["records"] {
  if (manifestVersion(manifest) === 2) return isByPlace(manifest) ? "root" : "included";
  if (manifest.format !== "jsonl") return "unchecked";
  return isWhole(manifest) ? "root" : "checked";
}

function unprovedBy(manifest: ExportManifest): string[] {
  const { filter, format } = manifest;
  const older = manifestVersion(manifest) === 1;
  const chosen =
    "That no record which fits the filter is missing: the service states it, having read every record of the log for it.";
  const agents =
    "Which records concern the agents that the key was narrowed to: that does not follow from the records.";
  const statements: [boolean, string][] = [
    [
      older && format !== "jsonl",
      "That the rows are records of the log: an older version of this format does not carry their text.",
    ],
    [
      older && format === "jsonl" && !isWholeLog(manifest),
      "That the records are in the log: an older version of this format does not carry what is between them.",
    ],
    [
      older && !isWholeLog(manifest),
      "That the filter was applied to the records as they were logged, and left out none that fits: an older service relied on an index for it.",
    ],
    [!older && !isByPlace(manifest), chosen],
    [!older && filter.agents !== undefined, agents],
    [!older && format === "ocsf", "The activity of each event: the service sorts its operations into those of OCSF."],
  ];
  return statements.filter(([applies]) => applies).map(([, statement]) => statement);
}

/** The kept checkpoint, where the export has what it can be compared with, and is no shorter. */
async function keptFor(
  note: string,
  key: VerifierKey,
  manifest: ExportManifest,
  findings: Findings,
): Promise<TreeHead | null> {
  const whole =
    manifestVersion(manifest) === 2 ? isWholeLog(manifest) : manifest.format === "jsonl" && isWhole(manifest);
  if (whole) return openKept(note, key, manifest.tree_size, findings);
  const message =
    "a kept checkpoint can be compared with an export of the whole log only: one without a filter, of an older version in JSONL";
  findings.add({ kind: "format", leafIndex: null, line: null, recordId: null, message });
  return null;
}

function rowsOf(
  chunks: AsyncIterable<Uint8Array>,
  manifest: ExportManifest,
  kept: TreeHead | null,
  findings: Findings,
): Promise<number> {
  if (manifestVersion(manifest) === 2) return checkRows(chunks, manifest, kept, findings);
  if (isWholeLog(manifest) && !isWhole(manifest)) {
    const message = `the export has no filter and ${manifest.rows} rows, the log had ${manifest.tree_size} records: nothing explains the difference`;
    findings.add({ kind: "root", leafIndex: null, line: null, recordId: null, message });
  }
  if (manifest.format === "csv") return countCsvRecords(chunks);
  return manifest.format === "ocsf" ? countLines(chunks) : checkRecords(chunks, manifest, kept, findings);
}

/** Lets bytes through and measures them. */
function measure(file: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
  const hash = sha256Stream();
  let bytes = 0;
  async function* pass(): AsyncGenerator<Uint8Array> {
    for await (const chunk of file) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  }
  return { chunks: pass(), end: () => ({ bytes, sha256: hash.hex() }) };
}

/** In what the file is not the one that was signed. */
function differences(
  signed: ExportManifest,
  found: { rows: number; bytes: number; sha256: string },
): Pick<Finding, "kind" | "message">[] {
  if (found.sha256 === signed.sha256 && found.bytes === signed.bytes && found.rows === signed.rows) return [];
  if (found.sha256 === signed.sha256) {
    return [
      {
        kind: "format",
        message: `the manifest does not fit its own file: it counts ${signed.rows} rows and ${signed.bytes} bytes, the file has ${found.rows} and ${found.bytes}`,
      },
    ];
  }
  const size = found.bytes === signed.bytes ? "" : `; it has ${found.bytes} bytes, the manifest signs ${signed.bytes}`;
  const changed = {
    kind: "changed",
    message: `the file is not the one that was signed: its SHA-256 is ${found.sha256}, the manifest signs ${signed.sha256}${size}`,
  } as const;
  if (found.rows === signed.rows) return [changed];
  const kind = found.rows < signed.rows ? "deleted" : "inserted";
  return [changed, { kind, message: `the file has ${found.rows} rows, the manifest signs ${signed.rows}` }];
}
