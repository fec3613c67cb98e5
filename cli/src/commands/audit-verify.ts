import { createReadStream } from "node:fs";
import { open, readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import {
  type CosignerKey,
  type ExportReport,
  formatVerifierKey,
  parseTlogProof,
  readCheckpointUnverified,
  type TlogProof,
  tlogProofHeader,
  type VerifierKey,
  verifyExport,
} from "@aos/proof";
import { type AosCommand, collect, type Given } from "../command.ts";
import { membersOf } from "../json.ts";
import { counted } from "../output/text.ts";
import { CommandError, type Painter, painter, type Terminal } from "../terminal.ts";
import { readDecisionFile, runDecision } from "./audit-verify-decision.ts";
import { runManifest } from "./audit-verify-manifest.ts";
import { chunkBytes, describeFindings, findingsAsJson, keyFor, readKeys } from "./audit-verify-parts.ts";
import { describeProof, proofAsJson, readRecord, verifyRecord } from "./audit-verify-record.ts";
import { describeResult, readVerifiedResult, resultAsJson } from "./audit-verify-result.ts";
import {
  allCosigned,
  describeWitnesses,
  readWitnesses,
  verifyWitnesses,
  withWitnesses,
} from "./audit-verify-witness.ts";

export default (command: AosCommand): AosCommand =>
  command
    .description(
      `Verifies, with no server and no database:
- a whole log: a file or folder of the format aos-audit-log v1
- an export: a file in JSONL, CSV or OCSF, with its manifest
- one record: a proof (C2SP tlog-proof)
- a task: its decision record, as GET /v1/audit/tasks/{task} answers it, with every record in it

Exit status: 0 verified, 1 not verified, 2 wrong usage or unreadable file.`,
    )
    .option(
      "--key <file>",
      `the log's public key as a verifier key (<name>+<id>+<base64>), or a file of such keys, one a line, of which the log's own is taken; required except for a whole log, which without it is only checked against itself`,
    )
    .option(
      "--manifest <file>",
      "the signed manifest of an export, or the response of GET /v1/audit/exports/{audit_export}",
    )
    .option(
      "--record <file>",
      "the record as the service returned it (GET /v1/audit/events/{audit_ref}), or its leaf data, to compare with the proof; required if the proof does not contain it",
    )
    .option(
      "--result <file>",
      "a task's result, as GET /v1/tasks/{task}/result or GET /v1/tasks/{task} returned it, to compare with the hash in its record; pass the record that result_ref names with --record",
    )
    .option(
      "--checkpoint <file>",
      "a checkpoint kept earlier, which the log must still contain (a whole log, or an export without a filter)",
    )
    .option(
      "--witness <file>",
      "the verifier key of a witness (C2SP tlog-witness, type 4), or a file of such keys; may be given several times: each must have cosigned the checkpoint of --checkpoint, else that of the proof or of the whole log",
      collect,
    )
    .option("--json", "the result as one JSON object")
    .usageExit(2)
    .run(verify);

const newline = 0x0a;
/** A header is far shorter; what has no line end within so many bytes is no export. */
const longestHead = 1 << 20;

interface Options {
  readonly file: string;
  readonly keys: readonly VerifierKey[];
  readonly manifest: string | undefined;
  readonly record: string | undefined;
  readonly result: string | undefined;
  readonly checkpoint: string | undefined;
  readonly witnesses: readonly CosignerKey[];
  readonly json: boolean;
}

async function verify(given: Given): Promise<number> {
  const { terminal } = given;
  try {
    const options = await readOptions(given);
    const { manifest } = options;
    if (manifest !== undefined) return await runManifest({ ...options, manifest }, terminal);
    if (await isProof(options.file)) return await runProof(options, terminal);
    const decision = await readDecisionFile(options.file);
    if (decision) return await runDecision(decision, options.keys, options.json, terminal);
    return await runExport(options, terminal);
  } catch (error) {
    const { code, path: file, syscall } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new CommandError(`File not found: ${file}.`);
    throw syscall === undefined ? error : new CommandError(`${file ?? "The file"} cannot be read (${code}).`);
  }
}

async function readOptions({ options: values, argument, json }: Given): Promise<Options> {
  const { manifest } = values;
  if (manifest !== undefined && values.record !== undefined) {
    throw new CommandError("--record is only for proofs; an export contains its records. Remove --record.");
  }
  if (values.result !== undefined && values.record === undefined) {
    throw new CommandError(
      "--result is checked against a record: pass the record with --record and its proof as the file.",
    );
  }
  const checkpoint = values.checkpoint === undefined ? undefined : await readFile(values.checkpoint, "utf8");
  const witnesses = await readWitnesses(values.witness ?? []);
  if (witnesses.length > 0 && manifest !== undefined && checkpoint === undefined) {
    throw new CommandError(
      "--witness: an export with a manifest contains no checkpoint; pass a kept one with --checkpoint.",
    );
  }
  return {
    file: argument(0),
    keys: await readKeys(values.key),
    manifest,
    record: values.record,
    result: values.result,
    checkpoint,
    witnesses,
    json,
  };
}

async function isProof(file: string): Promise<boolean> {
  if ((await stat(file)).isDirectory()) return false;
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(tlogProofHeader.length), 0, tlogProofHeader.length, 0);
    return buffer.toString("utf8", 0, bytesRead) === tlogProofHeader;
  } finally {
    await handle.close();
  }
}

