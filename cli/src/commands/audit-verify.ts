import { createReadStream } from "node:fs";
import { open, readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
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
import { counted } from "../output/count.ts";
import { runManifest } from "./audit-verify-manifest.ts";
import {
  type CommandIo,
  chunkBytes,
  findingsAsJson,
  keyFor,
  type Painter,
  painter,
  readKeys,
  tellFindings,
  UsageError,
} from "./audit-verify-parts.ts";
import { describeProof, proofAsJson, readRecord, verifyRecord } from "./audit-verify-record.ts";
import { describeResult, readVerifiedResult, resultAsJson } from "./audit-verify-result.ts";
import {
  allCosigned,
  describeWitnesses,
  readWitnesses,
  verifyWitnesses,
  withWitnesses,
} from "./audit-verify-witness.ts";

export type { CommandIo } from "./audit-verify-parts.ts";

const usage = `Usage: aos audit verify <file> [--key <vkey>] [--manifest <file>] [--record <file>] [--result <file>] [--checkpoint <file>] [--witness <vkey>] [--json]

Verifies, with no server and no database:
  a whole log    a file or folder of the format aos-audit-log v1
  an export      a file in JSONL, CSV or OCSF, with its manifest
  one record     a proof (C2SP tlog-proof)

  --key         the log's public key as a verifier key (<name>+<id>+<base64>), or a file of such keys, one a line,
                of which the log's own is taken; needed but for a whole log, and there to show more than that it fits itself
  --manifest    the signed manifest of an export, or what GET /v1/audit/exports/{audit_export} answered
  --record      the record as the service answered it (GET /v1/audit/events/{audit_ref}), or its leaf data, to be compared
                with what the proof is of; needed where the proof does not carry it
  --result      what a task ended with, as GET /v1/tasks/{task}/result or GET /v1/tasks/{task} answered it, to be compared with
                what its record commits to; the record is the one that result_ref names, given with --record
  --checkpoint  a checkpoint kept earlier: the log must contain what it covered (a whole log, or an export without a filter)
  --witness     the verifier key of a witness (C2SP tlog-witness, type 4), or a file of such keys; may be given several times: each must have
                cosigned the checkpoint that was kept (--checkpoint), else that of the proof or of the whole log
  --json        the result as one JSON object

Exit status: 0 verified, 1 not verified, 2 wrong usage or unreadable file.
`;

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

/** `aos audit verify`. Answers the exit status: 0 verified, 1 not verified, 2 wrong usage or unreadable file. */
export async function run(args: readonly string[], io: CommandIo = processIo()): Promise<number> {
  try {
    if (args.includes("--help") || args.includes("-h")) {
      io.stdout.write(usage);
      return 0;
    }
    const options = await readOptions(args);
    const { manifest } = options;
    if (manifest !== undefined) return await runManifest({ ...options, manifest }, io);
    return (await isProof(options.file)) ? await runProof(options, io) : await runExport(options, io);
  } catch (error) {
    const problem = problemOf(error);
    if (problem === undefined) throw error;
    io.stderr.write(`${problem}\n`);
    return 2;
  }
}

export default run;

function processIo(): CommandIo {
  return { stdout: process.stdout, stderr: process.stderr, env: process.env, isTTY: process.stdout.isTTY === true };
}

function problemOf(error: unknown): string | undefined {
  if (error instanceof UsageError) return error.message;
  const { code, path: file, syscall } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return `File not found: ${file}.`;
  return syscall === undefined ? undefined : `${file ?? "The file"} cannot be read (${code}).`;
}

async function readOptions(args: readonly string[]): Promise<Options> {
  const text = { type: "string" } as const;
  let parsed: {
    values: {
      key?: string;
      manifest?: string;
      record?: string;
      result?: string;
      checkpoint?: string;
      witness?: string[];
      json?: boolean;
    };
    positionals: string[];
  };
  try {
    parsed = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        key: text,
        manifest: text,
        record: text,
        result: text,
        checkpoint: text,
        witness: { ...text, multiple: true },
        json: { type: "boolean" },
      },
    });
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${usage}`);
  }
  const { values, positionals } = parsed;
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new UsageError(usage);
  const { manifest } = values;
  if (manifest !== undefined && values.record !== undefined) {
    throw new UsageError("--record is only for proofs; an export contains its records. Remove --record.");
  }
  if (values.result !== undefined && values.record === undefined) {
    throw new UsageError(
      "--result is checked against a record: pass the record with --record and its proof as the file.",
    );
  }
  const checkpoint = values.checkpoint === undefined ? undefined : await readFile(values.checkpoint, "utf8");
  const witnesses = await readWitnesses(values.witness ?? []);
  if (witnesses.length > 0 && manifest !== undefined && checkpoint === undefined) {
    throw new UsageError(
      "--witness: an export with a manifest contains no checkpoint; pass a kept one with --checkpoint.",
    );
  }
  return {
    file,
    keys: await readKeys(values.key),
    manifest,
    record: values.record,
    result: values.result,
    checkpoint,
    witnesses,
    json: values.json ?? false,
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
  io: CommandIo,
): Promise<number> {
  if (checkpoint !== undefined) {
    throw new UsageError(
      "--checkpoint is only for a whole log or an export of it; a proof has its own checkpoint. Remove --checkpoint.",
    );
  }
  const proofText = await readFile(file, "utf8");
  const proof = readProof(proofText);
  if (keys.length === 0)
    throw new UsageError(`A proof does not contain the log's key: pass it with --key.${signedBy(proof)}`);
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

/** The record that the proof carries as extra data. It is not trusted for standing there: the proof is verified against it. */
function carried(proof: TlogProof | undefined): string {
  if (proof && !proof.extra)
    throw new UsageError("This proof does not contain its record: pass the record with --record <file>.");
  return new TextDecoder().decode(proof?.extra);
}

/** Who claims to have signed a proof, to help a caller who forgot the key. */
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

async function runExport({ file, keys, record, checkpoint, witnesses, json }: Options, io: CommandIo): Promise<number> {
  if (record !== undefined) throw new UsageError("--record is only for proofs; an export contains its records.");
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

/** The checkpoint at the head of an export. */
async function checkpointIn(file: string): Promise<string | undefined> {
  try {
    const { checkpoint } = JSON.parse(await firstLineOf(file)) as { checkpoint?: unknown };
    return typeof checkpoint === "string" ? checkpoint : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}

/** The first line of an export, of which no more than `longestHead` and a chunk are read. */
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
  if (names.length === 0) throw new UsageError(`The folder ${file} has no *.jsonl files, so it is not an export.`);
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
      `${paint.good("Verified.")}${log} ${counted(r.leaves, "record")}, complete, unchanged and in order, in ${seconds.toFixed(1)} s.`,
    );
    for (const one of r.removed)
      lines.push(`${one.leaves} of them are present only as hashes: ${one.reason} by ${one.request}.`);
  } else {
    const count = `${r.findingsTotal} ${r.findingsTotal === 1 ? "thing does" : "things do"} not hold`;
    lines.push(`${paint.bad("NOT verified.")}${log} ${count}.`);
    lines.push(...tellFindings(paint, r.findings, r.findingsTotal));
    if (isNoLog(r))
      lines.push(
        "An export from GET /v1/audit/exports/{audit_export} is verified by its manifest: pass it with --manifest.",
      );
  }
  if (key) lines.push(paint.faint(`Key: ${formatVerifierKey(key)}, given.`));
  else if (r.publicKey !== null) {
    lines.push(paint.warn(`The key was taken from the file itself: ${r.publicKey}`));
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
