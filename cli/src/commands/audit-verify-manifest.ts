import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import {
  type CosignerKey,
  type ExportManifest,
  formatVerifierKey,
  type ManifestReport,
  readCheckpointUnverified,
  readManifestUnverified,
  type VerifierKey,
  verifyManifest,
} from "@aos/proof";
import { membersOf } from "../json.ts";
import { counted } from "../output/text.ts";
import { CommandError, type Painter, painter, type Terminal } from "../terminal.ts";
import { chunkBytes, describeFindings, findingsAsJson, keyFor } from "./audit-verify-parts.ts";
import { allCosigned, describeWitnesses, verifyWitnesses, withWitnesses } from "./audit-verify-witness.ts";

export interface ManifestOptions {
  readonly file: string;
  readonly manifest: string;
  readonly keys: readonly VerifierKey[];
  /** The text of a checkpoint that was kept earlier. */
  readonly checkpoint: string | undefined;
  /** Who must have cosigned that checkpoint. */
  readonly witnesses: readonly CosignerKey[];
  readonly json: boolean;
}

/** Verifies the file of an export by its manifest. Returns the exit status: 0 verified, 1 not verified. Throws CommandError without a key. */
export async function runManifest(options: ManifestOptions, io: Terminal): Promise<number> {
  const { file, manifest, keys, checkpoint, witnesses, json } = options;
  const note = noteIn(await readFile(manifest, "utf8"));
  const origin = claimedOrigin(note);
  const key = keyFor(keys, origin);
  if (!key) {
    const claim = origin === undefined ? "" : ` It claims to be from the log ${origin}.`;
    throw new CommandError(`A manifest does not contain the log's key: pass it with --key.${claim}`);
  }
  const began = performance.now();
  const report = await verifyManifest(note, key, createReadStream(file, { highWaterMark: chunkBytes }), {
    keptCheckpoint: checkpoint,
  });
  const cosigned = await verifyWitnesses(checkpoint, witnesses);
  const seconds = (performance.now() - began) / 1000;
  if (json) io.stdout.write(`${JSON.stringify(withWitnesses(asJson(report), cosigned))}\n`);
  else
    io.stdout.write(describe(report, painter(io), key, seconds, checkpoint) + describeWitnesses(cosigned, painter(io)));
  return report.verified && allCosigned(cosigned) ? 0 : 1;
}

/** The signed note: the file as it is, or of an answer of `GET /v1/audit/exports/{audit_export}` its member `manifest`. */
function noteIn(text: string): string {
  try {
    const { manifest } = membersOf(text);
    if (manifest === null)
      throw new CommandError("--manifest: the export was not finished yet when this was read; read it again.");
    return typeof manifest === "string" ? manifest : text;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    return text;
  }
}

/** The log that a manifest claims to be of; undefined where it cannot be read. */
function claimedOrigin(note: string): string | undefined {
  try {
    return readManifestUnverified(note).origin;
  } catch {
    return undefined;
  }
}

function asJson({
  verified,
  manifest,
  rows,
  bytes,
  sha256,
  records,
  unproved,
  findings,
  findingsTotal,
}: ManifestReport): Record<string, unknown> {
  return {
    kind: "manifest",
    verified,
    manifest,
    rows,
    bytes,
    sha256,
    records,
    unproved,
    findings_total: findingsTotal,
    findings: findingsAsJson(findings),
  };
}

const depth: Readonly<Record<ManifestReport["records"], string>> = {
  root: "These are all records of the log up to then, unchanged and in order: they lead to its root.",
  included:
    "Each record is in the log, unchanged and in its place, and matches the filter: together they lead to its root.",
  checked: "Each line has the form of a record of this log, in order.",
  unchecked: "The file is what the log's key signed.",
};

/** Records whose text was removed, by what removed them. */
function describeRemoved({ without_record: removed = [] }: ExportManifest): string[] {
  return removed.map(
    ({ reason, request, leaves }) => `${leaves} more were ${reason} by ${request}: only their hashes remain.`,
  );
}

function describe(
  report: ManifestReport,
  paint: Painter,
  key: VerifierKey,
  seconds: number,
  checkpoint: string | undefined,
): string {
  const { verified, manifest, records, findings, findingsTotal } = report;
  const given = paint.faint(`Key: ${formatVerifierKey(key)}, given.`);
  if (!verified || !manifest) {
    const count = `${findingsTotal} ${findingsTotal === 1 ? "thing does" : "things do"} not hold`;
    return `${[`${paint.removed("NOT verified.")} ${count}.`, ...describeFindings(paint, findings, findingsTotal), given].join("\n")}\n`;
  }
  const { format, schema_version: version, filter, tree_size: size, origin } = manifest;
  const asked = Object.keys(filter).length === 0 ? "no filter" : `filter ${JSON.stringify(filter)}`;
  const lines = [
    `${paint.added("Verified.")} Export ${manifest.export} of the log ${origin}: ${counted(manifest.rows, "record")}, in ${seconds.toFixed(1)} s.`,
    `Format ${format} (${version}), ${asked}, taken when the log had ${counted(size, "record")}.`,
    depth[records],
    ...describeRemoved(manifest),
    ...report.unproved.map((statement) => paint.changed(`Not proved: ${statement}`)),
    ...(checkpoint === undefined
      ? []
      : [`The kept checkpoint covers the first ${readCheckpointUnverified(checkpoint).size} of them.`]),
    given,
  ];
  return `${lines.join("\n")}\n`;
}