async function runProof(
  { file, keys, record, result, checkpoint, witnesses, json }: Options,
  io: Terminal,
): Promise<number> {
  if (checkpoint !== undefined) {
    throw new CommandError(
      "--checkpoint is only for a whole log or an export of it; a proof has its own checkpoint. Remove --checkpoint.",
    );
  }
  const proofText = await readFile(file, "utf8");
  const proof = readProof(proofText);
  if (keys.length === 0)
    throw new CommandError(`A proof does not contain the log's key: pass it with --key.${signedBy(proof)}`);
  const given =
    record === undefined
      ? { leafData: carried(proof), shown: null, repeated: null }
      : readRecord(await readFile(record, "utf8"));
  const key = keyFor(keys, proof && claimedOrigin(proof.checkpoint)) as VerifierKey;
  const verdict = await verifyRecord(proofText, given, key);
  const held = await readVerifiedResult(result, given, verdict);
  const cosigned = await verifyWitnesses(proof?.checkpoint, witnesses);
  if (json)
    io.stdout.write(`${JSON.stringify({ ...withWitnesses(proofAsJson(verdict), cosigned), ...resultAsJson(held) })}\n`);
  else {
    const paint = painter(io);
    io.stdout.write(
      describeProof(verdict, paint, io.isTTY) + describeResult(held, paint) + describeWitnesses(cosigned, paint),
    );
  }
  return verdict.verified && held?.verified !== false && allCosigned(cosigned) ? 0 : 1;
}

/** The proof as far as it can be read; a broken one is for `verifyProof` to name. */
function readProof(text: string): TlogProof | undefined {
  try {
    return parseTlogProof(text);
  } catch {
    return undefined;
  }
}

/** The record in the extra data of the proof. It is not trusted: the proof is verified against it. */
function carried(proof: TlogProof | undefined): string {
  if (proof && !proof.extra)
    throw new CommandError("This proof does not contain its record: pass the record with --record <file>.");
  return new TextDecoder().decode(proof?.extra);
}

function signedBy(proof: TlogProof | undefined): string {
  const origin = proof && claimedOrigin(proof.checkpoint);
  return origin === undefined ? "" : ` It claims to be from the log ${origin}.`;
}

/** The log that a checkpoint claims to be of; undefined where it cannot be read. */
function claimedOrigin(checkpoint: string): string | undefined {
  try {
    return readCheckpointUnverified(checkpoint).origin;
  } catch {
    return undefined;
  }
}

async function runExport({ file, keys, record, checkpoint, witnesses, json }: Options, io: Terminal): Promise<number> {
  if (record !== undefined) throw new CommandError("--record is only for proofs; an export contains its records.");
  const key = keyFor(keys, keys.length > 1 ? await originIn(file) : undefined);
  const showProgress = io.isTTY && !json;
  const began = performance.now();
  const report = await verifyExport(bytesOf(file), {
    ...(key && { publicKey: key }),
    ...(checkpoint !== undefined && { keptCheckpoint: checkpoint }),
    ...(showProgress && {
      onProgress: (done: number, total: number) => void io.stderr.write(`\r${done} of ${total} records`),
    }),
  });
  if (showProgress) io.stderr.write("\r\u001b[K");
  const cosigned = await verifyWitnesses(
    witnesses.length === 0 ? undefined : (checkpoint ?? (await checkpointIn(file))),
    witnesses,
  );
  if (json) io.stdout.write(`${JSON.stringify(withWitnesses(asJson(report), cosigned))}\n`);
  else
    io.stdout.write(
      describe(report, painter(io), key, (performance.now() - began) / 1000) + describeWitnesses(cosigned, painter(io)),
    );
  return report.verified && allCosigned(cosigned) ? 0 : 1;
}

/** The log that the checkpoint at the head of an export claims to be of; undefined where the file has none that can be read. */
async function originIn(file: string): Promise<string | undefined> {
  const checkpoint = await checkpointIn(file);
  return checkpoint === undefined ? undefined : claimedOrigin(checkpoint);
}

async function checkpointIn(file: string): Promise<string | undefined> {
  try {
    const { checkpoint } = membersOf(await firstLineOf(file));
    return typeof checkpoint === "string" ? checkpoint : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}

/** The first line of an export; reads at most `longestHead` bytes and a chunk. */
async function firstLineOf(file: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytesOf(file)) {
    const end = chunk.indexOf(newline);
    chunks.push(end < 0 ? chunk : chunk.subarray(0, end));
    length += chunk.length;
    if (end >= 0 || length >= longestHead) break;
  }
  return Buffer.concat(chunks).toString();
}

async function* bytesOf(file: string): AsyncGenerator<Uint8Array> {
  const folder = (await stat(file)).isDirectory();
  const names = folder ? (await readdir(file)).filter((name) => name.endsWith(".jsonl")).sort() : [""];
  if (names.length === 0) throw new CommandError(`The folder ${file} has no *.jsonl files, so it is not an export.`);
  for (const name of names) yield* createReadStream(path.join(file, name), { highWaterMark: chunkBytes });
}

function asJson(r: ExportReport): Record<string, unknown> {
  return {
    kind: "export",
    verified: r.verified,
    origin: r.origin,
    public_key: r.publicKey,
    key_from: r.keyFrom,
    signed_size: r.signedSize,
    leaves: r.leaves,
    without_record: r.withoutRecord,
    removed: r.removed,
    pinpointed: r.pinpointed,
    findings_total: r.findingsTotal,
    findings: findingsAsJson(r.findings),
  };
}

function describe(r: ExportReport, paint: Painter, key: VerifierKey | undefined, seconds: number): string {
  const lines: string[] = [];
  const log = r.origin === null ? "" : ` The log ${r.origin}:`;
  if (r.verified) {
    lines.push(
      `${paint.added("Verified.")}${log} ${counted(r.leaves, "record")}, complete, unchanged and in order, in ${seconds.toFixed(1)} s.`,
    );
    for (const one of r.removed)
      lines.push(`${one.leaves} of them are present only as hashes: ${one.reason} by ${one.request}.`);
  } else {
    const count = `${r.findingsTotal} ${r.findingsTotal === 1 ? "thing does" : "things do"} not hold`;
    lines.push(`${paint.removed("NOT verified.")}${log} ${count}.`);
    lines.push(...describeFindings(paint, r.findings, r.findingsTotal));
    if (isNoLog(r))
      lines.push(
        "An export from GET /v1/audit/exports/{audit_export} is verified by its manifest: pass it with --manifest.",
      );
  }
  if (key) lines.push(paint.faint(`Key: ${formatVerifierKey(key)}, given.`));
  else if (r.publicKey !== null) {
    lines.push(paint.changed(`The key was taken from the file itself: ${r.publicKey}`));
    lines.push(
      "This shows that the file is consistent, not who wrote it. Compare the key with one from another source, or pass that with --key.",
    );
  }
  return `${lines.join("\n")}\n`;
}

/** Whether the file is not of the format of whole logs at all. */
function isNoLog({ findings: [first], findingsTotal }: ExportReport): boolean {
  return findingsTotal === 1 && first?.kind === "format" && first.line === 1;
}
